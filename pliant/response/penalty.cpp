#include "pliant/response/penalty.h"

#include <optional>

#include "pliant/core/rigid.h"
#include "pliant/detect/feature_vertices.h"
#include "pliant/motion/embedding.h"
#include "pliant/response/least_overlap.h"
#include "pliant/response/penalty_springs.h"

namespace pliant {
namespace {

const TriangleMesh& searched_mesh(const StepBody& body) { return body.dense ? *body.dense->mesh : *body.mesh; }

Vec3 unit_normal(const std::array<Vec3, 3>& x) {
  const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
  const double length = fixed_length(normal);
  return length > 0 ? Vec3(normal / length) : Vec3::Zero();
}

// Adds what the corners of a feature hang on.
void add_side(PenaltySprings& springs, const StepBody& body, const FlatStep& flat, const FeatureVertices& of,
              double sign) {
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (!body.dense) {
      springs.add_end(flat.slot(body.id, of.vertex[i]), sign * of.weights[i]);
      continue;
    }
    const RigidLink& link = body.dense->links->links()[of.vertex[i].index()];
    const auto& triple = body.dense->links->triples()[link.triple];
    for (std::size_t k = 0; k < 3; ++k)
      springs.add_end(flat.slot(body.id, triple[k]), sign * of.weights[i] * link.weights[k]);
  }
}

// Of a triangle; nothing for other features, and where the links have collapsed.
std::optional<std::array<Vec3, 3>> corners_of(const StepBody& body, const FlatStep& flat, const FeatureVertices& of) {
  if (of.size() != 3) return std::nullopt;
  const std::span<const Vec3> own = flat.part(flat.x_t0, body.id);
  std::array<Vec3, 3> x;
  for (std::size_t i = 0; i < 3; ++i) {
    const VertexId v = of.vertex[i];
    if (!body.dense) {
      x[i] = own[v.index()];
      continue;
    }
    const RigidLinks& links = *body.dense->links;
    const std::optional<LinkFrame> frame = links.frame_at(links.links()[v.index()].triple, own);
    if (!frame) return std::nullopt;
    x[i] = links.position(v, own, *frame);
  }
  return x;
}

std::optional<Overlap> overlap_of(const Step& step, const FlatStep& flat, const Contact& contact,
                                  const FeatureVertices& a, const FeatureVertices& b) {
  const StepBody &body_a = step.bodies[contact.a.body.index()], &body_b = step.bodies[contact.b.body.index()];
  const auto x_a = corners_of(body_a, flat, a), x_b = corners_of(body_b, flat, b);
  if (!x_a || !x_b || !(body_a.has_outside || body_b.has_outside)) return Overlap{contact.normal, contact.depth};
  const std::array<Vec3, 1> out_of_a{unit_normal(*x_a)}, out_of_b{unit_normal(*x_b)};
  const auto known = [](const StepBody& body, const std::array<Vec3, 1>& way) {
    return std::span<const Vec3>(way).first(body.has_outside && !way[0].isZero(0) ? 1 : 0);
  };
  return least_overlap({*x_a, known(body_a, out_of_a)}, {*x_b, known(body_b, out_of_b)}, contact.normal);
}

// Contacts that have a depth: a mere touch needs no push.
void add_springs(const Step& step, const FlatStep& flat, std::span<const Contact> contacts, PenaltySprings& springs) {
  for (const Contact& contact : contacts) {
    if (!(contact.depth > 0) || contact.kind() == ContactKind::region_region) continue;
    const StepBody &body_a = step.bodies[contact.a.body.index()], &body_b = step.bodies[contact.b.body.index()];
    const FeatureVertices a = vertices_of(contact.a, searched_mesh(body_a), contact.wa);
    const FeatureVertices b = vertices_of(contact.b, searched_mesh(body_b), contact.wb);
    const std::optional<Overlap> overlap = overlap_of(step, flat, contact, a, b);
    if (!overlap) continue;
    springs.begin(contact, overlap->normal, overlap->depth);
    add_side(springs, body_a, flat, a, 1);
    add_side(springs, body_b, flat, b, -1);
  }
}

class PenaltyForces : public ContactForces {
 public:
  explicit PenaltyForces(const PenaltySettings& settings) : fair(settings, false), averaged(settings, true) {}
  void add(const FlatStep& flat, std::span<Vec3> forces) override {
    fair.add_forces(flat, forces);
    averaged.add_forces(flat, forces);
  }
  void add_impacts(std::vector<Impact>& impacts) const override {
    fair.add_impacts(impacts);
    averaged.add_impacts(impacts);
  }

  PenaltySprings fair, averaged;
};

}  // namespace

std::unique_ptr<ContactForces> Penalty::forces(const Step& step, const FlatStep& flat,
                                               const FoundAtInstant& found) const {
  auto forces = std::make_unique<PenaltyForces>(settings_);
  add_springs(step, flat, found.contacts, forces->fair);
  for (const RegionOverlap& pair : found.regions) {
    if (settings_.averaged) add_printed_spring(pair, forces->averaged);
    else add_region_spring(pair, forces->fair);
  }
  forces->fair.finish(step, flat);
  forces->averaged.finish(step, flat);
  return forces;
}

}  // namespace pliant
