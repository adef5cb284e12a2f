// What kinetic methods do with time: intervals cut anywhere, motions changed on the way, bodies that come and go.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/detect/kinetic_streams.h"

namespace pliant::testing {
namespace {

std::vector<Mover> random_movers(Dice& dice, std::size_t frames) {
  std::vector<Mover> movers;
  const double noise = dice.uniform(0, 0.15);
  switch (dice.below(3)) {
    case 0:
      movers.push_back(thrown(dice, crumpled_sheet(dice, 3 + dice.below(5), 0.02), frames, noise, Vec3::Zero()));
      movers.push_back(thrown(dice, crumpled_sheet(dice, 4, 0.02), frames, noise, dice.point(-0.3, 0.3)));
      break;
    case 1:
      for (std::uint32_t b = 0; b < 1 + dice.below(3); ++b)
        movers.push_back(thrown(dice, loose_soup(dice, 1 + dice.below(25), 1, dice.uniform(0.05, 0.6)), frames, 0.3,
                                dice.point(-1, 1)));
      break;
    default:
      movers.push_back(thrown(dice, unshared(*crumpled_sheet(dice, 3, 0.02)), frames, noise, Vec3::Zero(), true));
      movers.push_back(thrown(dice, loose_soup(dice, 10, 0.7, 0.3), frames, 0.2, Vec3::Zero()));
  }
  return movers;
}

// Contacts of every segment on its own: what a stream over them has to say.
Report oracle_by_segment(const std::vector<Mover>& movers, int first, int last) {
  Report all;
  const auto detector = detector_of("brute-force", movers);
  for (int k = first; k < last; ++k)
    append(all, detector->detect({static_cast<double>(k), static_cast<double>(k + 1)}));
  return all;
}

RC_GTEST_PROP(KineticStream, GivesTheOraclesContactsHoweverTheSegmentsAreCut, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = random_movers(dice, 4);
  const Report oracle = oracle_by_segment(movers, 0, 3);
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers);
    const Report cut = detect_in_cuts(*detector, 0, 3, 1 + static_cast<int>(dice.below(12)));
    RC_ASSERT(contacts_hash(cut) == contacts_hash(oracle));
  }
}

RC_GTEST_PROP(KineticStream, GivesTheOraclesContactsOnGridsFullOfTies, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Mover> movers;
  const std::uint32_t side = 1 + dice.below(4);
  for (std::uint32_t b = 0; b < 1 + dice.below(2); ++b)
    movers.push_back(hopping(dice, grid_soup(dice, 3 + dice.below(12), 1 + dice.below(12), side), 3, side));
  const Report oracle = oracle_by_segment(movers, 0, 2);
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers);
    const Report cut = detect_in_cuts(*detector, 0, 2, 1 + static_cast<int>(dice.below(5)));
    RC_ASSERT(cut.contacts.size() == oracle.contacts.size());
    // Brackets of the solver may be wider than an instant when points slide along each other: the order may then differ
    // where a segment is cut.
    Report sorted = only_contacts(cut), expected = only_contacts(oracle);
    for (Report* r : {&sorted, &expected}) std::stable_sort(r->contacts.begin(), r->contacts.end(), earlier);
    RC_ASSERT(hash_of(sorted) == hash_of(expected));
  }
}

// A swept method cuts motions where it is asked to, and sees a pair again in every interval.
RC_GTEST_PROP(KineticStream, AgreesWithSweptMethodsThatAreAskedFrameByFrame, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = random_movers(dice, 3);
  const int cuts = 2 + static_cast<int>(dice.below(8));
  const auto swept = detector_of("swept-bvh", movers);
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers);
    for (int k = 0; k < 2; ++k) {
      const auto wanted = first_times_by_segment(detect_in_cuts(*swept, k, k + 1, cuts).contacts, k);
      const auto found = first_times_by_segment(detect_in_cuts(*detector, k, k + 1, cuts).contacts, k);
      RC_ASSERT(found.size() == wanted.size());
      for (auto x = found.begin(), y = wanted.begin(); x != found.end(); ++x, ++y) {
        RC_ASSERT(x->first == y->first);
        RC_ASSERT(std::abs(x->second - y->second) <= 1e-8);
      }
    }
  }
}

RC_GTEST_PROP(KineticStream, CountsTheSameEventsForAnyNumberOfFrames, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = random_movers(dice, 4);
  const auto work = [&](int cuts) {
    const auto detector = detector_of("kinetic-events", movers);
    auto counts = detect_in_cuts(*detector, 0, 3, cuts).counters.all();
    counts.erase(std::remove_if(counts.begin(), counts.end(), [](const auto& c) { return c.first == "bytes"; }),
                 counts.end());  // of memory that is reserved
    return counts;
  };
  const auto once = work(1);
  for (const int cuts : {2, 3, 7}) RC_ASSERT(work(cuts) == once);
}

RC_GTEST_PROP(KineticStream, StoppedAtEveryContactAndResumedSaysTheSame, (std::uint64_t seed)) {
  class One : public ContactSink {
   public:
    Flow contact(const Contact& c) override {
      seen.push_back(c);
      return Flow::stop;
    }
    std::vector<Contact> seen;
  };
  Dice dice(seed);
  const std::vector<Mover> movers = random_movers(dice, 3);
  for (const std::string_view method : kKineticMethods) {
    const Report all = detector_of(method, movers)->detect({0, 2});
    const auto detector = detector_of(method, movers);
    One sink;
    double now = 0;
    while (now < 2 && detector->detect({now, 2}, {}, &sink).stopped_by == StopReason::sink) now = sink.seen.back().time;
    Report stopped;
    stopped.contacts = sink.seen;
    // A contact at the very end leaves no interval to go on in.
    stopped.contacts.resize(std::min(stopped.contacts.size(), all.contacts.size()));
    Report expected = only_contacts(all);
    if (now >= 2) expected.contacts.resize(stopped.contacts.size());
    RC_ASSERT(contacts_hash(stopped) == contacts_hash(expected));
  }
}

// ---- changes on the way ----

// The rest of a motion from time t on, thrown elsewhere at its later keyframes.
Motion replanned(Dice& dice, const Motion& motion, double t, double noise) {
  std::vector<Frame> frames{motion.positions_at(t)};
  std::vector<double> times{t};
  for (std::size_t k = 0; k < motion.frame_count(); ++k) {
    if (motion.time_of(k) <= t) continue;
    std::vector<Vec3> x(motion.frame(k).positions().begin(), motion.frame(k).positions().end());
    for (Vec3& p : x) p += dice.point(-noise, noise);
    frames.push_back(Frame::own(std::move(x)));
    times.push_back(motion.time_of(k));
  }
  return Motion::keyframes(std::move(frames), std::move(times));
}

bool involves(const Contact& c, BodyId body) { return c.a.body == body || c.b.body == body; }

Report contacts_of(const Report& report, BodyId body) {
  Report some;
  for (const Contact& c : report.contacts)
    if (involves(c, body)) some.contacts.push_back(c);
  return some;
}

// What a stream said before and after a change, and what a fresh start from then on says.
struct Change {
  double now;
  BodyId body;
  Report before;
  Report stream;
  Report fresh;

  std::map<FeaturePair, double> times_of_others(const Report& report, double from) const {
    std::map<FeaturePair, double> times;
    for (const Contact& c : report.contacts)
      if (!involves(c, body) && c.time >= from && c.time < std::floor(now) + 1)
        times.emplace(FeaturePair(c.a, c.b), c.time);
    return times;
  }
};

// Pairs of other bodies go on. They have one contact per segment: one that met before the change is not reported again,
// as a fresh start would.
void expect_as_fresh(const Change& change) {
  RC_ASSERT(contacts_hash(contacts_of(change.stream, change.body)) ==
            contacts_hash(contacts_of(change.fresh, change.body)));
  RC_ASSERT(std::is_sorted(change.stream.contacts.begin(), change.stream.contacts.end(), earlier));
  const auto met = change.times_of_others(change.before, std::floor(change.now));
  const auto found = change.times_of_others(change.stream, change.now);
  const auto wanted = change.times_of_others(change.fresh, change.now);
  for (const auto& [pair, time] : found) {
    const auto at = wanted.find(pair);
    RC_ASSERT(at != wanted.end());
    RC_ASSERT(std::abs(at->second - time) <= 1e-8);
  }
  for (const auto& [pair, time] : wanted) RC_ASSERT(found.count(pair) != met.count(pair));
}

RC_GTEST_PROP(KineticStream, RandomReplanningEqualsAFreshStartFromThatTime, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Mover> movers = random_movers(dice, 4);
  movers.push_back(thrown(dice, loose_soup(dice, 5, 0.5, 0.3), 4, 0.2, Vec3::Zero()));
  const double now = dice.uniform(0.1, 1.9);
  const BodyId changed(dice.below(static_cast<std::uint32_t>(movers.size())));
  const Motion plan = replanned(dice, movers[changed.index()].motion, now, 0.2);
  for (const std::string_view method : kKineticMethods) {
    const auto stream = detector_of(method, movers);
    const Report before = stream->detect({0, now});
    stream->set_motion(changed, plan);
    std::vector<Mover> as_planned = movers;
    as_planned[changed.index()].motion = plan;
    const Report fresh = detector_of("brute-force", as_planned)->detect({now, 3});
    expect_as_fresh({now, changed, before, stream->detect({now, 3}), fresh});
  }
}

RC_GTEST_PROP(KineticStream, ReplacingAPlanByItselfChangesNothing, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<Mover> movers = random_movers(dice, 4);
  const double now = dice.uniform(0.1, 2.9);
  for (const std::string_view method : kKineticMethods) {
    const auto left_alone = detector_of(method, movers), replaced = detector_of(method, movers);
    left_alone->detect({0, now});
    replaced->detect({0, now});
    for (std::size_t b = 0; b < movers.size(); ++b) {
      std::vector<Frame> frames;
      for (std::size_t k = 0; k < movers[b].motion.frame_count(); ++k) {
        const auto x = movers[b].motion.frame(k).positions();
        frames.push_back(Frame::own({x.begin(), x.end()}));
      }
      replaced->set_motion(BodyId(b), Motion::keyframes(std::move(frames)));
    }
    const Report a = left_alone->detect({now, 3}), b = replaced->detect({now, 3});
    RC_ASSERT(hash_of(a) == hash_of(b));
    RC_ASSERT(a.counters.all() == b.counters.all());
  }
}

RC_GTEST_PROP(KineticStream, BodiesComeAndGoAndChangeTheirMeshes, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Mover> movers = random_movers(dice, 4);
  movers.push_back(thrown(dice, loose_soup(dice, 12, 0.7, 0.3), 4, 0.2, Vec3::Zero()));
  const Mover other = thrown(dice, loose_soup(dice, 9, 0.7, 0.4), 4, 0.2, Vec3::Zero());
  const double now = dice.uniform(0.1, 2.5);
  const BodyId last(movers.size() - 1), added(movers.size());
  const std::uint32_t what = dice.below(3);
  for (const std::string_view method : kKineticMethods) {
    const auto stream = detector_of(method, movers), fresh = detector_of("brute-force", movers);
    const Report before = stream->detect({0, now});
    for (Detector* d : {stream.get(), fresh.get()}) {
      if (what == 0) d->add_body(other.mesh, other.motion);
      if (what == 1) d->remove_body(last);
      if (what == 2) d->replace_mesh(last, other.mesh, other.motion);
    }
    expect_as_fresh({now, what == 0 ? added : last, before, stream->detect({now, 3}), fresh->detect({now, 3})});
  }
}

// Faces that come and go, with a map that is true, none, or nonsense: answers do not depend on it.
RC_GTEST_PROP(KineticStream, MeshesThatAreCutAndPatchedEqualAFreshStart, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Mover> movers = random_movers(dice, 4);
  const Mover sheet = thrown(dice, crumpled_sheet(dice, 8, 0.02), 4, 0.1, Vec3::Zero());
  movers.push_back(sheet);
  const BodyId last(movers.size() - 1);
  EditedMover once = edited(dice, sheet, dice.below(4), dice.below(20));
  EditedMover twice = edited(dice, once.mover, dice.below(8), dice.below(20));
  if (dice.below(4) == 0)
    for (FaceId& face : twice.maps.old_face) face = FaceId(dice.below(1000));
  const double now = dice.uniform(0.1, 1.9), keyframe = std::ceil(now);
  const bool both_at_once = dice.below(2) == 0;
  const double later = both_at_once ? now : keyframe + 0.25;
  for (const std::string_view method : kKineticMethods) {
    const auto stream = detector_of(method, movers), fresh = detector_of("brute-force", movers);
    Report before = stream->detect({0, now});
    stream->replace_mesh(last, once.mover.mesh, once.mover.motion, once.maps);
    fresh->replace_mesh(last, once.mover.mesh, once.mover.motion);
    if (!both_at_once) {
      expect_as_fresh({now, last, before, stream->detect({now, keyframe}), fresh->detect({now, keyframe})});
      before = stream->detect({keyframe, later});
    }
    stream->replace_mesh(last, twice.mover.mesh, twice.mover.motion, twice.maps);
    fresh->replace_mesh(last, twice.mover.mesh, twice.mover.motion);
    expect_as_fresh({later, last, before, stream->detect({later, 3}), fresh->detect({later, 3})});
  }
}

// ---- single cases ----

// Two soups in a cloud, and a body beside them.
TEST(KineticStream, AReplacedMeshLeavesOtherBodiesAlone) {
  Dice dice(6);
  std::vector<Mover> movers;
  for (int i = 0; i < 2; ++i) movers.push_back(thrown(dice, loose_soup(dice, 200, 1, 0.2), 2, 0.2, Vec3::Zero()));
  const Mover aside = thrown(dice, crumpled_sheet(dice, 8, 0.02), 2, 0.01, Vec3(0, 0, 0.01));
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<Vec3> x(aside.motion.frame(k).positions().begin(), aside.motion.frame(k).positions().end());
    for (Vec3& p : x) p.x() += 100;
    frames.push_back(Frame::own(std::move(x)));
  }
  movers.push_back({aside.mesh, Motion::keyframes(std::move(frames))});
  const EditedMover patched = edited(dice, movers[2], 1, 5);
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers, {.self = false});
    const Report before = detector->detect({0, 0.5});
    detector->replace_mesh(BodyId(2), patched.mover.mesh, patched.mover.motion, patched.maps);
    const Report after = detector->detect({0.5, 1});
    Report both = before;
    append(both, after);
    EXPECT_EQ(contacts_hash(both), contacts_hash(detector_of(method, movers, {.self = false})->detect({0, 1})));
    EXPECT_EQ(after.counters["replans"], 1u) << method;
    if (method == "kinetic") {
      EXPECT_EQ(after.counters["pair_tests"], 0u);  // all were decided at the start
    }
  }
}

Mover falling_soup(Dice& dice, double distance) {
  return thrown(dice, loose_soup(dice, 200, 1, 0.2), 6, 0, Vec3(0, 0, -distance));
}

TEST(KineticStream, MemoryReturnsAfterSeparation) {
  Dice dice(3);
  // Two clouds that fly through each other and away.
  const MeshPtr a = loose_soup(dice, 300, 1, 0.1), b = loose_soup(dice, 300, 1, 0.1);
  const auto carried = [](const MeshPtr& mesh, double from, double to) {
    std::vector<Vec3> x = positions_of(*mesh), y = x;
    for (Vec3& p : x) p.z() += from;
    for (Vec3& p : y) p.z() += to;
    std::vector<Frame> frames;
    for (int k = 0; k <= 8; ++k) {
      std::vector<Vec3> z(x.size());
      for (std::size_t v = 0; v < z.size(); ++v) z[v] = x[v] + (y[v] - x[v]) * (k / 8.0);
      frames.push_back(Frame::own(std::move(z)));
    }
    return Motion::keyframes(std::move(frames));
  };
  DetectorSettings settings;
  settings.self = false;
  for (const std::string_view method : kKineticMethods) {
    const auto detector = make_detector(method, settings);
    detector->add_body(a, carried(a, 6, -6));
    detector->add_body(b, carried(b, -6, 6));
    const Report before = detector->detect({0, 1});
    const Report during = detector->detect({3, 5});
    const Report after = detector->detect({7, 8});
    EXPECT_GT(during.contacts.size(), 100u) << method;
    EXPECT_GT(during.counters["list_size"], 500u) << method;
    EXPECT_EQ(after.counters["list_size"], before.counters["list_size"]) << method;
    EXPECT_LE(after.counters["bytes"], before.counters["bytes"]) << method;
  }
}

TEST(KineticStream, ATranslatedMeshHasNoEventsAndNoContacts) {
  Dice dice(4);
  const MeshPtr sheet = crumpled_sheet(dice, 12, 0.001);
  std::vector<Vec3> x = positions_of(*sheet);
  for (Vec3& p : x) p = (p * 0x1p20).array().round().matrix() * 0x1p-20;  // sums below are then exact
  const MeshPtr exact = std::make_shared<const TriangleMesh>(
      x, std::vector<Triangle>(sheet->triangles().begin(), sheet->triangles().end()));
  const Mover mover = thrown(dice, exact, 4, 0, Vec3(3, -2, 1));
  const auto detector = detector_of("kinetic-events", {mover});
  const Report report = detector->detect({0, 3});
  EXPECT_TRUE(report.contacts.empty());
  for (const char* kind :
       {"leaf_events", "tree_events", "overlap_events", "fathers_apart_events", "leaves_apart_events"})
    EXPECT_EQ(report.counters[kind], 0u) << kind;
}

TEST(KineticStream, StartsAfreshWhenAskedToOrWhenTimeGoesBack) {
  Dice dice(8);
  const std::vector<Mover> movers{falling_soup(dice, 0),
                                  thrown(dice, loose_soup(dice, 200, 1, 0.2), 6, 0.1, Vec3::Zero())};
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers);
    const Report first = detector->detect({0, 0.5});
    detector->detect({0.5, 0.75});
    EXPECT_EQ(hash_of(detector->detect({0, 0.5})), hash_of(first)) << method;
    const Report next = detector->detect({0.5, 1});
    detector->reset(0);
    EXPECT_EQ(hash_of(detector->detect({0, 0.5})), hash_of(first)) << method;
    EXPECT_EQ(hash_of(detector->detect({0.5, 1})), hash_of(next)) << method;
    EXPECT_EQ(detector->collides({0, 1}), true) << method;
    EXPECT_EQ(hash_of(detector->detect({0, 0.5})), hash_of(first)) << method;
  }
}

TEST(KineticStream, DoesItsWorkOnceASegment) {
  Dice dice(9);
  const std::vector<Mover> movers{thrown(dice, crumpled_sheet(dice, 20, 0.01), 3, 0.02, Vec3::Zero())};
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, movers);
    const Report cut = detect_in_cuts(*detector, 0, 2, 50);
    EXPECT_EQ(cut.counters["segments"], 2u) << method;
    EXPECT_EQ(cut.counters["pair_tests"], detector_of(method, movers)->detect({0, 2}).counters["pair_tests"]) << method;
  }
}

}  // namespace
}  // namespace pliant::testing
