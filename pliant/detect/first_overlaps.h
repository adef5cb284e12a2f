// Which contacts of an animation belong to what intersected at its start, and which are new.
//
// A pinch that a garment has from the first frame on excuses neither a second one elsewhere nor one that comes after it
// has opened. So overlaps are followed as places on the surfaces: what meets later belongs to one of them if a chain of
// contacts leads there, each with a vertex of both sides in common with the next. Nearness (Relation::near) excuses
// nearness only: a chain that leads to something that touches has nothing in it that is merely near.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/detect/contact.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Contacts that a coarse sampling in time does not connect count as new. Within one advance() all that is connected to
// an overlap is part of it, even if it parts and meets again in between.
class FirstOverlaps {
 public:
  // By BodyId.
  explicit FirstOverlaps(std::vector<MeshPtr> meshes) : meshes_(std::move(meshes)) {}

  // What meets at the start. May be called again, for further contacts then. False if the budget ran out: they are then
  // not known, and what belongs to them counts as new.
  bool begin(std::span<const Contact> at_start, const Budget& budget = {});

  struct Belongs {
    std::vector<bool> between;  // by contact: whether it belongs to an overlap of the start
    std::vector<bool> at_end;
    bool complete = true;  // false: the budget ran out, and all counts as new from here on
  };
  // The contacts since the last instant and those at the next one. Overlaps of which nothing is left are forgotten.
  // `keep`: contacts in between count as still there at the end (features that stay near each other).
  Belongs advance(std::span<const Contact> between, std::span<const Contact> at_end, bool keep = false,
                  const Budget& budget = {});

  bool empty() const { return touching_.empty() && near_.empty(); }

 private:
  // Two vertices that meet, by body and number; of one body the smaller first.
  struct Place {
    std::uint32_t a_body = 0, b_body = 0, a = 0, b = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Corners {
    std::array<std::uint32_t, 3> vertex{};
    std::size_t count = 0;
  };
  class Chains;

  template <class Visit>
  void each_place(const Contact& contact, const Visit& visit) const;
  Corners corners(const Feature& feature) const;
  bool append_places(std::span<const Contact> contacts, const std::vector<bool>* wanted, BudgetState& state);

  std::vector<MeshPtr> meshes_;
  // Of the overlaps that are left; some several times.
  std::vector<Place> touching_;
  std::vector<Place> near_;
};

}  // namespace pliant
