#include "pliant/check/first_overlaps.h"

#include <algorithm>
#include <unordered_map>

#include "pliant/core/budget_poll.h"
#include "pliant/core/disjoint_sets.h"
#include "pliant/detect/feature_vertices.h"

namespace pliant {

std::size_t FirstOverlaps::Hash::operator()(const VertexPair& pair) const {
  const auto word = [](std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; };
  std::uint64_t h = word(pair.a, pair.b) * 0x9e3779b97f4a7c15u;
  h = (h ^ h >> 29 ^ word(pair.a_body, pair.b_body)) * 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}

std::vector<std::uint32_t> FirstOverlaps::corners(const Feature& feature) const {
  const TriangleMesh& mesh = *meshes_[feature.body.index()];
  std::vector<std::uint32_t> vertices;
  for (const VertexId v : vertices_of(feature, mesh)) vertices.push_back(mesh.welded(v).value);
  return vertices;
}

template <class Visit>
void FirstOverlaps::visit_vertex_pairs(const Contact& contact, Visit&& visit) const {
  const bool in_order = contact.a.body <= contact.b.body;
  const Feature& first = in_order ? contact.a : contact.b;
  const Feature& second = in_order ? contact.b : contact.a;
  const std::vector<std::uint32_t> second_corners = corners(second);
  for (const std::uint32_t a : corners(first))
    for (const std::uint32_t b : second_corners) {
      const bool swap = first.body == second.body && b < a;
      visit(VertexPair{first.body.value, second.body.value, swap ? b : a, swap ? a : b});
    }
}

void FirstOverlaps::begin(std::span<const Contact> at_start, const Budget& budget) {
  BudgetPoll poll(budget);
  for (const Contact& contact : at_start) {
    known_ = known_ && !poll.spent();
    if (!known_) return;
    visit_vertex_pairs(contact, [&](const VertexPair& pair) { vertex_pairs_.insert(pair); });
  }
}

// Joins contacts by the vertex pairs they have in common. Set 0 is what began at the start; the others are the
// contacts. A table, not a sorted list: many contacts share few of them, and it can stop at any contact.
class FirstOverlaps::Chains {
 public:
  Chains(const FirstOverlaps& overlaps, std::size_t contacts) : overlaps_(overlaps), sets_(1 + contacts) {
    for (const VertexPair& pair : overlaps.vertex_pairs_) set_of_.emplace(pair, 0);
  }
  bool add(std::span<const Contact> contacts, std::size_t first, BudgetPoll& poll) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (poll.spent()) return false;
      const auto set = static_cast<std::uint32_t>(first + i);
      overlaps_.visit_vertex_pairs(contacts[i], [&](const VertexPair& pair) {
        const auto [entry, is_new] = set_of_.try_emplace(pair, set);
        if (!is_new) sets_.unite(entry->second, set);
      });
    }
    return true;
  }
  bool is_from_start(std::size_t set) { return sets_.root(static_cast<std::uint32_t>(set)) == 0; }

 private:
  const FirstOverlaps& overlaps_;
  DisjointSets sets_;
  std::unordered_map<VertexPair, std::uint32_t, Hash> set_of_;
};

FirstOverlaps::Belongs FirstOverlaps::advance(std::span<const Contact> between, std::span<const Contact> at_end,
                                              const OverlapSettings& how) {
  Belongs belongs{std::vector<bool>(between.size(), false), std::vector<bool>(at_end.size(), false), known_};
  if (!known_ || vertex_pairs_.empty()) return belongs;
  BudgetPoll poll(how.budget);
  Chains chains(*this, between.size() + at_end.size());
  known_ = chains.add(between, 1, poll) && chains.add(at_end, 1 + between.size(), poll);
  belongs.known = known_;
  if (!known_) return belongs;

  vertex_pairs_.clear();
  const auto follow = [&](std::span<const Contact> contacts, std::size_t first, std::vector<bool>& flags, bool stays) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      flags[i] = chains.is_from_start(first + i);
      if (flags[i] && stays)
        visit_vertex_pairs(contacts[i], [&](const VertexPair& pair) { vertex_pairs_.insert(pair); });
    }
  };
  follow(between, 1, belongs.between, how.keep);
  follow(at_end, 1 + between.size(), belongs.at_end, true);
  return belongs;
}

}  // namespace pliant
