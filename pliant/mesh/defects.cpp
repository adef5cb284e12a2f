#include "pliant/mesh/defects.h"

#include <algorithm>
#include <numeric>

#include "pliant/geometry/predicates.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// The mesh as the report looks at it: indices as given, or welded.
struct View {
  const TriangleMesh& mesh;
  const MeshTopology& topology;
  std::span<const Triangle> triangles;
  DefectSettings settings;
};

// Where is_defect(0) ... is_defect(count - 1) hold; place(i) names a place.
template <class Place, class Name, class IsDefect>
Found<Place> find_places(std::size_t count, std::size_t most_places, Name&& place, IsDefect&& is_defect) {
  Found<Place> found;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_defect(i)) continue;
    if (found.count++ < most_places) found.first.push_back(place(i));
  }
  return found;
}

template <class IsDefect>
Found<Edge> find_edges(const View& view, IsDefect&& is_defect) {
  const auto edges = view.topology.edges();
  return find_places<Edge>(
      edges.size(), view.settings.places, [&](std::size_t e) { return edges[e]; },
      [&](std::size_t e) { return is_defect(edges[e], view.topology.faces_of_edge(EdgeId(e))); });
}

template <class IsDefect>
Found<VertexId> find_vertices(const View& view, IsDefect&& is_defect) {
  return find_places<VertexId>(
      view.mesh.vertex_count(), view.settings.places, [](std::size_t v) { return VertexId(v); },
      [&](std::size_t v) { return is_defect(VertexId(v)); });
}

template <class IsDefect>
Found<FaceId> find_faces(const View& view, IsDefect&& is_defect) {
  return find_places<FaceId>(
      view.triangles.size(), view.settings.places, [](std::size_t f) { return FaceId(f); },
      [&](std::size_t f) { return is_defect(FaceId(f), view.triangles[f]); });
}

bool repeats_index(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// True if `t` runs along the edge from its smaller to its larger end.
bool runs_upward(const Triangle& t, const Edge& edge) {
  for (std::size_t i = 0; i < 3; ++i)
    if (t[i] == edge[0] && t[(i + 1) % 3] == edge[1]) return true;
  return false;
}

Found<Edge> find_flipped_edges(const View& view) {
  return find_edges(view, [&](const Edge& edge, std::span<const FaceId> faces) {
    if (faces.size() != 2) return false;
    const Triangle &a = view.triangles[faces[0].index()], &b = view.triangles[faces[1].index()];
    return !repeats_index(a) && !repeats_index(b) && runs_upward(a, edge) == runs_upward(b, edge);
  });
}

// How many groups the faces around v form when those that share an edge at v are one group.
std::size_t fan_count(const MeshTopology& topology, VertexId v) {
  const auto faces = topology.faces_of_vertex(v);
  std::vector<std::size_t> group(faces.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  const auto group_of = [&](FaceId f) {
    return root(static_cast<std::size_t>(std::lower_bound(faces.begin(), faces.end(), f) - faces.begin()));
  };
  std::size_t groups = faces.size();
  for (const EdgeId e : topology.edges_of_vertex(v)) {
    const auto around = topology.faces_of_edge(e);
    for (std::size_t i = 1; i < around.size(); ++i) {
      const std::size_t a = group_of(around[0]), b = group_of(around[i]);
      if (a == b) continue;
      group[std::max(a, b)] = std::min(a, b);
      --groups;
    }
  }
  return groups;
}

// With welding, a vertex on no face is unreferenced only if no vertex at its place is on a face.
Found<VertexId> find_unreferenced_vertices(const View& view) {
  return find_vertices(view, [&](VertexId v) {
    const bool welded_away = view.settings.welded && view.mesh.welded(v) != v;
    return !welded_away && view.topology.faces_of_vertex(v).empty();
  });
}

Found<FaceId> find_zero_area_faces(const View& view) {
  return find_faces(view, [&](FaceId, const Triangle& t) {
    return !repeats_index(t) && collinear(view.mesh.position(t[0]), view.mesh.position(t[1]), view.mesh.position(t[2]));
  });
}

// Faces whose corners, sorted, occurred before.
Found<FaceId> find_duplicate_faces(const View& view) {
  std::vector<std::pair<Triangle, FaceId>> sorted;
  sorted.reserve(view.triangles.size());
  for (std::size_t f = 0; f < view.triangles.size(); ++f) {
    sorted.emplace_back(view.triangles[f], FaceId(f));
    std::sort(sorted[f].first.begin(), sorted[f].first.end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<bool> is_copy(view.triangles.size(), false);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    is_copy[sorted[i].second.index()] = sorted[i].first == sorted[i - 1].first;
  return find_faces(view, [&](FaceId f, const Triangle&) { return is_copy[f.index()]; });
}

DefectReport report_on(const View& view) {
  return {
      .boundary_edges = find_edges(view, [](const Edge&, auto faces) { return faces.size() == 1; }),
      .nonmanifold_edges = find_edges(view, [](const Edge&, auto faces) { return faces.size() > 2; }),
      .flipped_edges = find_flipped_edges(view),
      .nonmanifold_vertices = find_vertices(view, [&](VertexId v) { return fan_count(view.topology, v) > 1; }),
      .unreferenced_vertices = find_unreferenced_vertices(view),
      .duplicate_vertices = find_vertices(view, [&](VertexId v) { return view.mesh.welded(v) != v; }),
      .repeated_index_faces = find_faces(view, [](FaceId, const Triangle& t) { return repeats_index(t); }),
      .zero_area_faces = find_zero_area_faces(view),
      .duplicate_faces = find_duplicate_faces(view),
      .components = view.topology.component_count(),
      .faces = view.triangles.size(),
  };
}

std::vector<Triangle> welded_triangles(const TriangleMesh& mesh) {
  std::vector<Triangle> triangles(mesh.triangles().begin(), mesh.triangles().end());
  for (Triangle& t : triangles)
    for (VertexId& v : t) v = mesh.welded(v);
  return triangles;
}

}  // namespace

bool DefectReport::closed() const {
  return faces > 0 && boundary_edges.count == 0 && nonmanifold_edges.count == 0 && flipped_edges.count == 0;
}

DefectReport find_defects(const TriangleMesh& mesh, const DefectSettings& settings) {
  if (!settings.welded || mesh.weld_copies().empty())
    return report_on({mesh, mesh.topology(), mesh.triangles(), settings});
  const std::vector<Triangle> triangles = welded_triangles(mesh);
  const MeshTopology topology(mesh.vertex_count(), triangles);
  return report_on({mesh, topology, triangles, settings});
}

}  // namespace pliant
