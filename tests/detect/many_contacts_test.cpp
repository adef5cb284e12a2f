// Searches that find far more than anybody wants: ordering hits and making contacts heed the budget too.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/detect/contact_delivery.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

constexpr std::size_t kFaces = 120;
constexpr std::size_t kPairs = kFaces * (kFaces - 1) / 2;

// A clock that stands still until it is told to be late.
class FakeClock {
 public:
  Budget budget() const {
    return Budget::until(start_ + std::chrono::seconds(1)).with_clock([this] {
      return start_ + std::chrono::seconds(late_ ? 2 : 0);
    });
  }
  void be_late() { late_ = true; }

 private:
  Budget::Clock::time_point start_ = Budget::Clock::now();
  std::atomic<bool> late_{false};
};

struct CountingSink : ContactSink {
  std::size_t at = 0;  // what happens then
  std::function<void()> happens;
  std::vector<Contact> contacts;
  Flow contact(const Contact& contact) override {
    contacts.push_back(contact);
    if (contacts.size() == at) happens();
    return Flow::go_on;
  }
};

DetectorSettings unwelded(int threads = 1) {
  DetectorSettings settings;
  settings.weld = false;
  settings.threads = {threads};
  return settings;
}

std::vector<std::string> methods_for(bool still) {
  std::vector<std::string> names;
  for (const MethodInfo* method : methods())
    if (method->guarantee == "exact" && (still ? method->still : method->moving)) names.emplace_back(method->name);
  return names;
}

std::size_t certain_count(const std::vector<Contact>& contacts) {
  return static_cast<std::size_t>(std::count_if(contacts.begin(), contacts.end(),
                                                [](const Contact& c) { return c.relation != Relation::possible; }));
}

bool sorted_in_time(const std::vector<Contact>& contacts) {
  return std::is_sorted(contacts.begin(), contacts.end(),
                        [](const Contact& x, const Contact& y) { return x.time < y.time; });
}

// One query of a body that meets itself everywhere: still, or moving as a whole.
struct Query {
  std::string method;
  bool still;
  Report run(const Budget& budget, ContactSink* sink = nullptr, int threads = 1) const {
    detector = make_detector(method, unwelded(threads));
    const MeshPtr mesh = equal_faces(still ? kFaces : kFaces / 4);
    if (still) {
      detector->add_body(mesh);
      return detector->detect(Interval::instant(0), budget, sink);
    }
    std::vector<Vec3> end = positions_of(*mesh);
    for (Vec3& p : end) p.z() += 1;
    detector->add_body(mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(std::move(end))));
    return detector->detect({0, 1}, budget, sink);
  }
  mutable std::unique_ptr<Detector> detector;
};

template <class Visit>
void each_query(const Visit& visit) {
  for (const bool still : {true, false})
    for (const std::string& method : methods_for(still)) {
      SCOPED_TRACE(method + (still ? ", still" : ", moving"));
      visit(Query{method, still, nullptr});
    }
}

void expect_honest(const Query& query, const Report& report, const std::vector<Contact>& contacts, StopReason reason) {
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.stopped_by, reason);
  EXPECT_EQ(report.guarantee, Guarantee::conservative);
  EXPECT_TRUE(sorted_in_time(contacts));
  // What is not there is covered by the whole body.
  const auto whole = std::find_if(contacts.begin(), contacts.end(),
                                  [](const Contact& c) { return c.kind() == ContactKind::region_region; });
  ASSERT_NE(whole, contacts.end());
  EXPECT_EQ(query.detector->region(whole->a.body, whole->a.id).faces.size(),
            query.detector->body(whole->a.body).mesh->face_count());
  EXPECT_GE(report.bound, std::sqrt(2.0));
}

TEST(ManyContacts, AllOfThemComeInOrderWithoutALimit) {
  each_query([](const Query& query) {
    const Report one = query.run({}), two = query.run({}, nullptr, 2);
    EXPECT_TRUE(one.complete);
    EXPECT_EQ(one.stopped_by, StopReason::none);
    EXPECT_TRUE(std::is_sorted(one.contacts.begin(), one.contacts.end(), earlier));
    EXPECT_EQ(hash_of(one), hash_of(two));
    if (query.still) {
      EXPECT_EQ(one.contacts.size(), kPairs);
    }
    EXPECT_GT(one.contacts.size(), 4 * ContactDelivery::kAtLeast);
  });
}

TEST(ManyContacts, ADeadlineThatPassesAfterTheSearchEndsIt) {
  each_query([](const Query& query) {
    FakeClock clock;
    const Budget budget = clock.budget().with_progress([&](double fraction) {
      if (fraction == 1) clock.be_late();
    });
    const Report report = query.run(budget);
    expect_honest(query, report, report.contacts, StopReason::deadline);
    EXPECT_GE(certain_count(report.contacts), 1u);
    EXPECT_LE(certain_count(report.contacts), 2 * ContactDelivery::kAtLeast);
  });
}

TEST(ManyContacts, CancellingInTheMiddleOfDeliveryEndsIt) {
  each_query([](const Query& query) {
    std::atomic<bool> cancel{false};
    CountingSink sink;
    sink.at = 700;
    sink.happens = [&] { cancel = true; };
    const Report report = query.run(Budget::cancelled_by(cancel), &sink);
    expect_honest(query, report, sink.contacts, StopReason::cancelled);
    EXPECT_LE(sink.contacts.size(), 700u + 2 * ContactDelivery::kAtLeast);
    EXPECT_GT(report.counters["contacts_left_out"], 0u);
  });
}

TEST(ManyContacts, AMemoryLimitHoldsForTheContactsOfAReport) {
  each_query([](const Query& query) {
    const Report all = query.run({});
    // Enough for what the search holds, not for a report of all.
    const std::uint64_t limit = all.contacts.size() * sizeof(Contact) * 3 / 4;
    const Report report = query.run(Budget::memory(limit));
    expect_honest(query, report, report.contacts, StopReason::memory);
    EXPECT_LE(report.contacts.size() * sizeof(Contact), limit + 2 * ContactDelivery::kAtLeast * sizeof(Contact));
    CountingSink sink;
    EXPECT_TRUE(query.run(Budget::memory(limit), &sink).complete);
    EXPECT_EQ(sink.contacts.size(), all.contacts.size());
  });
}

TEST(ManyContacts, MakingContactsIsNoOperation) {
  each_query([](const Query& query) {
    const Report all = query.run({});
    const Report enough = query.run(Budget::operations(1'000'000));
    EXPECT_EQ(hash_of(all), hash_of(enough));
    const Report one = query.run(Budget::operations(200)), two = query.run(Budget::operations(200), nullptr, 2);
    EXPECT_EQ(one.stopped_by, StopReason::operations);
    EXPECT_EQ(hash_of(one), hash_of(two));
  });
}

// ---- the parts ----

RC_GTEST_PROP(OrderedHits, AreInOrderHoweverTheyCame, (std::vector<std::vector<std::uint16_t>> blocks, bool long_one)) {
  std::vector<std::uint32_t> expected;
  OrderedHits<std::uint32_t> hits;
  std::uint32_t unique = 0;
  if (long_one) blocks.emplace_back(std::size_t{50'000}, std::uint16_t{3});
  for (const auto& block : blocks) {
    std::vector<std::uint32_t> all;
    for (const std::uint16_t x : block) all.push_back((std::uint32_t{x} << 16) ^ (unique++ * 40503u & 0xffffu));
    expected.insert(expected.end(), all.begin(), all.end());
    hits.add(std::move(all));
  }
  std::sort(expected.begin(), expected.end());
  BudgetState state{Budget{}};
  RC_ASSERT(hits.size() == expected.size());
  RC_ASSERT(hits.sort({2}, state, 0));
  for (const std::uint32_t next : expected) RC_ASSERT(hits.next() == next);
  RC_ASSERT(hits.empty());
}

TEST(OrderedHits, KeepAFewWhenItIsTooLate) {
  const std::atomic<bool> cancel{true};
  BudgetState state{Budget::cancelled_by(cancel)};
  OrderedHits<int> few, many;
  few.add({3, 1, 2});
  EXPECT_TRUE(few.sort({1}, state, 5));
  EXPECT_EQ(few.next(), 1);
  many.add({3, 1, 2, 9, 8, 7, 6});
  EXPECT_FALSE(many.sort({1}, state, 2));
  EXPECT_EQ(many.size(), 2u);
  EXPECT_EQ(many.next(), 1);
  EXPECT_EQ(many.next(), 3);
}

}  // namespace
}  // namespace pliant::testing
