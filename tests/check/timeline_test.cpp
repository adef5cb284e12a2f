// Time lines cut into intervals, and the curves along which surfaces cross.
#include "pliant/check/timeline.h"

#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/still/intersection_curves.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

std::vector<Mover> random_movers(std::uint64_t seed, std::size_t frames) {
  Dice dice(seed);
  std::vector<Mover> movers;
  movers.push_back(hopping(dice, grid_soup(dice, 10, 6, 3), frames, 3));
  movers.push_back(thrown(dice, loose_soup(dice, 8, 3, 1), frames, 0.5, Vec3(0.1, 0, 0)));
  return movers;
}

TimelineSettings settings_for(const std::vector<Mover>& movers, int threads, std::string_view method) {
  TimelineSettings settings;
  settings.threads = {threads};
  settings.make_detector = [&movers, method](Threads each) {
    DetectorSettings own;
    own.threads = each;
    auto detector = make_detector(method, own);
    for (const Mover& m : movers) detector->add_body(m.mesh, m.motion);
    return detector;
  };
  return settings;
}

std::vector<Interval> unit_intervals(std::size_t frames) {
  std::vector<Interval> intervals;
  for (std::size_t k = 0; k + 1 < frames; ++k)
    intervals.push_back({static_cast<double>(k), static_cast<double>(k + 1)});
  return intervals;
}

std::vector<Contact> contacts_of_intervals(const std::vector<Mover>& movers, const std::vector<Interval>& intervals,
                                           int threads, std::string_view method) {
  std::vector<Contact> contacts;
  double next = 0;
  run_timeline(intervals, settings_for(movers, threads, method), [&](const SearchedInterval& searched) {
    RC_ASSERT(searched.interval.t0 == next);
    next = searched.interval.t1;
    contacts.insert(contacts.end(), searched.report.contacts.begin(), searched.report.contacts.end());
    return Flow::go_on;
  });
  RC_ASSERT(next == intervals.back().t1);
  return contacts;
}

RC_GTEST_PROP(Timeline, IntervalsGiveWhatOneRunGivesForAnyMethodAndNumberOfThreads, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::size_t frames = *rc::gen::inRange<std::size_t>(2, 14);
  const std::vector<Mover> movers = random_movers(seed, frames);
  const Report whole = detect_moving("swept-bvh", movers, {0, static_cast<double>(frames - 1)});
  for (const MethodInfo* method : methods()) {
    if (!method->moving) continue;
    for (const int threads : {1, 2, 3}) {
      Report intervals = whole;
      intervals.contacts = contacts_of_intervals(movers, unit_intervals(frames), threads, method->name);
      RC_ASSERT(hash_of(intervals) == hash_of(whole));
    }
  }
}

TEST(Timeline, EndsWhenToldSo) {
  const std::vector<Mover> movers = random_movers(3, 20);
  std::size_t seen = 0;
  run_timeline(unit_intervals(20), settings_for(movers, 2, "swept-bvh"),
               [&](const SearchedInterval&) { return ++seen == 3 ? Flow::stop : Flow::go_on; });
  EXPECT_EQ(seen, 3);
}

// A motion with a frame that cannot be read.
class BrokenFrames : public FrameSource {
 public:
  BrokenFrames(MeshPtr mesh, std::size_t broken) : mesh_(std::move(mesh)), broken_(broken) {}
  std::size_t vertex_count() const override { return mesh_->vertex_count(); }
  std::size_t frame_count() const override { return 40; }
  Frame frame(std::size_t index) override {
    if (index >= broken_) throw Error(ErrorPlace{.element = "frame " + std::to_string(index)}, "cannot be read");
    return Frame::of_mesh(mesh_);
  }

 private:
  MeshPtr mesh_;
  std::size_t broken_;
};

TEST(Timeline, AnErrorComesWhenItsIntervalIsDueAndNamesTheFirstBrokenFrame) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 2});
  for (const int threads : {1, 2}) {
    const std::vector<Mover> movers{{ball, Motion::from_source(std::make_shared<BrokenFrames>(ball, 11))}};
    std::size_t seen = 0;
    try {
      run_timeline(unit_intervals(40), settings_for(movers, threads, "swept-bvh"), [&](const SearchedInterval&) {
        ++seen;
        return Flow::go_on;
      });
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.place().element, "frame 11");
    }
    EXPECT_EQ(seen, 10);
  }
}

std::vector<IntersectionCurve> curves_of(const MeshPtr& a, const MeshPtr& b) {
  const auto detector = make_detector("bvh", {.self = false});
  detector->add_body(a);
  detector->add_body(b);
  const Report report = detector->detect(Interval::instant(0));
  return *intersection_curves(report.contacts, {a.get(), a->positions()}, {b.get(), b->positions()});
}

TEST(IntersectionCurves, AreAsLongAsTheCirclesWhereAPlaneCutsATorus) {
  const MeshPtr torus = make_torus({.radius = 2, .tube_radius = 0.5, .segments = 400, .sides = 101});
  // Off the centre, so that no vertex lies in the plane.
  const MeshPtr grid = make_grid({.width = 8, .depth = 8, .columns = 37, .rows = 41});
  std::vector<Vec3> raised = positions_of(*grid);
  for (Vec3& p : raised) p.z() = 0.013;
  const MeshPtr plane = with_positions(*grid, std::move(raised));
  const auto curves = curves_of(torus, plane);
  ASSERT_EQ(curves.size(), 2);
  const double pi = 3.14159265358979;
  EXPECT_NEAR(curves[0].length, 2 * pi * 2.5, 0.01 * 2 * pi * 2.5);
  EXPECT_NEAR(curves[1].length, 2 * pi * 1.5, 0.01 * 2 * pi * 1.5);
}

TEST(IntersectionCurves, LeaveOutNothingOfASelfIntersection) {
  // Two strips of one mesh cross along a straight line of length 1.
  std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0.3, -1}, {1, 0.3, -1}, {1, 0.3, 1}, {0, 0.3, 1}};
  std::vector<Triangle> t;
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    t.push_back({VertexId(a), VertexId(b), VertexId(c)});
  };
  add(0, 1, 2), add(0, 2, 3), add(4, 5, 6), add(4, 6, 7);
  const MeshPtr mesh = std::make_shared<const TriangleMesh>(std::move(x), std::move(t));
  const auto detector = make_detector("bvh");
  detector->add_body(mesh);
  const Report report = detector->detect(Interval::instant(0));
  const PosedMesh posed{mesh.get(), mesh->positions()};
  const auto curves = *intersection_curves(report.contacts, posed, posed);
  ASSERT_EQ(curves.size(), 1);
  EXPECT_EQ(curves[0].pairs, report.contacts.size());
  EXPECT_NEAR(curves[0].length, 1, 1e-12);
}

}  // namespace
}  // namespace pliant::testing
