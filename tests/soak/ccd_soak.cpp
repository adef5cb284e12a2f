// Planted queries (tests/ccd/planted.h) by the million, beyond what fits into a test run.
//
//   ccd_soak COUNT [SEED]     exit status 0 if every answer is right, 1 at the first wrong one, which is printed
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "pliant/ccd/batch.h"
#include "tests/ccd/planted_batch.h"

namespace {

using namespace pliant;

struct Counts {
  std::uint64_t queries = 0, touching = 0;
};

void print(CcdKind kind, PlantFamily family, const Planted& p, const CcdResult& r, const std::string& wrong) {
  std::printf("%s, %s: %s\n", kind == CcdKind::vertex_face ? "vertex-face" : "edge-edge",
              std::string(name(family)).c_str(), wrong.c_str());
  std::printf("  planted: %s at %.17g\n", p.collides ? "touches" : "apart", p.time);
  std::printf("  answer: status %d, [%.17g, %.17g]\n", static_cast<int>(r.status), r.t_lo, r.t_hi);
  for (int i = 0; i < 4; ++i) {
    const Vec3 &a = p.query.x_t0[i], &b = p.query.x_t1[i];
    std::printf("  %a %a %a   %a %a %a\n", a[0], a[1], a[2], b[0], b[1], b[2]);
  }
}

// False at a wrong answer.
bool run_block(CcdKind kind, PlantFamily family, std::size_t count, PlantRandom& random, Counts& counts) {
  CcdBatchSolver solver;
  const PlantedBatch batch(kind, family, count, random);
  const std::vector<CcdResult> answers = batch.solve(solver);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Planted& p = batch.planted()[i];
    const std::string wrong = disagreement(p, answers[i]);
    if (!wrong.empty()) {
      print(kind, family, p, answers[i], wrong);
      return false;
    }
    counts.touching += p.collides ? 1 : 0;
  }
  counts.queries += count;
  return true;
}

// In a block of 10,000 of one kind: most of families that floating point decides, all of the others.
constexpr std::array<int, kPlantFamilies> kHundreds{36, 8, 8, 2, 2, 2, 2, 10, 10, 20};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: ccd_soak COUNT [SEED]\n");
    return 2;
  }
  const std::uint64_t wanted = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  PlantRandom random(seed);
  std::array<Counts, kPlantFamilies> counts;
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t done = 0, told = 0;
  while (done < wanted) {
    for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
      for (int f = 0; f < kPlantFamilies; ++f) {
        const auto count = static_cast<std::size_t>(kHundreds[static_cast<std::size_t>(f)]) * 100;
        Counts& c = counts[static_cast<std::size_t>(f)];
        if (!run_block(kind, static_cast<PlantFamily>(f), count, random, c)) return 1;
        done += count;
      }
    }
    if (done / 10'000'000 > told) {
      told = done / 10'000'000;
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      std::printf("%llu queries, %.0f s\n", static_cast<unsigned long long>(done), seconds.count());
      std::fflush(stdout);
    }
  }
  for (int f = 0; f < kPlantFamilies; ++f) {
    const Counts& c = counts[static_cast<std::size_t>(f)];
    std::printf("%-15s %12llu queries, %12llu touching\n", std::string(name(static_cast<PlantFamily>(f))).c_str(),
                static_cast<unsigned long long>(c.queries), static_cast<unsigned long long>(c.touching));
  }
  std::printf("seed %llu: %llu queries, no wrong answer\n", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(done));
  return 0;
}
