#include "pliant/detect/first_overlaps.h"

#include <algorithm>

#include "pliant/core/disjoint_sets.h"
#include "pliant/detect/ordered_hits.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

constexpr std::size_t kContactsPerPoll = 256;

}  // namespace

FirstOverlaps::Corners FirstOverlaps::corners(const Feature& feature) const {
  const TriangleMesh& mesh = *meshes_[feature.body.index()];
  Corners corners;
  const auto add = [&](VertexId v) { corners.vertex[corners.count++] = mesh.welded(v).value; };
  if (feature.kind == FeatureKind::vertex) add(VertexId(feature.id));
  if (feature.kind == FeatureKind::edge)
    for (const VertexId v : mesh.topology().edge(EdgeId(feature.id))) add(v);
  if (feature.kind == FeatureKind::face)
    for (const VertexId v : mesh.triangles()[feature.id]) add(v);
  return corners;
}

template <class Visit>
void FirstOverlaps::each_place(const Contact& contact, const Visit& visit) const {
  const bool in_order = contact.a.body <= contact.b.body;
  const Feature& first = in_order ? contact.a : contact.b;
  const Feature& second = in_order ? contact.b : contact.a;
  const Corners of_first = corners(first), of_second = corners(second);
  for (std::size_t i = 0; i < of_first.count; ++i)
    for (std::size_t j = 0; j < of_second.count; ++j) {
      const std::uint32_t a = of_first.vertex[i], b = of_second.vertex[j];
      const bool swap = first.body == second.body && b < a;
      visit(Place{first.body.value, second.body.value, swap ? b : a, swap ? a : b});
    }
}

// False if the budget ran out.
bool FirstOverlaps::append_places(std::span<const Contact> contacts, const std::vector<bool>* wanted,
                                  BudgetState& state) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (i % kContactsPerPoll == 0 && state.is_late()) return false;
    if (wanted && !(*wanted)[i]) continue;
    std::vector<Place>& places = contacts[i].relation == Relation::near ? near_ : touching_;
    each_place(contacts[i], [&](const Place& place) { places.push_back(place); });
  }
  return true;
}

bool FirstOverlaps::begin(std::span<const Contact> at_start, const Budget& budget) {
  BudgetState state(budget);
  return append_places(at_start, nullptr, state);
}

// Contacts that have places in common. Set 0 is what began at the start; the others are contacts, by number.
class FirstOverlaps::Chains {
 public:
  explicit Chains(std::size_t contacts) : sets_(1 + contacts) {}

  void add(const Place& place, std::size_t set) {
    block_.push_back({place, static_cast<std::uint32_t>(set)});
    if (block_.size() == kBlock) entries_.add(std::exchange(block_, {}));
  }
  // False if the budget ran out.
  bool join(BudgetState& state) {
    entries_.add(std::move(block_));
    if (entries_.empty()) return true;
    if (!entries_.sort({1}, state, 0)) return false;
    Entry last = entries_.next();
    for (std::size_t i = 0; !entries_.empty(); ++i) {
      if (i % kContactsPerPoll == 0 && state.is_late()) return false;
      const Entry entry = entries_.next();
      if (entry.place == last.place) sets_.unite(entry.set, last.set);
      last = entry;
    }
    return true;
  }
  bool belongs(std::size_t set) { return sets_.root(static_cast<std::uint32_t>(set)) == 0; }

 private:
  static constexpr std::size_t kBlock = 1 << 14;
  struct Entry {
    Place place;
    std::uint32_t set;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> block_;
  OrderedHits<Entry> entries_;
  DisjointSets sets_;
};

FirstOverlaps::Belongs FirstOverlaps::advance(std::span<const Contact> between, std::span<const Contact> at_end,
                                              bool keep, const Budget& budget) {
  Belongs belongs{std::vector<bool>(between.size(), false), std::vector<bool>(at_end.size(), false), true};
  if (empty()) return belongs;
  BudgetState state(budget);
  // Once of what touches alone, once of all, which decides about what is near.
  const auto follow = [&](bool near) {
    Chains chains(between.size() + at_end.size());
    std::size_t seen = 0;
    const auto is_late = [&] { return seen++ % kContactsPerPoll == 0 && state.is_late(); };
    const auto each = [&](const auto& visit) {
      for (std::size_t i = 0; i < between.size() + at_end.size(); ++i) {
        const bool first = i < between.size();
        const std::size_t place = first ? i : i - between.size();
        if (is_late()) return false;
        visit(first ? between[place] : at_end[place], 1 + i, first ? belongs.between : belongs.at_end, place);
      }
      return true;
    };
    for (const Place& place : touching_) {
      if (is_late()) return false;
      chains.add(place, 0);
    }
    for (std::size_t i = 0; near && i < near_.size(); ++i) {
      if (is_late()) return false;
      chains.add(near_[i], 0);
    }
    const bool listed = each([&](const Contact& contact, std::size_t set, std::vector<bool>&, std::size_t) {
      if (near || contact.relation != Relation::near)
        each_place(contact, [&](const Place& place) { chains.add(place, set); });
    });
    if (!listed || !chains.join(state)) return false;
    return each([&](const Contact& contact, std::size_t set, std::vector<bool>& flags, std::size_t place) {
      if (near == (contact.relation == Relation::near)) flags[place] = chains.belongs(set);
    });
  };
  const auto is_near = [](const Contact& contact) { return contact.relation == Relation::near; };
  const bool any_near =
      std::any_of(between.begin(), between.end(), is_near) || std::any_of(at_end.begin(), at_end.end(), is_near);
  belongs.complete = follow(false) && (!any_near || follow(true));
  touching_.clear();
  near_.clear();
  if (keep) belongs.complete = belongs.complete && append_places(between, &belongs.between, state);
  belongs.complete = belongs.complete && append_places(at_end, &belongs.at_end, state);
  if (!belongs.complete) {
    belongs.between.assign(between.size(), false);
    belongs.at_end.assign(at_end.size(), false);
    touching_.clear();
    near_.clear();
  }
  return belongs;
}

}  // namespace pliant
