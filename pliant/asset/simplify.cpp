#include "pliant/asset/simplify.h"

#if defined(PLIANT_MESHOPTIMIZER)
#include <meshoptimizer.h>
#endif
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/asset/half_edges.h"
#include "pliant/asset/measure.h"
#include "pliant/asset/node_grid.h"
#include "pliant/asset/polish.h"
#include "pliant/asset/repair.h"
#include "pliant/asset/winding.h"
#include "pliant/asset/wrap.h"
#include "pliant/bounds/closest_face.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/defects.h"

namespace pliant {
namespace {

// Numbers of faces to try, as fractions of what is wanted.
constexpr std::array kShares = {1.0, 1.1, 0.9, 1.2, 0.8, 1.4, 1.7, 0.6, 2.2, 3.0, 4.0};
// Of these, so many are near enough for a wrap to be simplified to: one that cannot be is made with fewer faces.
constexpr std::size_t kNearShares = 5;
// Faces of a wrap for each one wanted, before it is simplified; from fine to coarse.
constexpr std::array kWrapShares = {80.0, 30.0, 10.0, 3.0};
// How often a wrap that is not simplified is made with other cells, until its faces are this near to what is wanted.
constexpr int kWrapRounds = 8;
constexpr double kNearFaces = 0.15;
// Offsets of wraps, in cells: of bodies with an inside, where a larger one saves parts that are thinner than a cell;
// and of anything else.
constexpr std::array kSolidOffsets = {0.0, 0.4};
constexpr double kOffset = 0.9;
constexpr double kMostLost = 0.002;  // fraction of the dense vertices that a wrap may be far away from
// A simplified surface that meets itself in up to so many places, as a fraction of its faces, is mended there.
constexpr double kMostContacts = 0.05;
constexpr int kMendingRounds = 3;

std::unique_ptr<Detector> detector_of(const MeshPtr& mesh, Threads threads) {
  auto detector = make_detector("bvh", {.weld = false, .threads = threads});
  detector->add_body(mesh);
  return detector;
}

bool intersects_itself(const MeshPtr& mesh, Threads threads) {
  return detector_of(mesh, threads)->collides({0, 0}) != false;
}

// Without the faces that meet others where they should not; null if there are none or too many.
MeshPtr without_contacts(const MeshPtr& mesh, Threads threads) {
  const Report report = detector_of(mesh, threads)->detect({0, 0});
  const auto most = static_cast<std::size_t>(kMostContacts * static_cast<double>(mesh->face_count()));
  if (report.contacts.empty() || report.contacts.size() > most) return nullptr;
  std::vector<bool> drop(mesh->face_count(), false);
  for (const Contact& contact : report.contacts) drop[contact.a.id] = drop[contact.b.id] = true;
  std::vector<Triangle> kept;
  for (std::size_t f = 0; f < drop.size(); ++f)
    if (!drop[f]) kept.push_back(mesh->triangles()[f]);
  if (kept.empty()) return nullptr;
  return std::make_shared<const TriangleMesh>(std::vector<Vec3>(mesh->positions().begin(), mesh->positions().end()),
                                              std::move(kept), MeshOrigin{.name = mesh->origin().name});
}

// Simplification may leave a few edges of three faces or more, and faces that cross: those are repaired as in any mesh.
// Null if the surface is not sound even then.
MeshPtr mended(MeshPtr mesh, Threads threads) {
  for (int round = 0; mesh && round < kMendingRounds; ++round) {
    if (check_surface(mesh, threads).sound()) return mesh;
    try {
      mesh = repair_mesh(*mesh).mesh;
    } catch (const Error&) {
      return nullptr;  // nothing is left of it
    }
    if (check_surface(mesh, threads).sound()) return mesh;
    mesh = without_contacts(mesh, threads);
  }
  return nullptr;
}

// Whether each closed part winds around the others as it should. `mesh` must not intersect itself: then one vertex of a
// part tells for all of it.
bool parts_are_outward(const TriangleMesh& mesh) {
  const SurfaceParts parts =
      find_parts(find_partners(mesh.positions(), mesh.triangles(), EdgeGroups(mesh.triangles())));
  std::vector<SurfaceMeasure> measures(parts.count);
  std::vector<VertexId> vertex(parts.count);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    measures[parts.of_face[f]].add(mesh.positions(), mesh.triangles()[f]);
    vertex[parts.of_face[f]] = mesh.triangles()[f][0];
  }
  if (parts.count == 1) return measures[0].volume() > 0;
  for (std::uint32_t p = 0; p < parts.count; ++p) {
    const bool is_cavity = measures[p].volume() < 0;
    if (std::lround(winding_of_others(mesh.positions(), mesh.triangles(), parts, p, mesh.position(vertex[p]))) !=
        (is_cavity ? 1 : 0))
      return false;
  }
  return true;
}

// Only the vertices that faces use.
MeshPtr compact(const TriangleMesh& mesh, std::span<const unsigned> indices) {
  std::vector<std::uint32_t> new_index(mesh.vertex_count(), VertexId::kNone);
  for (const unsigned v : indices) new_index[v] = 0;
  std::vector<Vec3> positions;
  for (std::size_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] == VertexId::kNone) continue;
    new_index[v] = static_cast<std::uint32_t>(positions.size());
    positions.push_back(mesh.positions()[v]);
  }
  std::vector<Triangle> triangles(indices.size() / 3);
  for (std::size_t i = 0; i < indices.size(); ++i) triangles[i / 3][i % 3] = VertexId(new_index[indices[i]]);
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles),
                                              MeshOrigin{.name = mesh.origin().name});
}

// Simplifies one mesh to several numbers of faces.
class Simplifier {
 public:
  explicit Simplifier(const MeshPtr& mesh) : mesh_(mesh) {
    // In float, so from the middle of the box, where floats are finest.
    const Eigen::AlignedBox3d box = box_of(*mesh);
    for (const Vec3& p : mesh->positions())
      for (int axis = 0; axis < 3; ++axis)
        positions_.push_back(static_cast<float>((p[axis] - box.center()[axis]) / box.sizes().maxCoeff()));
    for (const Triangle& t : mesh->triangles())
      for (const VertexId v : t) indices_.push_back(v.value);
  }

  // Null if it collapses to nothing.
  MeshPtr simplify(std::size_t faces) const {
    if (faces >= mesh_->face_count()) return mesh_;
#if defined(PLIANT_MESHOPTIMIZER)
    constexpr float kAnyError = 1;
    std::vector<unsigned> result(indices_.size());
    result.resize(meshopt_simplify(result.data(), indices_.data(), indices_.size(), positions_.data(),
                                   positions_.size() / 3, 3 * sizeof(float), 3 * faces, kAnyError, 0, nullptr));
    return result.empty() ? nullptr : compact(*mesh_, result);
#else
    throw Error(ErrorPlace{.file = mesh_->origin().name}, "this build of the library makes no coarse surfaces",
                "prepare the mesh with one that has meshoptimizer: pliant prepare");
#endif
  }

 private:
  MeshPtr mesh_;
  std::vector<float> positions_;
  std::vector<unsigned> indices_;
};

bool is_in_front(const TriangleMesh& mesh, const NearestOnSurface& nearest, const Vec3& p) {
  const Triangle& t = mesh.triangle(nearest.face);
  const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
  return (b - a).cross(c - a).dot(p - nearest.point) > 0;
}

// The closed parts of a manifold surface, if they are nearly all of it: sheets left over from repair must not keep a
// body from having an inside. Otherwise the surface itself.
MeshPtr closed_parts(const MeshPtr& mesh) {
  constexpr double kNearlyAll = 0.9;  // of the area
  const Partners partners = find_partners(mesh->positions(), mesh->triangles(), EdgeGroups(mesh->triangles()));
  const SurfaceParts parts = find_parts(partners);
  std::vector<bool> is_open(parts.count, false);
  for (std::size_t h = 0; h < partners.size(); ++h)
    if (partners[h] == kNoPartner) is_open[parts.of_face[h / 3]] = true;
  std::vector<unsigned> kept;
  SurfaceMeasure all, closed;
  for (std::size_t f = 0; f < mesh->face_count(); ++f) {
    const Triangle& t = mesh->triangles()[f];
    all.add(mesh->positions(), t);
    if (is_open[parts.of_face[f]]) continue;
    closed.add(mesh->positions(), t);
    for (const VertexId v : t) kept.push_back(v.value);
  }
  if (kept.size() == 3 * mesh->face_count() || closed.area < kNearlyAll * all.area) return mesh;
  return compact(*mesh, kept);
}

class CoarseSearch {
 public:
  CoarseSearch(const MeshPtr& dense, const CoarseSettings& settings)
      : dense_(closed_parts(dense)), settings_(settings), box_(box_of(*dense_)) {
    if (!std::isfinite(box_.diagonal().norm()))
      throw Error(ErrorPlace{.file = dense->origin().name}, "the mesh is too large to be measured", "scale it down");
    if (!(box_.sizes().maxCoeff() > 0))
      throw Error(ErrorPlace{.file = dense->origin().name}, "the mesh has no extent", "is it a single point?");
    const DefectReport defects = find_defects(*dense_);
    has_inside_ = defects.closed() && defects.manifold() && measure(*dense_).volume() > 0;
    if (!has_inside_ && !settings.wrap_sheets) refuse_sheet(defects);
  }

  CoarseSurface run() {
    if (has_inside_) {
      const bool few = dense_->face_count() <= settings_.faces;
      if (few && check_surface(dense_, settings_.threads).sound()) return {dense_, CoarseSurfaceKind::as_given, 1};
      if (MeshPtr mesh = try_to_simplify({dense_}, kShares.size(), 0, 0.4))
        return {mesh, CoarseSurfaceKind::simplified, tries_};
    }
    for (std::size_t i = 0; i < kWrapShares.size(); ++i) {
      const double start = 0.4 + 0.5 * static_cast<double>(i) / kWrapShares.size();
      const Wrap wrap = make_wrap(cell_of_wrap(kWrapShares[i]));
      if (MeshPtr mesh = try_to_simplify(wrap, kNearShares, start, 0.12))
        return {mesh, CoarseSurfaceKind::wrapped, tries_};
    }
    return {wrap_as_wanted(), CoarseSurfaceKind::wrapped, tries_};
  }

 private:
  [[noreturn]] void refuse_sheet(const DefectReport& defects) const {
    const ErrorPlace place{.file = dense_->origin().name};
    const std::string wrap = "--wrap makes a thin solid around it";
    if (defects.boundary_edges.count > 0)
      throw Error(place,
                  "the mesh is open, along " + std::to_string(defects.boundary_edges.count) +
                      " edges, and has no inside to fill",
                  "fill its holes, or give a sheet its thickness; cloth needs no tetrahedra; " + wrap);
    throw Error(place, "the mesh has no inside to fill: it is flat, or its faces do not bound a volume",
                "repair it, or give it a thickness; " + wrap);
  }

  // A surface to simplify, and how far it lies outside the one that is meant.
  struct Wrap {
    MeshPtr mesh;
    double offset = 0;
    double volume() const {
      const SurfaceMeasure measured = measure(*mesh);
      return measured.volume() - offset * measured.area;
    }
  };

  // For the first `count` numbers of faces.
  MeshPtr try_to_simplify(const Wrap& wrap, std::size_t count, double start, double fraction) {
    const Simplifier simplifier(wrap.mesh);
    for (std::size_t i = 0; i < count; ++i) {
      if (settings_.progress)
        settings_.progress(start + fraction * static_cast<double>(i) / static_cast<double>(count));
      const auto wanted = static_cast<std::size_t>(kShares[i] * static_cast<double>(settings_.faces));
      const MeshPtr candidate = simplifier.simplify(std::max<std::size_t>(4, wanted));
      if (!candidate) continue;
      ++tries_;
      if (const MeshPtr sound = mended(candidate, settings_.threads)) return polished(sound, wrap);
      if (candidate == wrap.mesh) break;  // more faces than there are: the same again
    }
    return nullptr;
  }

  // Better faces and the volume of the source, as far as the surface stays sound with them.
  MeshPtr polished(const MeshPtr& sound, const Wrap& source) const {
    const MeshPtr better = polish_surface(*sound, ClosestFace(*source.mesh));
    const MeshPtr kept = check_surface(better, settings_.threads).sound() ? better : sound;
    const MeshPtr grown = with_volume(*kept, source.volume());
    return check_surface(grown, settings_.threads).sound() ? grown : kept;
  }

  // Marching tetrahedra make about 10 faces for each square of the size of a cell.
  double cell_of_wrap(double fraction) const {
    const double area = std::max(measure(*dense_).area, 1e-6 * box_.diagonal().squaredNorm());
    return std::sqrt(10 * area / (fraction * static_cast<double>(settings_.faces)));
  }

  // With about as many faces as are wanted, as far as cells can be found for them. Sound as it is.
  MeshPtr wrap_as_wanted() {
    const auto wanted = static_cast<double>(settings_.faces);
    double cell = cell_of_wrap(1), best_ratio = 0;
    Wrap best;
    for (int round = 0; round < kWrapRounds; ++round) {
      if (settings_.progress) settings_.progress(0.9 + 0.1 * round / kWrapRounds);
      const Wrap wrap = make_wrap(cell);
      ++tries_;
      const double ratio = static_cast<double>(wrap.mesh->face_count()) / wanted;
      if (!best.mesh || std::abs(std::log(ratio)) < std::abs(std::log(best_ratio))) {
        best = wrap;
        best_ratio = ratio;
      }
      if (std::abs(ratio - 1) <= kNearFaces) break;
      cell *= std::sqrt(ratio);
    }
    return polished(best.mesh, best);
  }

  Wrap make_wrap(double cell) const {
    // Neither so small that the lattice is huge, nor so large that the body is lost in it. A solid around a sheet grows
    // with the cells.
    constexpr double kMostNodes = 1 << 23;
    cell = std::min(cell, box_.sizes().maxCoeff() / (has_inside_ ? 3 : 1));
    const Vec3 around = box_.sizes() + Vec3::Constant(8 * cell);
    cell = std::max(cell, std::cbrt(around.prod() / kMostNodes));
    for (const double offset : kSolidOffsets) {
      if (!has_inside_) break;
      if (const MeshPtr wrap =
              solid_wrap({.cell = cell, .offset = offset * cell, .solid = true, .threads = settings_.threads}))
        return {wrap, offset * cell};
    }
    // What has no inside needs the room around it.
    return {
        wrap_surface(*dense_, {.cell = cell, .offset = kOffset * cell, .solid = false, .threads = settings_.threads})};
  }

  // Null if it loses parts of the body that are thinner than the cells.
  MeshPtr solid_wrap(const WrapSettings& settings) const {
    MeshPtr wrap;
    try {
      wrap = wrap_surface(*dense_, settings);
    } catch (const Error&) {
      return nullptr;  // everything is thinner
    }
    const ClosestFace closest(*wrap);
    const auto positions = dense_->positions();
    const std::size_t step = 1 + positions.size() / 20000;  // a sample of the vertices tells
    std::size_t asked = 0, lost = 0;
    for (std::size_t v = 0; v < positions.size(); v += step, ++asked) {
      if (closest.find_within(positions[v], settings.offset + 2 * settings.cell).face.valid()) continue;
      // Where parts of the body overlap, vertices lie deep inside: those are not lost.
      lost += is_in_front(*wrap, closest.find(positions[v]), positions[v]) ? 1 : 0;
    }
    return static_cast<double>(lost) <= kMostLost * static_cast<double>(asked) ? wrap : nullptr;
  }

  MeshPtr dense_;
  CoarseSettings settings_;
  Eigen::AlignedBox3d box_;
  bool has_inside_ = false;
  int tries_ = 0;
};

}  // namespace

SurfaceCheck check_surface(const MeshPtr& mesh, Threads threads) {
  const DefectReport defects = find_defects(*mesh);
  SurfaceCheck check{.closed = defects.closed(),
                     .manifold = defects.manifold() && defects.repeated_index_faces.count == 0,
                     .outward = measure(*mesh).volume() > 0};
  check.apart = check.closed && check.manifold && defects.duplicate_vertices.count == 0 &&
                defects.zero_area_faces.count == 0 && !intersects_itself(mesh, threads);
  check.outward = check.outward && (!check.apart || parts_are_outward(*mesh));
  return check;
}

const char* to_string(CoarseSurfaceKind kind) {
  switch (kind) {
    case CoarseSurfaceKind::as_given:
      return "as given";
    case CoarseSurfaceKind::simplified:
      return "simplified";
    case CoarseSurfaceKind::wrapped:
      return "wrapped";
  }
  return "";
}

CoarseSurface make_coarse_surface(const MeshPtr& dense, const CoarseSettings& settings) {
  return CoarseSearch(dense, settings).run();
}

}  // namespace pliant
