// Which contacts of an animation belong to what intersected at its start, and which are new.
//
// A pinch that a garment has from the first frame on excuses neither a second one elsewhere nor one that comes after it
// has opened. So overlaps are followed as places on the surfaces: what meets later belongs to one of them if a chain of
// contacts leads there, each with a vertex of both sides in common with the next.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/detect/contact.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct OverlapSettings {
  bool keep = false;  // contacts in between count as still there at the end (features that stay near each other)
  Budget budget;      // its deadline and cancel flag
};

// Contacts that a coarse sampling in time does not connect count as new. Within one advance() all that is connected to
// an overlap is part of it, even if it parts and meets again in between.
class FirstOverlaps {
 public:
  // By BodyId.
  explicit FirstOverlaps(std::vector<MeshPtr> meshes) : meshes_(std::move(meshes)) {}

  // What meets at the start. May be called again, for further contacts then.
  void begin(std::span<const Contact> at_start, const Budget& budget = {});

  struct Belongs {
    std::vector<bool> between;  // by contact: whether it belongs to an overlap of the start
    std::vector<bool> at_end;
    bool known = true;  // false: a budget was spent, now or before, and all are called new
  };
  // The contacts since the last instant and those at the next one. Overlaps of which nothing is left are forgotten.
  Belongs advance(std::span<const Contact> between, std::span<const Contact> at_end, const OverlapSettings& how = {});

  bool empty() const { return vertex_pairs_.empty(); }

 private:
  // Two vertices that meet, by body and number; of one body the smaller first.
  struct VertexPair {
    std::uint32_t a_body = 0, b_body = 0, a = 0, b = 0;
    friend bool operator==(const VertexPair&, const VertexPair&) = default;
  };
  struct Hash {
    std::size_t operator()(const VertexPair& pair) const;
  };
  class Chains;

  template <class Visit>
  void visit_vertex_pairs(const Contact& contact, Visit&& visit) const;
  std::vector<std::uint32_t> corners(const Feature& feature) const;

  std::vector<MeshPtr> meshes_;
  std::unordered_set<VertexPair, Hash> vertex_pairs_;  // of the overlaps that are left
  bool known_ = true;
};

}  // namespace pliant
