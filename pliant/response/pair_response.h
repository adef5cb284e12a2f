// What answers the contacts of pairs that are not proved free. Internal: programs choose a kind by ResponseSettings.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/detect/contact.h"
#include "pliant/response/impact.h"
#include "pliant/response/response.h"

namespace pliant {

class DenseStep;
struct FlatStep;
struct Step;

// A point of a surface, as the vertices of its body carry it: it is one of them, or hangs on three.
struct CarriedPoint {
  Vec3 x = Vec3::Zero();
  Vec3 normal = Vec3::Zero();          // of the surface there, outward; zero if it has no outside
  std::array<std::uint32_t, 3> row{};  // of the step
  std::array<double, 3> weight{};      // sum 1
};

// What of a body a region is. Its points, or the vertex next to it, as a response asks for (Response::takes_spheres).
struct RegionSide {
  std::vector<CarriedPoint> points;  // some of its vertices
  double part = 1;                   // of its vertices that they are
  std::uint32_t nearest = 0;         // row of the vertex of the body next to the middle of its sphere
};

// Two regions that overlap, or were not found apart.
struct RegionOverlap {
  Contact contact;              // point, normal and depth are those of the spheres
  Vec3 way_out = Vec3::Zero();  // of their points, how a leaves b (least_overlap.h); not looked at: zero
  const RegionSide* a = nullptr;
  const RegionSide* b = nullptr;
  double size = 0;  // m, of both spheres together, the sum of their radii
};

// What intersects at an instant: contacts of features, and pairs of regions where a search was cut short.
struct FoundAtInstant {
  std::span<const Contact> contacts;
  std::span<const RegionOverlap> regions;
};

// Forces of what intersected at one instant, for the short steps until the next search: these can be much shorter than
// what comes nearer needs.
class ContactForces {
 public:
  virtual ~ContactForces() = default;
  // At the start of a short step (x_t0, with the velocities v_t1 there): adds to `forces` (N, one for each row of the
  // step), which act on the bodies while they are predicted.
  virtual void add(const FlatStep& flat, std::span<Vec3> forces) = 0;
  // Contacts that did something, with what they did in all.
  virtual void add_impacts(std::vector<Impact>& impacts) const = 0;
};

// A way to answer contacts without a proof, one short step after the other. Order of contacts does not matter: what
// several of them do to a vertex is added up.
class Response {
 public:
  virtual ~Response() = default;
  // From what intersects at the start of a short step. Null if it adds none.
  virtual std::unique_ptr<ContactForces> forces(const Step& step, const FlatStep& flat,
                                                const FoundAtInstant& found) const;
  // From what intersects at its end: changes x_t1 and v_t1.
  virtual void move_ends(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                         std::vector<Impact>& impacts) const;
  // From what meets on the way from x_t0 to x_t1, in order of time: changes x_t1 and v_t1, before move_ends().
  virtual void move_paths(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                          std::vector<Impact>& impacts) const;
  // The same where some bodies are looked at by dense surfaces: contacts are those of the dense step, made of `flat` as
  // it is; the rows of `flat` are those of the bodies themselves.
  virtual void move_dense_ends(const DenseStep& dense, FlatStep& flat, std::span<const Contact> contacts,
                               std::vector<Impact>& impacts) const;
  virtual void move_dense_paths(const DenseStep& dense, FlatStep& flat, std::span<const Contact> contacts,
                                std::vector<Impact>& impacts) const;
  // Which of these it does; what is not done needs no search.
  virtual bool adds_forces() const { return false; }
  // Of pairs of regions: whether it takes them as spheres, and not for what is in them.
  virtual bool takes_spheres() const { return false; }
  virtual bool moves_ends() const { return false; }
  virtual bool follows_paths() const { return false; }
  // Whether move_ends() is also given the vertices of bodies that lie inside others as a whole: vertex-face contacts
  // whose depth is how far to go, up to an edge.
  virtual bool looks_inside() const { return false; }
  virtual bool once_per_step() const { return false; }  // one search per step of the world
  // Contacts that the step is going to have act within it (foreseen_contacts.h); ends are looked at where it ends.
  virtual bool foresees() const { return false; }
  virtual int passes() const { return 1; }  // how often ends are looked at and moved, at most
};

// Null for `proof`, which is not of this kind.
std::unique_ptr<Response> make_response(const ResponseSettings& settings);

}  // namespace pliant
