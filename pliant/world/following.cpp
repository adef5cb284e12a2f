#include "pliant/world/following.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/bounds/closest_face.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

constexpr int kSeamRings = 2;

// Columns: along the first edge, across it in the face, normal. The identity for a face without area.
Eigen::Matrix3d frame_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a);
  const double area = normal.norm(), length = (b - a).norm();
  if (!(area > 0) || !(length > 0)) return Eigen::Matrix3d::Identity();
  Eigen::Matrix3d frame;
  frame.col(0) = (b - a) / length;
  frame.col(2) = normal / area;
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

// By vertex: whether it lies within so many edges of a pin.
std::vector<bool> seam_vertices(const std::vector<VertexId>& pins, const TriangleMesh& mesh) {
  std::vector<bool> in_seam(mesh.vertex_count(), false);
  for (const VertexId pin : pins) in_seam[pin.index()] = true;
  for (int ring = 0; ring < kSeamRings; ++ring) {
    const std::vector<bool> before = in_seam;
    for (const Edge& e : mesh.topology().edges())
      if (before[e[0].index()] || before[e[1].index()]) in_seam[e[0].index()] = in_seam[e[1].index()] = true;
  }
  return in_seam;
}

class SeamFilter : public ContactFilter {
 public:
  SeamFilter(const Following& following, const TriangleMesh& mesh)
      : body_(following.body), leader_(following.leader), vertex_(seam_vertices(following.pins, mesh)) {
    for (const Edge& e : mesh.topology().edges()) edge_.push_back(vertex_[e[0].index()] || vertex_[e[1].index()]);
    for (const Triangle& t : mesh.triangles())
      face_.push_back(std::any_of(t.begin(), t.end(), [&](VertexId v) { return vertex_[v.index()]; }));
  }
  bool bodies(BodyId, BodyId) const override { return true; }
  bool features(const Feature& a, const Feature& b) const override { return !is_seam(a, b) && !is_seam(b, a); }

 private:
  bool is_seam(const Feature& own, const Feature& other) const {
    if (own.body != body_ || other.body != leader_) return false;
    switch (own.kind) {
      case FeatureKind::vertex:
        return vertex_[own.id];
      case FeatureKind::edge:
        return edge_[own.id];
      case FeatureKind::face:
        return face_[own.id];
      case FeatureKind::region:
        break;
    }
    return false;
  }

  BodyId body_, leader_;
  std::vector<bool> vertex_, edge_, face_;
};

}  // namespace

FilterPtr all_but_the_seam(const Following& following, const TriangleMesh& mesh) {
  return std::make_shared<const SeamFilter>(following, mesh);
}

FollowingPins::FollowingPins(Following following, std::span<const Vec3> body, const MeshPtr& leader_mesh,
                             std::span<const Vec3> leader)
    : following_(std::move(following)) {
  const ClosestFace surface(PosedMesh(leader_mesh, leader));
  for (const VertexId pin : following_.pins) {
    const Vec3& x = body[pin.index()];
    const Triangle& t = leader_mesh->triangle(surface.find(x).face);
    const Triangle3 face{leader[t[0].index()], leader[t[1].index()], leader[t[2].index()]};
    const ClosestPoints near = closest_points(x, face);
    const Vec3 beside = frame_of(face[0], face[1], face[2]).transpose() * (x - near.b);
    ties_.push_back({{t[0], t[1], t[2]}, {near.weights_b[0], near.weights_b[1], near.weights_b[2]}, beside});
  }
}

std::vector<Vec3> FollowingPins::positions(std::span<const Vec3> leader) const {
  std::vector<Vec3> positions;
  positions.reserve(ties_.size());
  for (const Tie& tie : ties_) {
    const Vec3 &a = leader[tie.corners[0].index()], &b = leader[tie.corners[1].index()],
               &c = leader[tie.corners[2].index()];
    positions.push_back(tie.weights[0] * a + tie.weights[1] * b + tie.weights[2] * c + frame_of(a, b, c) * tie.beside);
  }
  return positions;
}

}  // namespace pliant
