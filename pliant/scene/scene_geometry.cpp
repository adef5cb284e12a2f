#include "pliant/scene/scene_geometry.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>

#include "pliant/asset/asset_file.h"
#include "pliant/asset/asset_shelf.h"
#include "pliant/asset/prepare.h"
#include "pliant/asset/sphere_tree_section.h"
#include "pliant/bounds/sphere_tree/moved_tree.h"
#include "pliant/bounds/sphere_tree/tree_shelf.h"
#include "pliant/core/error.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/mesh_hash.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

struct ShapeMaker {
  BodyGeometry operator()(const std::monostate&) const { return {}; }
  BodyGeometry operator()(const GridSettings& s) const { return {.surface = make_grid(s)}; }
  BodyGeometry operator()(const DiscSettings& s) const { return {.surface = make_disc(s)}; }
  BodyGeometry operator()(const BowlSettings& s) const { return {.surface = make_bowl(s)}; }
  BodyGeometry operator()(const BoxSettings& s) const { return {.surface = make_box(s)}; }
  BodyGeometry operator()(const IcosphereSettings& s) const { return {.surface = make_icosphere(s)}; }
  BodyGeometry operator()(const UvSphereSettings& s) const { return {.surface = make_uv_sphere(s)}; }
  BodyGeometry operator()(const TorusSettings& s) const { return {.surface = make_torus(s)}; }
  BodyGeometry operator()(const CapsuleSettings& s) const { return {.surface = make_capsule(s)}; }
  BodyGeometry operator()(const CylinderSettings& s) const { return {.surface = make_cylinder(s)}; }
  BodyGeometry operator()(const TeapotSettings& s) const { return {.surface = make_teapot(s)}; }
  BodyGeometry operator()(const TetBoxSettings& s) const { return {.tets = make_tet_box(s)}; }
  BodyGeometry operator()(const StandInSettings& s) const { return {.surface = make_stand_in(s)}; }
  BodyGeometry operator()(const FigureSettings& s) const { return {.surface = make_figure(s)}; }
  BodyGeometry operator()(const SkirtSettings& s) const { return {.surface = make_skirt(s)}; }
};

bool is_name(const std::string& mesh) { return mesh.find_first_of("./\\") == std::string::npos; }

std::optional<std::string> find_named(const std::string& name, const BuildOptions& options) {
  const auto given = options.meshes.find(name);
  if (given != options.meshes.end()) return given->second;
  for (const std::string& folder : options.mesh_folders)
    for (const char* extension : {".pliant", ".obj", ".ply", ".stl", ".off", ".glb", ".mesh", ".msh"}) {
      const std::filesystem::path path = std::filesystem::path(folder) / (name + extension);
      if (std::filesystem::is_regular_file(path)) return path.string();
    }
  return std::nullopt;
}

// Files whose tetrahedra all look the other way follow another convention; some that do are a tangled mesh.
void require_untangled(const TetMesh& mesh, const std::string& path) {
  if (mesh.flipped_count() == 0 || mesh.flipped_count() == mesh.tet_count()) return;
  const std::size_t inverted = std::min(mesh.flipped_count(), mesh.tet_count() - mesh.flipped_count());
  throw Error(ErrorPlace{.file = path},
              std::to_string(inverted) + " of " + std::to_string(mesh.tet_count()) + " tetrahedra are inside out",
              "mesh the shape again; simulation would start from a tangled state");
}

bool is_fem(const BodyDescription& body) { return std::holds_alternative<FemSettings>(body.model); }
bool is_deformable(const BodyDescription& body) {
  return !std::holds_alternative<KeyframedDescription>(body.model) &&
         !std::holds_alternative<FixedDescription>(body.model) && !std::holds_alternative<RigidSettings>(body.model);
}

// What of an asset the body is made of: what does not bend is as fine as can be.
BodyGeometry geometry_of(const Asset& asset, const BodyDescription& body) {
  if (!is_deformable(body)) return {.surface = asset.dense};
  const MeshPtr dense = body.dense ? asset.dense : nullptr;
  if (is_fem(body)) return {.tets = asset.tets, .dense = dense};
  return {.surface = asset.coarse, .dense = dense};
}

BodyGeometry read_body_geometry(const std::string& path, const BodyDescription& body, std::vector<std::string>& notes) {
  if (std::filesystem::path(path).extension() == ".pliant") {
    const Asset asset = read_asset(path);
    put_on_shelf(stored_sphere_tree(asset));
    return geometry_of(asset, body);
  }
  const GeometryFile file = read_geometry(path);
  for (const std::string& warning : file.warnings) notes.push_back(path + ": " + warning);
  if (file.tets) require_untangled(*file.tets, path);
  return {.surface = file.surface, .tets = file.tets};
}

// Scans are seldom what gas can be kept in.
bool is_fit_for(const BodyDescription& body, const BodyGeometry& geometry) {
  if (!std::holds_alternative<PressureSettings>(body.model) || !geometry.surface || body.coarse > 0) return true;
  const DefectReport defects = find_defects(*geometry.surface, {.places = 0});
  return defects.closed() && defects.unreferenced_vertices.count == 0;
}

BodyGeometry unplaced_geometry(const BodyDescription& body, const SceneDescription& scene, const BuildOptions& options,
                               std::vector<std::string>& notes) {
  if (body.mesh.empty()) return std::visit(ShapeMaker{}, body.shape);
  const std::optional<std::string> path = mesh_file(body, scene, options);
  if (!is_name(body.mesh)) return read_body_geometry(*path, body, notes);
  const std::string who = "body '" + body.name + "': mesh '" + body.mesh + "' ";
  const bool has_stand_in = !std::holds_alternative<std::monostate>(body.shape);
  std::string why = "is not there (run `make assets`, or give --mesh " + body.mesh + "=FILE)";
  if (path) {
    BodyGeometry found = read_body_geometry(*path, body, notes);
    const bool given = options.meshes.contains(body.mesh);
    if (given || !has_stand_in || is_fit_for(body, found)) {
      notes.push_back(who + "from " + *path);
      return found;
    }
    why = "from " + *path + " is not a closed surface";
  }
  if (!has_stand_in) throw Error("mesh '" + body.mesh + "' is not there", "give it: --mesh " + body.mesh + "=FILE");
  notes.push_back(who + why + ": a generated shape stands in for it");
  return std::visit(ShapeMaker{}, body.shape);
}

// From the shelf, if it was prepared before. `coarse` 0: as many faces as usual.
Asset prepared_shape(const TriangleMesh& surface, std::size_t coarse, Threads threads) {
  PrepareSettings settings;
  if (coarse > 0) settings.coarse_faces = coarse;
  settings.threads = threads;
  const std::string name = shelf_name(surface, settings.coarse_faces);
  if (std::optional<Asset> ready = find_prepared(name)) return *std::move(ready);
  Asset made = prepare_asset(surface, settings).asset;
  put_prepared(name, made);
  return made;
}

// A surface that is to be a solid, or simpler than it is, is prepared like an asset.
BodyGeometry prepared(const BodyGeometry& given, const BodyDescription& body, const BuildOptions& options,
                      std::vector<std::string>& notes) {
  if (!given.surface || !is_deformable(body) || (body.coarse == 0 && !is_fem(body))) return given;
  const Asset asset = prepared_shape(*given.surface, body.coarse, options.threads);
  notes.push_back("body '" + body.name + "': " + std::to_string(asset.coarse->face_count()) + " of " +
                  std::to_string(given.surface->face_count()) + " triangles" +
                  (is_fem(body) ? ", " + std::to_string(asset.tets->tet_count()) + " tetrahedra" : ""));
  if (is_fem(body))
    for (const std::string& warning : stored_warnings(asset)) notes.push_back("body '" + body.name + "': " + warning);
  return geometry_of(asset, body);
}

Eigen::AlignedBox3d box_of(std::span<const Vec3> positions) {
  Eigen::AlignedBox3d box(Vec3::Zero());
  if (!positions.empty()) box = Eigen::AlignedBox3d(positions[0]);
  for (const Vec3& p : positions) box.extend(p);
  return box;
}

// A coordinate is rounded to 2^-53 of its size. Where that is not small against the body, its triangles degenerate.
void require_shape_kept(std::span<const Vec3> made, std::span<const Vec3> placed) {
  constexpr double kFarthest = 1e9;  // in sizes of the body
  const Eigen::AlignedBox3d box = box_of(placed);
  const double far = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
  if (box_of(made).sizes().maxCoeff() > 0 && !(far <= kFarthest * box.sizes().maxCoeff()))
    throw Error("puts the body so far away that its shape is lost to rounding", "bring it nearer to the origin");
}

// A stored sphere tree goes along, so that it is found for the body.
MeshPtr placed(const MeshPtr& mesh, const Placer& place) {
  const MeshPtr moved = place(mesh);
  if (!mesh) return moved;
  if (const SphereTreePtr stored = find_on_shelf(mesh_hash(*mesh)))
    put_on_shelf(moved_tree(*stored, *moved, place.scale(), [&](const Vec3& p) { return place(p); }));
  return moved;
}

void add_border(const PinDescription& pin, const BodyGeometry& geometry, std::vector<VertexId>& pinned) {
  if (!geometry.surface)
    throw Error(ErrorPlace{.line = pin.line}, "a volume has no border", "give a box, or name vertices");
  const MeshTopology& topology = geometry.surface->topology();
  const std::size_t before = pinned.size();
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    if (!topology.is_boundary(EdgeId(e))) continue;
    for (const VertexId v : topology.edge(EdgeId(e))) pinned.push_back(v);
  }
  if (pinned.size() == before)
    throw Error(ErrorPlace{.line = pin.line}, "the surface is closed: it has no border",
                "give a box, or name vertices");
}

}  // namespace

std::optional<std::string> mesh_file(const BodyDescription& body, const SceneDescription& scene,
                                     const BuildOptions& options) {
  if (body.mesh.empty()) return std::nullopt;
  if (is_name(body.mesh)) return find_named(body.mesh, options);
  return (std::filesystem::path(scene.folder) / body.mesh).string();
}

BodyGeometry make_geometry(const BodyDescription& body, const SceneDescription& scene, const BuildOptions& options,
                           std::vector<std::string>& notes) {
  return prepared(unplaced_geometry(body, scene, options, notes), body, options, notes);
}

BodyGeometry placed_geometry(const BodyGeometry& made, const BodyDescription& body) {
  const Placer place(made.positions(), body.placement);
  const std::vector<Vec3> positions = place(made.positions());
  require_shape_kept(made.positions(), positions);
  if (made.surface) return {.surface = placed(made.surface, place), .dense = placed(made.dense, place), .place = place};
  const std::span<const Tet> tets = made.tets->tets();
  return {.tets = std::make_shared<const TetMesh>(positions, std::vector<Tet>(tets.begin(), tets.end()), body.name),
          .dense = placed(made.dense, place),
          .place = place};
}

std::vector<VertexId> pinned_vertices(const PinDescription& pin, const BodyGeometry& geometry) {
  const std::span<const Vec3> positions = geometry.positions();
  std::vector<VertexId> pinned;
  for (const VertexId v : pin.vertices) {
    if (v.index() >= positions.size())
      throw Error(ErrorPlace{.line = pin.line}, "there is no vertex " + std::to_string(v.value),
                  "they are numbered 0 to " + std::to_string(positions.size() - 1));
    pinned.push_back(v);
  }
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (!pin.box.isEmpty() && pin.box.contains(positions[v])) pinned.emplace_back(v);
  if (pin.border) add_border(pin, geometry, pinned);
  if (pinned.empty())
    throw Error(ErrorPlace{.line = pin.line}, "a pin holds no vertex", "enlarge its box, or name vertices");
  return pinned;
}

std::vector<VertexId> pinned_vertices(const BodyDescription& body, const BodyGeometry& geometry) {
  std::vector<VertexId> pinned;
  for (const PinDescription& pin : body.pins) {
    const std::vector<VertexId> more = pinned_vertices(pin, geometry);
    pinned.insert(pinned.end(), more.begin(), more.end());
  }
  std::sort(pinned.begin(), pinned.end());
  pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
  return pinned;
}

}  // namespace pliant
