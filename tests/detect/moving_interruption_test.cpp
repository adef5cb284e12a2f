// A moving method that is stopped misses nothing: what it did not look at comes back as `possible` regions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/bounds/aabb.h"
#include "pliant/mesh/topology.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

FaceId owner_of(const Detector& detector, const Feature& f) {
  const MeshTopology& topology = detector.body(f.body).mesh->topology();
  if (f.kind == FeatureKind::vertex) return topology.owner(VertexId(f.id));
  if (f.kind == FeatureKind::edge) return topology.owner(EdgeId(f.id));
  return FaceId(f.id);
}

bool holds(const Region& region, FaceId face) {
  return std::find(region.faces.begin(), region.faces.end(), face) != region.faces.end();
}

bool is_region_pair(const Contact& c) { return c.kind() == ContactKind::region_region; }

bool same_features(const Contact& x, const Contact& y) { return x.time == y.time && x.a == y.a && x.b == y.b; }

// Whether a contact is in the report, or in two regions that are unresolved from its time or earlier.
bool covered(const Detector& detector, const Report& report, const Contact& wanted) {
  const FaceId fa = owner_of(detector, wanted.a), fb = owner_of(detector, wanted.b);
  for (const Contact& c : report.contacts) {
    if (!is_region_pair(c)) {
      if (same_features(c, wanted)) return true;
      continue;
    }
    if (c.time > wanted.time) continue;
    const Region a = detector.region(c.a.body, c.a.id), b = detector.region(c.b.body, c.b.id);
    const auto in = [&](const Feature& f, FaceId face, const Feature& region, const Region& r) {
      return f.body == region.body && holds(r, face);
    };
    if (in(wanted.a, fa, c.a, a) && in(wanted.b, fb, c.b, b)) return true;
    if (in(wanted.a, fa, c.b, b) && in(wanted.b, fb, c.a, a)) return true;
  }
  return false;
}

RC_GTEST_PROP(MovingInterruption, NothingIsMissedAtAnyOperationBudget, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers{thrown(dice, crumpled_sheet(dice, 5, 0.05), 3, 0.1, Vec3::Zero()),
                                  thrown(dice, loose_soup(dice, 15, 1, 0.3), 2, 0.1, dice.point(-0.5, 0.5))};
  const Interval interval{0, 2};
  const Report truth = detect_moving("brute-force", movers, interval);
  for (const MethodInfo* method : methods()) {
    if (!method->moving) continue;
    const auto detector = make_detector(method->name);
    for (const Mover& m : movers) detector->add_body(m.mesh, m.motion);
    const Budget budget = Budget::operations(dice.below(6000));
    const Report report = detector->detect(interval, budget);
    for (const Contact& c : truth.contacts) RC_ASSERT(covered(*detector, report, c));
    for (const Contact& c : report.contacts)
      RC_ASSERT(is_region_pair(c) || std::any_of(truth.contacts.begin(), truth.contacts.end(),
                                                 [&](const Contact& t) { return same_features(c, t); }));
    RC_ASSERT(report.complete == (report.stopped_by == StopReason::none));
    RC_ASSERT(report.guarantee == (report.complete ? Guarantee::exact : Guarantee::conservative));
    RC_ASSERT(std::is_sorted(report.contacts.begin(), report.contacts.end(), earlier));
    DetectorSettings two;
    two.threads = {2};
    RC_ASSERT(hash_of(detect_moving(method->name, movers, interval, two, budget)) == hash_of(report));
  }
}

TEST(MovingInterruption, CancelledAndMemoryCappedRunsReturnConservatively) {
  Dice dice(5);
  const Mover soup = thrown(dice, loose_soup(dice, 300, 1, 0.5), 2, 0.3, Vec3::Zero());
  const std::atomic<bool> cancel{true};
  for (const MethodInfo* method : methods()) {
    if (!method->moving) continue;
    const Report cancelled = detect_moving(method->name, {soup}, {0, 1}, {}, Budget::cancelled_by(cancel));
    EXPECT_FALSE(cancelled.complete);
    EXPECT_EQ(cancelled.stopped_by, StopReason::cancelled);
    EXPECT_EQ(cancelled.guarantee, Guarantee::conservative);
    EXPECT_FALSE(cancelled.contacts.empty());
    const Report capped = detect_moving(method->name, {soup}, {0, 1}, {}, Budget::memory(10'000));
    EXPECT_FALSE(capped.complete) << method->name;
    EXPECT_EQ(capped.stopped_by, StopReason::memory) << method->name;
  }
}

TEST(MovingInterruption, TheBoundOfSegmentsThatWereNotReachedIsTheSizeOfTheBodies) {
  Dice dice(7);
  const Mover soup = thrown(dice, loose_soup(dice, 60, 1, 0.5), 4, 0.3, Vec3::Zero());
  for (const std::string_view method : {"swept-bvh", "swept-classical"}) {
    const Report report = detect_moving(method, {soup}, {0, 3}, {}, Budget::operations(10));
    EXPECT_FALSE(report.complete);
    EXPECT_GE(report.bound, Aabb::of_points(soup.motion.frame(1).positions()).diagonal());
    EXPECT_LT(report.bound, 100);
  }
}

class StopAfter : public ContactSink {
 public:
  explicit StopAfter(std::size_t count) : left_(count) {}
  Flow contact(const Contact& c) override {
    seen.push_back(c);
    return --left_ == 0 ? Flow::stop : Flow::go_on;
  }
  std::vector<Contact> seen;

 private:
  std::size_t left_;
};

TEST(MovingInterruption, SinkReceivesContactsInOrderAndMayStop) {
  Dice dice(6);
  const Mover soup = thrown(dice, loose_soup(dice, 60, 1, 0.5), 4, 0.3, Vec3::Zero());
  const Report all = detect_moving("swept-bvh", {soup}, {0, 3});
  ASSERT_GT(all.contacts.size(), 20u);
  const auto detector = make_detector("swept-bvh");
  detector->add_body(soup.mesh, soup.motion);
  StopAfter sink(all.contacts.size() - 5);
  const Report report = detector->detect({0, 3}, {}, &sink);
  EXPECT_EQ(report.stopped_by, StopReason::sink);
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(sink.seen.size(), all.contacts.size() - 5);
  for (std::size_t i = 0; i < sink.seen.size(); ++i) EXPECT_TRUE(same_features(sink.seen[i], all.contacts[i]));
}

}  // namespace
}  // namespace pliant::testing
