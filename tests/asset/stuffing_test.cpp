// The promises of isosurface stuffing, over families of shapes: angles, volume, a sound boundary that follows the
// surface.
#include "pliant/asset/stuffing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/asset/bcc_lattice.h"
#include "pliant/asset/lattice_cuts.h"
#include "pliant/asset/measure.h"
#include "pliant/asset/quality.h"
#include "pliant/asset/simplify.h"
#include "pliant/asset/stuffing_stencils.h"
#include "pliant/asset/thin_parts.h"
#include "pliant/bounds/closest_face.h"
#include "pliant/io/mesh_file.h"
#include "pliant/scene/stand_ins.h"
#include "tests/asset/meshes.h"

namespace pliant::testing {
namespace {

struct ShapeCase {
  const char* name;
  MeshPtr mesh;
  double cell;
};

// A closed surface around the origin, r = 1 + waves.
MeshPtr make_blob(std::uint64_t seed, double height) {
  const MeshPtr ball = make_icosphere({.frequency = 16});
  Random random(seed);
  std::vector<Vec3> waves;
  std::vector<double> phases;
  for (int i = 0; i < 6; ++i) {
    waves.emplace_back(random.within(-5, 5), random.within(-5, 5), random.within(-5, 5));
    phases.push_back(random.within(0, 6));
  }
  std::vector<Vec3> positions;
  for (const Vec3& p : ball->positions()) {
    double r = 1;
    for (std::size_t i = 0; i < waves.size(); ++i) r += height * std::sin(waves[i].dot(p) + phases[i]);
    positions.emplace_back(r * p);
  }
  return std::make_shared<const TriangleMesh>(
      std::move(positions), std::vector<Triangle>(ball->triangles().begin(), ball->triangles().end()));
}

MeshPtr bent(const MeshPtr& mesh) {  // along z into an arc, and turned against the lattice
  std::vector<Vec3> positions;
  for (const Vec3& p : mesh->positions()) {
    const double angle = 0.9 * p.z(), r = 1.2 + p.x();
    const Vec3 q(r * std::cos(angle), r * std::sin(angle), 0.3 * p.z() - p.y());
    positions.emplace_back(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()) * q);
  }
  return std::make_shared<const TriangleMesh>(
      std::move(positions), std::vector<Triangle>(mesh->triangles().begin(), mesh->triangles().end()));
}

MeshPtr inward(const MeshPtr& mesh) {
  std::vector<Triangle> triangles(mesh->triangles().begin(), mesh->triangles().end());
  for (Triangle& t : triangles) std::swap(t[1], t[2]);
  return std::make_shared<const TriangleMesh>(std::vector<Vec3>(mesh->positions().begin(), mesh->positions().end()),
                                              std::move(triangles));
}

// Limbs on a body that overlap it: winding numbers of 2 inside.
MeshPtr make_overlapping() {
  const MeshPtr ear = make_capsule({.radius = 0.22, .length = 0.9});
  return joined({make_icosphere({.frequency = 12}), make_icosphere({.radius = 0.6, .frequency = 10}), ear, ear},
                {Vec3::Zero(), {0.3, 0, 1.1}, {0.3, 0.3, 1.9}, {0.3, -0.3, 1.9}});
}

std::vector<ShapeCase> shapes() {
  return {
      {"box", make_box({.size = {1, 1.1, 0.9}}), 0.15},
      {"turned box", bent(make_box({.size = {0.8, 0.7, 0.12}, .cells = {4, 4, 1}})), 0.05},
      {"ball", make_icosphere({.frequency = 16}), 0.22},
      {"torus", make_torus(), 0.17},
      {"capsule", make_capsule(), 0.16},
      {"rabbit", make_stand_in({.animal = StandIn::rabbit}), 0.04},
      {"serpent", make_stand_in({.animal = StandIn::serpent}), 0.04},
      {"bent capsule", bent(make_capsule({.radius = 0.25, .length = 4, .side_rings = 40})), 0.12},
      {"plate", make_box({.size = {1, 1, 0.1}}), 0.05},
      {"two balls", joined({make_icosphere(), make_icosphere({.radius = 0.6})}, {Vec3::Zero(), {2, 0.3, 0}}), 0.2},
      {"cavity", joined({make_icosphere({.frequency = 12}), inward(make_icosphere({.radius = 0.5, .frequency = 8}))}),
       0.16},
      {"blob", make_blob(7, 0.08), 0.18},
  };
}

void expect_angles(const TetMesh& tets) {
  const TetQuality quality = measure_tets(tets);
  EXPECT_GT(quality.least_dihedral_degrees, kLeastAngle);
  EXPECT_LT(quality.largest_dihedral_degrees, kLargestAngle);
}

void expect_sound(const TetMesh& tets) {
  EXPECT_EQ(tets.flat_count() + tets.flipped_count(), 0u);  // exact
  EXPECT_TRUE(check_surface(tets.surface()).sound());       // exact
  EXPECT_NEAR(measure(*tets.surface()).volume(), tets.volume(), 1e-9 * tets.volume());
  std::vector<bool> used(tets.vertex_count(), false);
  for (const Tet& t : tets.tets())
    for (const VertexId v : t) used[v.index()] = true;
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
}

// Largest distance from the vertices of one surface to the other.
double largest_distance(const TriangleMesh& from, const TriangleMesh& to) {
  const ClosestFace closest(to);
  double largest = 0;
  for (const Vec3& p : from.positions()) largest = std::max(largest, closest.find(p).distance);
  return largest;
}

TEST(Stuffing, HoldsItsPromisesForAllShapes) {
  for (const ShapeCase& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    const double volume = measure(*shape.mesh).volume();
    for (const int grading : {0, 3}) {
      const Stuffing stuffing = stuff_surface(*shape.mesh, {.cell = shape.cell, .grading = grading, .volume = volume});
      ASSERT_TRUE(stuffing.mesh);
      expect_angles(*stuffing.mesh);
      expect_sound(*stuffing.mesh);
      EXPECT_NEAR(stuffing.mesh->volume() / volume, 1, 0.02);
      // Corners are cut off, no farther than a cell reaches; what is smooth is met well.
      EXPECT_LT(largest_distance(*stuffing.mesh->surface(), *shape.mesh), 0.2 * shape.cell);
      EXPECT_LT(largest_distance(*shape.mesh, *stuffing.mesh->surface()), shape.cell);
      EXPECT_EQ(find_defects(*stuffing.mesh->surface()).components, find_defects(*shape.mesh).components);
    }
  }
}

TEST(Stuffing, LiesOnTheSurfaceWithoutAnOffset) {
  const MeshPtr torus = make_torus();
  const Stuffing stuffing = stuff_surface(*torus, {.cell = 0.15});
  EXPECT_EQ(stuffing.offset, 0);
  EXPECT_LT(largest_distance(*stuffing.mesh->surface(), *torus), 1e-12);
}

TEST(Stuffing, UnitesWhatOverlaps) {
  const MeshPtr limbs = make_overlapping();
  const Stuffing stuffing = stuff_surface(*limbs, {.cell = 0.12});
  expect_angles(*stuffing.mesh);
  expect_sound(*stuffing.mesh);
  EXPECT_EQ(find_defects(*stuffing.mesh->surface()).components, 1u);
  EXPECT_LT(stuffing.mesh->volume(), 0.97 * measure(*limbs).volume());  // what overlaps was counted twice
}

TEST(Stuffing, GrowsCellsInward) {
  const MeshPtr ball = make_icosphere({.frequency = 16});
  const Stuffing equal = stuff_surface(*ball, {.cell = 0.08, .grading = 0});
  const Stuffing once = stuff_surface(*ball, {.cell = 0.08, .grading = 1});
  const Stuffing graded = stuff_surface(*ball, {.cell = 0.08, .grading = 3});
  EXPECT_LT(once.mesh->tet_count(), 0.7 * static_cast<double>(equal.mesh->tet_count()));
  EXPECT_LT(graded.mesh->tet_count(), 0.6 * static_cast<double>(equal.mesh->tet_count()));
  EXPECT_EQ(graded.mesh->surface()->face_count(), equal.mesh->surface()->face_count());
  EXPECT_NEAR(graded.mesh->volume(), equal.mesh->volume(), 1e-10);
  expect_sound(*graded.mesh);
  expect_angles(*graded.mesh);
}

// Where parts nearly touch, nodes between them must not be moved onto both.
TEST(Stuffing, KeepsPartsApartThatNearlyTouch) {
  std::size_t rigid = 0;
  for (const double gap : {0.01, 0.05, 0.1, 0.2}) {
    const MeshPtr balls =
        joined({make_icosphere({.frequency = 8}), make_icosphere({.frequency = 8})}, {Vec3::Zero(), {2 + gap, 0.1, 0}});
    for (const double cell : {0.13, 0.21, 0.34}) {
      const Stuffing stuffing = stuff_surface(*balls, {.cell = cell});
      rigid += stuffing.rigid_nodes;
      expect_sound(*stuffing.mesh);
      expect_angles(*stuffing.mesh);
    }
  }
  EXPECT_GT(rigid, 0u);  // the case does occur
}

RC_GTEST_PROP(StuffingProperty, BlobsOfAnyShapeAndSize, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  const double height = *rc::gen::inRange(0, 14) / 100.0, cell = *rc::gen::inRange(12, 60) / 100.0;
  const MeshPtr blob = make_blob(seed, height);
  const Stuffing stuffing =
      stuff_surface(*blob, {.cell = cell, .grading = *rc::gen::inRange(0, 3), .volume = measure(*blob).volume()});
  RC_ASSERT(stuffing.mesh != nullptr);
  RC_ASSERT(stuffing.mesh->flipped_count() + stuffing.mesh->flat_count() == 0u);
  RC_ASSERT(check_surface(stuffing.mesh->surface()).sound());
  const TetQuality quality = measure_tets(*stuffing.mesh);
  RC_ASSERT(quality.least_dihedral_degrees > kLeastAngle);
  RC_ASSERT(quality.largest_dihedral_degrees < kLargestAngle);
}

TEST(Stuffing, SameBitsForAnyNumberOfThreads) {
  const MeshPtr blob = make_blob(3, 0.1);
  const auto once = stuff_surface(*blob, {.cell = 0.1, .volume = 4, .threads = {1}}).mesh;
  const auto again = stuff_surface(*blob, {.cell = 0.1, .volume = 4, .threads = {3}}).mesh;
  EXPECT_TRUE(std::equal(once->positions().begin(), once->positions().end(), again->positions().begin(),
                         again->positions().end()));
  EXPECT_TRUE(std::equal(once->tets().begin(), once->tets().end(), again->tets().begin(), again->tets().end()));
}

TEST(Stuffing, SaysWhenCellsAreTooLargeOrTooSmall) {
  const MeshPtr plate = make_box({.size = {1, 1, 0.01}});
  EXPECT_FALSE(stuff_surface(*plate, {.cell = 0.3}).mesh);
  EXPECT_TRUE(says(error_text([&] { stuff_surface(*plate, {.cell = 1e-9}); }), "ask for larger cells"));
  EXPECT_TRUE(says(error_text([&] { stuff_surface(*plate, {.cell = 0}); }), "positive size"));
  EXPECT_TRUE(says(error_text([&] { stuff_surface(*plate, {.cell = std::nan("")}); }), "positive size"));
}

TEST(Stuffing, IsEndedByWhatProgressThrows) {
  struct Enough {};
  const StuffingSettings settings{.cell = 0.1, .progress = [](double fraction) {
                                    if (fraction > 0.4) throw Enough();
                                  }};
  EXPECT_THROW(stuff_surface(*make_torus(), settings), Enough);
}

TEST(ThinParts, AreMeasured) {
  const ThinParts plate = find_thin_parts(*make_box({.size = {1, 1, 0.1}}), 0.2);
  EXPECT_NEAR(plate.least, 0.1, 1e-12);
  EXPECT_NEAR(plate.fraction, 2 / 2.4, 1e-9);
  EXPECT_FALSE(find_thin_parts(*make_box(), 0.2).any());
  EXPECT_NEAR(find_thin_parts(*make_capsule(), 1.2).fraction, 1, 0.35);
}

// All ways in which a surface can cut a lattice tet and its neighbours, at random.
class RandomTets {
 public:
  explicit RandomTets(std::uint64_t seed)
      : random_(seed), lattice_(BccLattice::around({Vec3::Zero(), Vec3::Ones()}, 1, 2)) {}

  // The corners of a random tet, with random sides; nodes on the surface are moved along a random edge of theirs.
  void next() {
    using Place = BccLattice::Place;
    const int axis = below(3), u = (axis + 1) % 3, v = (axis + 2) % 3;
    Place first = Place::Constant(5), second = first, low = first;
    second[axis] += 2;
    low[axis] += 1;
    Place high = low;
    const int along = below(2) == 0 ? u : v, across = along == u ? v : u, side = below(2) == 0 ? 1 : -1;
    low[across] += side;
    high[across] += side;
    low[along] -= 1;
    high[along] += 1;
    places_ = {first, second, low, high};
    for (std::size_t i = 0; i < 4; ++i) {
      tet_[i] = lattice_.node(places_[i]);
      sides_[i] = static_cast<WarpedLattice::Side>(below(3));
      point_[i] = places_[i].cast<double>();
      moves_[i] = sides_[i] == WarpedLattice::Side::on_surface ? random_edge() : Vec3::Zero();
    }
    // Of two nodes, at most one is moved along the edge between them: there is one cut on it.
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (moves_[i] == point_[j] - point_[i] && moves_[j] == -moves_[i]) moves_[i].setZero();
    for (std::size_t i = 0; i < 4; ++i) point_[i] += within(0, near(moves_[i])) * moves_[i];
    const Vec3 &a = point_[0], &b = point_[1], &c = point_[2], &d = point_[3];
    if ((b - a).dot((c - a).cross(d - a)) < 0) {
      std::swap(tet_[2], tet_[3]);
      std::swap(sides_[2], sides_[3]);
      std::swap(point_[2], point_[3]);
    }
    fraction_.clear();
  }

  std::vector<std::array<Vec3, 4>> fill() {
    std::vector<std::array<Vec3, 4>> result;
    const Stencil stencil = stencil_of(lattice_, tet_, sides_);
    for (std::size_t i = 0; i < stencil.count; ++i) {
      auto& corners = result.emplace_back();
      for (std::size_t c = 0; c < 4; ++c) corners[c] = point(stencil.tets[i][c]);
    }
    return result;
  }

 private:
  double near(const Vec3& edge) const {
    return edge.cwiseAbs().maxCoeff() > 1 ? WarpedLattice::kNearLong : WarpedLattice::kNearShort;
  }
  // Often to the end of what is allowed: angles are worst there.
  double within(double low, double high) {
    const double x = random_.within(-0.5, 1.5);
    return low + (high - low) * std::clamp(x, 0.0, 1.0);
  }
  Vec3 random_edge() {
    Vec3 edge = Vec3::Zero();
    if (below(2) == 0) edge[below(3)] = below(2) == 0 ? 2 : -2;
    else
      for (int a = 0; a < 3; ++a) edge[a] = below(2) == 0 ? 1 : -1;
    return edge;
  }
  Vec3 point(const FillVertex& v) {
    const auto at = [&](BccLattice::Node n) {
      return static_cast<std::size_t>(std::find(tet_.begin(), tet_.end(), n) - tet_.begin());
    };
    if (v.inner == v.outer) return point_[at(v.inner)];
    const Vec3 &inner = point_[at(v.inner)], &outer = point_[at(v.outer)];
    const double least = near(outer - inner);
    const auto key = std::pair{v.inner, v.outer};
    if (!fraction_.contains(key)) fraction_[key] = within(least, 1 - least);
    return inner + fraction_[key] * (outer - inner);
  }

  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(n))); }

  Random random_;
  BccLattice lattice_;
  std::array<BccLattice::Place, 4> places_;
  std::array<BccLattice::Node, 4> tet_;
  std::array<WarpedLattice::Side, 4> sides_;
  std::array<Vec3, 4> point_, moves_;
  std::map<std::pair<BccLattice::Node, BccLattice::Node>, double> fraction_;
};

TEST(Stencils, AnglesAtWorst) {
  RandomTets random(1);
  double least = 180, largest = 0;
  for (int i = 0; i < 60000; ++i) {
    random.next();
    for (const auto& p : random.fill()) {
      ASSERT_GT((p[1] - p[0]).dot((p[2] - p[0]).cross(p[3] - p[0])), 0);
      const TetQuality quality =
          measure_tets(TetMesh({p.begin(), p.end()}, {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}}));
      least = std::min(least, quality.least_dihedral_degrees);
      largest = std::max(largest, quality.largest_dihedral_degrees);
    }
  }
  EXPECT_GT(least, kLeastAngle);
  EXPECT_LT(largest, kLargestAngle);
  EXPECT_LT(least, 10);  // the bounds are nearly met: the sample is a hard one
  EXPECT_GT(largest, 158);
}

// The cells of a graded lattice fill space: every inner face is shared by two tets, volumes add up.
TEST(LatticeCells, FillSpaceWhateverIsDeep) {
  Random random(5);
  const BccLattice lattice = BccLattice::around({Vec3::Zero(), Vec3::Constant(12)}, 1, 2);
  for (int round = 0; round < 4; ++round) {
    std::vector<std::uint8_t> deep(lattice.centres().size(), 1);
    for (int i = 0; i < 3 * round; ++i)
      deep[static_cast<std::size_t>(random.within(0, static_cast<double>(deep.size())))] = 0;
    const LatticeCells cells(lattice, deep, 3);
    std::vector<Vec3> positions;
    for (BccLattice::Node n = 0; n < lattice.size(); ++n) positions.push_back(lattice.point(n));
    std::vector<Tet> tets;
    cells.for_each_tet([](BccLattice::Node) { return true; },
                       [&](const std::array<BccLattice::Node, 4>& t) {
                         tets.push_back({VertexId(t[0]), VertexId(t[1]), VertexId(t[2]), VertexId(t[3])});
                       });
    const TetMesh mesh(positions, tets);
    EXPECT_EQ(mesh.flipped_count() + mesh.flat_count(), 0u);
    EXPECT_TRUE(is_closed_manifold(*faces_where(*mesh.surface(), [](std::size_t) { return true; })));
    EXPECT_NEAR(measure(*mesh.surface()).volume(), mesh.volume(), 1e-9 * mesh.volume());
    EXPECT_GE(measure_tets(mesh).least_dihedral_degrees, 35);
    EXPECT_LE(measure_tets(mesh).largest_dihedral_degrees, 121);
  }
}

// Real meshes where they are.
TEST(Stuffing, FillsRealMeshes) {
  for (const char* name : {"meshes/spot_6k.obj", "meshes/wingnut_6k.ply"}) {
    const std::filesystem::path path = std::filesystem::path(PLIANT_TEST_DATA) / name;
    if (!std::filesystem::exists(path)) continue;
    const MeshPtr mesh = read_mesh_file(path.string()).mesh;
    const SurfaceMeasure measured = measure(*mesh);
    const Stuffing stuffing =
        stuff_surface(*mesh, {.cell = stuffing_cell(measured.area, 1000), .volume = measured.volume()});
    expect_sound(*stuffing.mesh);
    expect_angles(*stuffing.mesh);
    EXPECT_NEAR(stuffing.mesh->volume() / measured.volume(), 1, 0.02);
    EXPECT_NEAR(static_cast<double>(stuffing.mesh->surface()->face_count()), 1000, 200);
  }
}

}  // namespace
}  // namespace pliant::testing
