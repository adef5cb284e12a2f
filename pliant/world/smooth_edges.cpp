#include "pliant/world/smooth_edges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Of the separation: by how much an edge of a sheet may come nearer to an edge of an obstacle than its ends do.
constexpr double kNearer = 0.5;

// By body; empty where there is nothing to say.
class SmoothEdges : public ContactFilter {
 public:
  SmoothEdges(std::vector<std::vector<bool>> smooth, std::vector<bool> sheets)
      : smooth_(std::move(smooth)), sheets_(std::move(sheets)) {}

  bool bodies(BodyId, BodyId) const override { return true; }
  bool features(const Feature& a, const Feature& b) const override {
    if (a.kind != FeatureKind::edge || b.kind != FeatureKind::edge) return true;
    return !(is_smooth(a) && sheets_[b.body.index()]) && !(is_smooth(b) && sheets_[a.body.index()]);
  }

 private:
  bool is_smooth(const Feature& edge) const {
    const std::vector<bool>& smooth = smooth_[edge.body.index()];
    return !smooth.empty() && smooth[edge.id];
  }

  std::vector<std::vector<bool>> smooth_;
  std::vector<bool> sheets_;
};

Vec3 unit_normal(const TriangleMesh& mesh, FaceId face) {
  const Triangle& t = mesh.triangle(face);
  const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
  const Vec3 n = (b - a).cross(c - a);
  const double length = n.norm();
  return length > 0 ? Vec3(n / length) : Vec3(Vec3::Zero());
}

// Edges between two faces that turn by less than the sine. Faces of an edge may be listed either way round.
std::vector<bool> smooth_edges(const TriangleMesh& mesh, double sine) {
  const MeshTopology& topology = mesh.topology();
  std::vector<bool> smooth(topology.edges().size(), false);
  for (std::size_t e = 0; e < smooth.size(); ++e) {
    const std::span<const FaceId> faces = topology.faces_of_edge(EdgeId(e));
    if (faces.size() != 2) continue;
    const Vec3 one = unit_normal(mesh, faces[0]), other = unit_normal(mesh, faces[1]);
    smooth[e] = one.dot(other) > 0 && one.cross(other).norm() < sine;
  }
  return smooth;
}

double longest_edge(const TriangleMesh& mesh) {
  double longest = 0;
  for (const Edge& e : mesh.topology().edges())
    longest = std::max(longest, (mesh.position(e[0]) - mesh.position(e[1])).norm());
  return longest;
}

}  // namespace

// A chord of length L across a bend of angle a, its ends on the faces, is at most L a / 4 below the bend.
FilterPtr without_smooth_edges(const WorldBodies& bodies) {
  std::vector<bool> sheets;
  double longest = 0;
  for (const WorldBody& body : bodies.all()) {
    sheets.push_back(!body.obstacle && body.model->solves_self_contacts());
    if (sheets.back()) longest = std::max(longest, longest_edge(*body.model->mesh()));
  }
  if (!(longest > 0)) return nullptr;
  const double sine = 4 * kNearer * bodies.separation() / longest;
  std::vector<std::vector<bool>> smooth;
  for (const WorldBody& body : bodies.all()) {
    smooth.emplace_back();
    if (body.obstacle) smooth.back() = smooth_edges(*body.model->mesh(), sine);
  }
  const auto has_any = [](const std::vector<bool>& edges) {
    return std::find(edges.begin(), edges.end(), true) != edges.end();
  };
  if (std::none_of(smooth.begin(), smooth.end(), has_any)) return nullptr;
  return std::make_shared<const SmoothEdges>(std::move(smooth), std::move(sheets));
}

}  // namespace pliant
