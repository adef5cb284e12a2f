// What answers the contacts of pairs that are not proved free. Internal: programs choose a kind by ResponseSettings.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/detect/contact.h"
#include "pliant/response/impact.h"
#include "pliant/response/response.h"

namespace pliant {

struct FlatStep;
struct Step;

// Two regions that overlap, or were not found apart, and what of the bodies they push.
struct RegionOverlap {
  Contact contact;          // its depth is that of the spheres
  std::vector<VertexId> a;  // some vertices next to each region
  std::vector<VertexId> b;
  double size = 0;  // m, sum of the radii
};

// A way to answer contacts without a proof, one short step after the other. Order of contacts does not matter: what
// several of them do to a vertex is added up.
class Response {
 public:
  virtual ~Response() = default;
  // From what intersects at the start of a short step (x_t0, with the velocities v_t1 there): adds to `forces` (N, one
  // for each row of the step), which act on the bodies while they are predicted. Contacts that did something are added
  // to `impacts`.
  virtual void add_forces(const Step& step, const FlatStep& flat, std::span<const Contact> contacts,
                          std::span<Vec3> forces, std::vector<Impact>& impacts) const;
  // The same from regions.
  virtual void add_region_forces(const Step& step, const FlatStep& flat, std::span<const RegionOverlap> regions,
                                 std::span<Vec3> forces, std::vector<Impact>& impacts) const;
  // From what intersects at its end: changes x_t1 and v_t1.
  virtual void move_ends(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                         std::vector<Impact>& impacts) const;
  // From what meets on the way from x_t0 to x_t1, in order of time: changes x_t1 and v_t1, before move_ends().
  virtual void move_paths(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                          std::vector<Impact>& impacts) const;
  // Which of these it does; what is not done needs no search.
  virtual bool adds_forces() const { return false; }
  virtual bool moves_ends() const { return false; }
  virtual bool follows_paths() const { return false; }
  // Whether move_ends() is also given the vertices of bodies that lie inside others as a whole: vertex-face contacts
  // whose depth is how far to go, up to an edge.
  virtual bool looks_inside() const { return false; }
  virtual bool once_per_step() const { return false; }  // short steps are as long as the world's
  virtual int passes() const { return 1; }              // how often ends are looked at and moved, at most
};

// Null for `proof`, which is not of this kind.
std::unique_ptr<Response> make_response(const ResponseSettings& settings);

}  // namespace pliant
