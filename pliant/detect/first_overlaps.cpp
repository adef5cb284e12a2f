#include "pliant/detect/first_overlaps.h"

#include <algorithm>
#include <numeric>

#include "pliant/detect/feature_vertices.h"

namespace pliant {
namespace {

// Sets of numbers that can be united.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t i, std::size_t j) { parent_[find(i)] = find(j); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<std::uint32_t> FirstOverlaps::corners(const Feature& feature) const {
  const TriangleMesh& mesh = *meshes_[feature.body.index()];
  std::vector<std::uint32_t> vertices;
  for (const VertexId v : vertices_of(feature, mesh)) vertices.push_back(mesh.welded(v).value);
  return vertices;
}

void FirstOverlaps::append_places(const Contact& contact, std::vector<Place>& places) const {
  const bool in_order = contact.a.body <= contact.b.body;
  const Feature& first = in_order ? contact.a : contact.b;
  const Feature& second = in_order ? contact.b : contact.a;
  for (std::uint32_t a : corners(first))
    for (std::uint32_t b : corners(second)) {
      const bool swap = first.body == second.body && b < a;
      places.push_back({first.body.value, second.body.value, swap ? b : a, swap ? a : b});
    }
}

void FirstOverlaps::begin(std::span<const Contact> at_start) {
  for (const Contact& contact : at_start) append_places(contact, places_);
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

FirstOverlaps::Belongs FirstOverlaps::advance(std::span<const Contact> between, std::span<const Contact> at_end,
                                              bool keep) {
  Belongs belongs{std::vector<bool>(between.size(), false), std::vector<bool>(at_end.size(), false)};
  if (places_.empty()) return belongs;
  // Set 0 is what began at the start; the others are the contacts, in order.
  struct Entry {
    Place place;
    std::size_t set;
  };
  std::vector<Entry> entries;
  for (const Place& place : places_) entries.push_back({place, 0});
  std::vector<Place> own;
  const auto add = [&](const Contact& contact, std::size_t set) {
    own.clear();
    append_places(contact, own);
    for (const Place& place : own) entries.push_back({place, set});
  };
  for (std::size_t i = 0; i < between.size(); ++i) add(between[i], 1 + i);
  for (std::size_t i = 0; i < at_end.size(); ++i) add(at_end[i], 1 + between.size() + i);
  std::sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) { return x.place < y.place; });
  Sets sets(1 + between.size() + at_end.size());
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].place == entries[i - 1].place) sets.unite(entries[i].set, entries[i - 1].set);

  places_.clear();
  const auto follow = [&](std::span<const Contact> contacts, std::size_t first, std::vector<bool>& flags, bool stays) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      flags[i] = sets.find(first + i) == sets.find(0);
      if (flags[i] && stays) append_places(contacts[i], places_);
    }
  };
  follow(between, 1, belongs.between, keep);
  follow(at_end, 1 + between.size(), belongs.at_end, true);
  begin({});
  return belongs;
}

}  // namespace pliant
