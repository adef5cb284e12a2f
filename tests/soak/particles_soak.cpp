// Random deforming bodies by the thousand: safe mode against the oracle, bit by bit, and what paper mode misses.
//
//   particles_soak FRAMES [SEED]     exit status 0 if safe mode gave the oracle's report in every frame
#include <cstdio>
#include <cstdlib>

#include "pliant/core/random.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/reports.h"

namespace {

using namespace pliant;

struct Tally {
  std::uint64_t pairs = 0, found_pairs = 0, contacts = 0, found_contacts = 0, wrong = 0;

  // Per frame and pair of bodies, and per pair of triangles; self-collision, which paper mode does not look at, left
  // out.
  void add(const std::set<pliant::testing::FacePair>& truth, const std::set<pliant::testing::FacePair>& found) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> meet, met;
    for (const auto& [a, f, b, g] : truth) {
      if (a == b) continue;
      meet.emplace(a, b);
      ++contacts;
    }
    for (const auto& pair : found) {
      const auto& [a, f, b, g] = pair;
      if (!truth.count(pair)) {
        ++wrong;
        continue;
      }
      met.emplace(a, b);
      ++found_contacts;
    }
    pairs += meet.size();
    found_pairs += met.size();
  }
  void print(const char* name) const {
    std::printf("%-12s body pairs %llu of %llu (%.4f), contacts %llu of %llu (%.4f), wrong %llu\n", name,
                static_cast<unsigned long long>(found_pairs), static_cast<unsigned long long>(pairs),
                static_cast<double>(found_pairs) / static_cast<double>(std::max<std::uint64_t>(1, pairs)),
                static_cast<unsigned long long>(found_contacts), static_cast<unsigned long long>(contacts),
                static_cast<double>(found_contacts) / static_cast<double>(std::max<std::uint64_t>(1, contacts)),
                static_cast<unsigned long long>(wrong));
  }
};

MeshPtr any_body(Random& random) {
  const int size = static_cast<int>(random.below(3));
  switch (random.below(5)) {
    case 0:
      return make_icosphere({.radius = random.within(0.4, 1), .frequency = 3 + size});
    case 1:
      return make_torus({.radius = 0.7, .tube_radius = 0.25, .segments = 14 + 2 * size, .sides = 7 + size});
    case 2:
      return make_capsule({.radius = 0.3, .length = 1, .segments = 10 + size, .cap_rings = 3, .side_rings = 5});
    case 3:
      return make_grid({.width = 1.5, .depth = 1.5, .columns = 10 + size, .rows = 10});
    default:
      return make_box({.size = {1, 0.6, 0.4}, .cells = {5 + size, 4, 3}});
  }
}

Vec3 any_point(Random& random, double size) {
  return {random.within(-size, size), random.within(-size, size), random.within(-size, size)};
}

// Every fourth body is crumpled so much that it crosses itself.
double any_amplitude(Random& random) { return random.below(4) == 0 ? random.within(0.4, 1.2) : random.within(0, 0.35); }

// One body on its way: wobbling, stretching, turning, coming and going.
struct Mover {
  MeshPtr mesh;
  SmoothField field;
  Vec3 from, to, axis, stretch;

  Mover(MeshPtr shape, Random& random)
      : mesh(std::move(shape)),
        field({.seed = random.bits(), .amplitude = any_amplitude(random), .wavelength = random.within(0.6, 2)}),
        from(any_point(random, 1.3)),
        to(any_point(random, 1.3)),
        axis(any_point(random, 1) + Vec3(0, 0, 1.5)),
        stretch(Vec3::Ones() + any_point(random, 0.9)) {}

  std::vector<Vec3> at(double t) const {
    std::vector<Vec3> x = displaced(mesh->positions(), field, t);
    for (Vec3& p : x) p = p.cwiseProduct(Vec3::Ones() + t * (stretch - Vec3::Ones()));
    return transformed(x, rigid(axis, 3 * t, from + t * (to - from)));
  }
};

class Soak {
 public:
  explicit Soak(std::uint64_t seed) : random_(seed) {}

  // A run of frames; false at a wrong one.
  bool run(int frames) {
    std::vector<Mover> movers;
    const std::size_t bodies = 2 + random_.below(3);
    for (std::size_t b = 0; b < bodies; ++b) movers.emplace_back(any_body(random_), random_);
    DetectorSettings safe, paper, restarts;
    safe.threads = {1 + static_cast<int>(random_.below(2))};
    safe.method = {{"regions_per_root", random_.within(0.3, 4)}, {"repartition_gap", std::int64_t{3}}};
    paper.mode = restarts.mode = Mode::paper;
    restarts.method = {{"restarts", std::int64_t{10}}};
    const auto oracle = make_detector("brute-force"), safely = make_detector("particles", safe),
               printed = make_detector("particles", paper), again = make_detector("particles", restarts);
    for (Detector* d : {oracle.get(), safely.get(), printed.get(), again.get()})
      for (const Mover& mover : movers) d->add_body(mover.mesh);
    for (int k = 0; k < frames; ++k) {
      for (std::size_t b = 0; b < bodies; ++b) {
        const std::vector<Vec3> x = movers[b].at(static_cast<double>(k) / frames);
        for (Detector* d : {oracle.get(), safely.get(), printed.get(), again.get()}) d->set_positions(BodyId(b), x);
      }
      const Report truth = oracle->detect(Interval::instant(0)), report = safely->detect(Interval::instant(0));
      if (pliant::testing::hash_of(report) != pliant::testing::hash_of(truth)) return false;
      const auto pairs = pliant::testing::face_pairs(truth);
      printed_.add(pairs, pliant::testing::face_pairs(printed->detect(Interval::instant(0))));
      again_.add(pairs, pliant::testing::face_pairs(again->detect(Interval::instant(0))));
      contacts_ += truth.contacts.size();
      for (const auto& [a, f, b, g] : pairs) self_contacts_ += a == b;
      repartitions_ += report.counters["repartitions"];
    }
    return true;
  }

  void print() const {
    std::printf("safe         all %llu contacts bit by bit, %llu of them within a body; %llu repartitions\n",
                static_cast<unsigned long long>(contacts_), static_cast<unsigned long long>(self_contacts_),
                static_cast<unsigned long long>(repartitions_));
    printed_.print("paper");
    again_.print("restarts=10");
  }

 private:
  Random random_;
  Tally printed_, again_;
  std::uint64_t contacts_ = 0, self_contacts_ = 0, repartitions_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: particles_soak FRAMES [SEED]\n");
    return 2;
  }
  const int wanted = std::atoi(argv[1]);
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  constexpr int kRun = 40;
  Soak soak(seed);
  for (int done = 0; done < wanted; done += kRun) {
    if (soak.run(kRun)) continue;
    std::printf("seed %llu: safe mode differs from the oracle in frames %d to %d\n",
                static_cast<unsigned long long>(seed), done, done + kRun);
    return 1;
  }
  soak.print();
  std::printf("seed %llu: %d frames, safe mode as the oracle in all\n", static_cast<unsigned long long>(seed), wanted);
  return 0;
}
