#include "pliant/mesh/topology.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/mesh/random_soup.h"

namespace pliant {
namespace {

using testing::random_soup;

Edge sorted_edge(VertexId a, VertexId b) { return {std::min(a, b), std::max(a, b)}; }

Edge edge_opposite(const Triangle& t, std::size_t corner) {
  return sorted_edge(t[(corner + 1) % 3], t[(corner + 2) % 3]);
}

bool has_corner(const Triangle& t, VertexId v) { return std::find(t.begin(), t.end(), v) != t.end(); }

template <class T>
std::vector<T> copied(std::span<const T> span) {
  return {span.begin(), span.end()};
}

RC_GTEST_PROP(MeshTopology, ListsEveryEdgeOnceInAscendingOrder, ()) {
  const auto soup = random_soup();
  const MeshTopology topology(soup.vertex_count, soup.triangles);
  std::set<Edge> expected;
  for (const Triangle& t : soup.triangles)
    for (std::size_t i = 0; i < 3; ++i) expected.insert(edge_opposite(t, i));
  RC_ASSERT(copied(topology.edges()) == std::vector<Edge>(expected.begin(), expected.end()));
}

RC_GTEST_PROP(MeshTopology, FaceEdgesAreOppositeToTheirCorners, ()) {
  const auto soup = random_soup();
  const MeshTopology topology(soup.vertex_count, soup.triangles);
  for (std::size_t f = 0; f < soup.triangles.size(); ++f)
    for (std::size_t i = 0; i < 3; ++i)
      RC_ASSERT(topology.edge(topology.face_edges(FaceId(f))[i]) == edge_opposite(soup.triangles[f], i));
}

RC_GTEST_PROP(MeshTopology, AdjacencyEqualsASearchOverAllFaces, ()) {
  const auto soup = random_soup();
  const MeshTopology topology(soup.vertex_count, soup.triangles);
  for (std::size_t v = 0; v < soup.vertex_count; ++v) {
    std::vector<FaceId> faces;
    for (std::size_t f = 0; f < soup.triangles.size(); ++f)
      if (has_corner(soup.triangles[f], VertexId(v))) faces.emplace_back(f);
    std::vector<EdgeId> edges;
    for (std::size_t e = 0; e < topology.edges().size(); ++e) {
      const Edge& ends = topology.edges()[e];
      if (ends[0] == VertexId(v) || ends[1] == VertexId(v)) edges.emplace_back(e);
    }
    RC_ASSERT(copied(topology.faces_of_vertex(VertexId(v))) == faces);
    RC_ASSERT(copied(topology.edges_of_vertex(VertexId(v))) == edges);
  }
  std::size_t boundary = 0;
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    std::vector<FaceId> faces;
    for (std::size_t f = 0; f < soup.triangles.size(); ++f) {
      const Triangle& t = soup.triangles[f];
      const Edge& edge = topology.edges()[e];
      if (edge_opposite(t, 0) == edge || edge_opposite(t, 1) == edge || edge_opposite(t, 2) == edge)
        faces.emplace_back(f);
    }
    RC_ASSERT(copied(topology.faces_of_edge(EdgeId(e))) == faces);
    RC_ASSERT(topology.is_boundary(EdgeId(e)) == (faces.size() == 1));
    boundary += faces.size() == 1 ? 1 : 0;
  }
  RC_ASSERT(topology.boundary_edge_count() == boundary);
}

RC_GTEST_PROP(MeshTopology, EveryUsedVertexAndEdgeHasOneOwnerTheSmallestFace, ()) {
  const auto soup = random_soup();
  const MeshTopology topology(soup.vertex_count, soup.triangles);
  std::map<VertexId, std::vector<FaceId>> vertex_owners;
  std::map<EdgeId, std::vector<FaceId>> edge_owners;
  for (std::size_t f = 0; f < soup.triangles.size(); ++f) {
    for (int i = 0; i < 3; ++i) {
      const auto corner = static_cast<std::size_t>(i);
      if (topology.owns_corner(FaceId(f), i)) vertex_owners[soup.triangles[f][corner]].emplace_back(f);
      if (topology.owns_edge(FaceId(f), i)) edge_owners[topology.face_edges(FaceId(f))[corner]].emplace_back(f);
    }
  }
  for (std::size_t v = 0; v < soup.vertex_count; ++v) {
    const auto faces = topology.faces_of_vertex(VertexId(v));
    const auto owners = vertex_owners[VertexId(v)];
    RC_ASSERT(owners.size() == (faces.empty() ? 0u : 1u));
    RC_ASSERT(topology.owner(VertexId(v)) == (faces.empty() ? FaceId{} : faces[0]));
    if (!owners.empty()) RC_ASSERT(owners[0] == topology.owner(VertexId(v)));
  }
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    RC_ASSERT(edge_owners[EdgeId(e)].size() == 1u);
    RC_ASSERT(edge_owners[EdgeId(e)][0] == topology.owner(EdgeId(e)));
    RC_ASSERT(topology.owner(EdgeId(e)) == topology.faces_of_edge(EdgeId(e))[0]);
  }
}

// Spreads the smallest face number over shared vertices until nothing changes.
std::vector<std::size_t> flooded_components(std::span<const Triangle> triangles) {
  std::vector<std::size_t> label(triangles.size());
  for (std::size_t f = 0; f < label.size(); ++f) label[f] = f;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < label.size(); ++f)
      for (std::size_t g = 0; g < label.size(); ++g)
        for (const VertexId v : triangles[g])
          if (has_corner(triangles[f], v) && label[g] < label[f]) {
            label[f] = label[g];
            changed = true;
          }
  }
  return label;
}

RC_GTEST_PROP(MeshTopology, ComponentsEqualAFloodOverSharedVertices, ()) {
  const auto soup = random_soup();
  const MeshTopology topology(soup.vertex_count, soup.triangles);
  const auto label = flooded_components(soup.triangles);
  std::map<std::size_t, std::uint32_t> number;  // in order of first faces, because labels are first faces
  for (const std::size_t l : label) number.emplace(l, static_cast<std::uint32_t>(number.size()));
  RC_ASSERT(topology.component_count() == number.size());
  for (std::size_t f = 0; f < label.size(); ++f) RC_ASSERT(topology.component_of_face()[f] == number[label[f]]);
}

TEST(MeshTopology, OfNoFacesIsEmpty) {
  const MeshTopology topology(3, {});
  EXPECT_TRUE(topology.edges().empty());
  EXPECT_EQ(topology.component_count(), 0u);
  EXPECT_TRUE(topology.faces_of_vertex(VertexId(2)).empty());
  EXPECT_FALSE(topology.owner(VertexId(0)).valid());
}

TEST(MeshTopology, TriangleThatRepeatsAVertexHasACollapsedEdgeAndCountsOnce) {
  const std::vector<Triangle> triangles = {{VertexId(0), VertexId(1), VertexId(1)}};
  const MeshTopology topology(2, triangles);
  ASSERT_EQ(topology.edges().size(), 2u);
  EXPECT_EQ(topology.edges()[1], (Edge{VertexId(1), VertexId(1)}));
  EXPECT_EQ(topology.faces_of_vertex(VertexId(1)).size(), 1u);
  EXPECT_EQ(topology.faces_of_edge(EdgeId(0)).size(), 1u);
  EXPECT_EQ(topology.edges_of_vertex(VertexId(1)).size(), 2u);
}

}  // namespace
}  // namespace pliant
