// `pliant prepare`: a mesh into an asset that methods and simulations can use.
#include "pliant/asset/prepare.h"

#include "app/arguments.h"
#include "app/commands.h"
#include "app/notes.h"
#include "app/outputs.h"
#include "app/report_file.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "pliant/asset/asset_file.h"
#include "pliant/asset/sphere_tree_section.h"
#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"

namespace pliant::app {
namespace {

struct PrepareOptions {
  std::string mesh, asset, inspect;
  std::size_t coarse = 1000;
  std::string tets = "auto";
  std::string timeout = "120s";
  double cell = 0;
  int grade = 2;
  double drop_below = 0;
  bool wrap = false;
  bool no_repair = false;
  bool keep_holes = false;
  bool quiet = false;
  std::string json;
  bool sphere_tree = false;
  std::string builder = "medial";
  std::size_t branching = 8;
  std::size_t depth = 4;
};

TetWay tet_way(const std::string& name) {
  if (name == "netgen") return TetWay::netgen;
  return name == "stuffing" ? TetWay::stuffing : TetWay::automatic;
}

// One bar a stage.
class StageBars {
 public:
  explicit StageBars(bool quiet) : quiet_(quiet) {}
  void show(std::string_view stage, double fraction) {
    if (stage != stage_) {
      bar_ = nullptr;  // wipes the old bar before the new one is drawn
      stage_ = stage;
      bar_ = std::make_unique<ProgressBar>(stage_, quiet_);
    }
    bar_->show(fraction);
  }

 private:
  bool quiet_;
  std::string stage_;
  std::unique_ptr<ProgressBar> bar_;
};

PrepareSettings settings_of(const PrepareOptions& options, StageBars& bars, const StopSignals& signals) {
  PrepareSettings settings;
  settings.repair = !options.no_repair;
  settings.repairs = {.fill_holes = !options.keep_holes, .drop_below = options.drop_below};
  settings.coarse_faces = options.coarse;
  settings.tets.way = tet_way(options.tets);
  settings.tets.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(parse_duration(options.timeout));
  settings.tets.cell = options.cell;
  settings.tets.grading = options.grade;
  settings.wrap_sheets = options.wrap;
  settings.progress = [&](std::string_view stage, double fraction) {
    signals.throw_if_stopped();
    bars.show(stage, fraction);
  };
  return settings;
}

// "12 holes filled, 3 faces turned", or "nothing to repair".
std::string repair_text(const RepairReport& repair) {
  const std::vector<std::pair<std::size_t, const char*>> counts = {
      {repair.unreferenced_vertices, "unused vertices dropped"},
      {repair.welded_vertices, "vertices welded"},
      {repair.repeated_index_faces, "collapsed faces dropped"},
      {repair.duplicate_faces, "duplicate faces dropped"},
      {repair.dangling_faces, "dangling faces dropped"},
      {repair.cut_edges, "non-manifold edges cut"},
      {repair.overlapping_faces, "overlapping faces dropped"},
      {repair.split_vertices, "vertices split"},
      {repair.turned_faces, "faces turned"},
      {repair.dropped_parts, "small parts dropped"},
      {repair.filled_holes, "holes filled"},
      {repair.faces_added, "faces added"},
      {repair.open_sheets, "open sheets left open"},
      {repair.zero_area_faces, "faces without area left"},
  };
  std::string text;
  for (const auto& [count, what] : counts)
    if (count > 0) text += (text.empty() ? "" : ", ") + grouped(count) + " " + what;
  return text.empty() ? "nothing to repair" : text;
}

std::string percent(double fraction) { return fmt::format("{:.3g} %", 100 * fraction); }

void print_summary(const PreparedAsset& prepared, const std::string& path) {
  const Asset& asset = prepared.asset;
  const PrepareReport& report = prepared.report;
  const AssetQuality& quality = report.quality;
  fmt::print("{}: {}\n", asset.dense->origin().name, report.repaired ? repair_text(report.repair) : "not repaired");
  Table table({"", "vertices", "triangles", "tetrahedra", "volume", "how", "time"});
  const auto volume = [](const std::optional<double>& v) {
    return v ? fmt::format("{:.6g}", *v) : std::string("open");
  };
  table.add_row({"dense", grouped(asset.dense->vertex_count()), grouped(asset.dense->face_count()), "",
                 volume(quality.dense_volume), report.repaired ? "repaired" : "as given",
                 duration_text(report.seconds.repair)});
  table.add_row({"coarse", grouped(asset.coarse->vertex_count()), grouped(asset.coarse->face_count()), "",
                 volume(quality.coarse_volume), to_string(report.coarse_kind), duration_text(report.seconds.coarse)});
  table.add_row({"body", grouped(asset.tets->vertex_count()), grouped(asset.tets->surface()->face_count()),
                 grouped(asset.tets->tet_count()), volume(quality.tet_volume), to_string(report.tet_way),
                 duration_text(report.seconds.tets)});
  table.print(stdout);
  if (!report.netgen_refused.empty()) fmt::print("Netgen was not used: {}\n", report.netgen_refused);
  fmt::print("Tetrahedra: radius ratio {:.3f} least, {:.3f} mean; angles between faces {:.1f} to {:.1f} degrees\n",
             quality.tets.least_radius_ratio, quality.tets.mean_radius_ratio, quality.tets.least_dihedral_degrees,
             quality.tets.largest_dihedral_degrees);
  fmt::print("Dense to the body's surface: {:.4g} at most, {:.4g} on average ({} and {} of the diagonal)\n",
             quality.largest_distance, quality.mean_distance, percent(quality.largest_distance / quality.diagonal),
             percent(quality.mean_distance / quality.diagonal));
  if (const auto error = quality.volume_error()) fmt::print("Volume error of the body: {}\n", percent(*error));
  fmt::print("Dense vertices outside the body: {} of {}\n", grouped(quality.outside_vertices),
             grouped(asset.dense->vertex_count()));
  if (const AssetSection* tree = asset.find_section(kSphereTreeSection))
    fmt::print("Sphere tree: {} bytes\n", grouped(tree->bytes.size()));
  fmt::print("{}: written\n", path);
}

void write_json_report(const PrepareOptions& options, const PreparedAsset& prepared) {
  std::string text;
  JsonWriter json([&](std::string_view chunk) { text += chunk; });
  write_report(json, prepared.asset, prepared.report, WithSeconds::yes);
  json.new_line().flush();
  if (options.json == "-") write_standard_output(text);
  else write_file(options.json, text);
}

SphereTree::Shape shape_of(const PrepareOptions& options) {
  return {static_cast<std::uint32_t>(options.branching), static_cast<std::uint32_t>(options.depth)};
}

SphereTreeBuilder tree_builder(const std::string& name) {
  if (name == "octree") return SphereTreeBuilder::octree;
  return name == "boxes" ? SphereTreeBuilder::boxes : SphereTreeBuilder::medial;
}

void add_sphere_tree(const PrepareOptions& options, Asset& asset, StageBars& bars, const StopSignals& signals) {
  SphereTreeSettings settings;
  settings.builder = tree_builder(options.builder);
  settings.shape = shape_of(options);
  settings.progress = [&](double fraction) {
    signals.throw_if_stopped();
    bars.show("sphere tree", fraction);
  };
  store_sphere_tree(asset, *build_sphere_tree(*asset.dense, settings));
}

int run_inspect(const PrepareOptions& options) {
  const Asset asset = read_asset(options.inspect);
  if (options.json == "-") {
    fmt::print("{}\n", asset.report);
    return kDone;
  }
  Table table({"", "vertices", "triangles", "tetrahedra"});
  table.add_row({"dense", grouped(asset.dense->vertex_count()), grouped(asset.dense->face_count()), ""});
  table.add_row({"coarse", grouped(asset.coarse->vertex_count()), grouped(asset.coarse->face_count()), ""});
  table.add_row({"body", grouped(asset.tets->vertex_count()), grouped(asset.tets->surface()->face_count()),
                 grouped(asset.tets->tet_count())});
  table.print(stdout);
  for (const AssetSection& section : asset.sections)
    fmt::print("section '{}': {} bytes\n", section.name, grouped(section.bytes.size()));
  if (const SphereTreePtr tree = stored_sphere_tree(asset))
    fmt::print(
        "sphere tree: {} children, {} levels below the root, {} spheres; it covers the dense surface\n",
        tree->shape().branching, tree->shape().depth,
        grouped(static_cast<std::size_t>(std::count_if(tree->spheres().begin(), tree->spheres().end(), is_there))));
  fmt::print("{}: sound\n", options.inspect);
  return kDone;
}

int run_prepare(const PrepareOptions& options) {
  if (!options.inspect.empty()) {
    if (!options.mesh.empty()) throw Error("--inspect reads an asset, not a mesh", "leave out MESH");
    return run_inspect(options);
  }
  if (options.mesh.empty() || options.asset.empty())
    throw Error("a mesh to read and an asset to write are needed", "pliant prepare MESH -o ASSET");
  require_outputs_apart({options.asset, options.json}, {options.mesh});
  if (options.sphere_tree) SphereTree::node_count(shape_of(options));  // before long work
  const MeshFile file = read_mesh_file(options.mesh);
  Notes(options.quiet).warnings(options.mesh, file.warnings);
  const StopSignals signals;  // what is begun is taken away, or written to its end
  const PreparedAsset prepared = [&] {
    StageBars bars(options.quiet);
    PreparedAsset made = prepare_asset(*file.mesh, settings_of(options, bars, signals));
    if (options.sphere_tree) add_sphere_tree(options, made.asset, bars, signals);
    return made;
  }();
  Notes(options.quiet).warnings(options.mesh, prepared.report.warnings);
  write_asset(options.asset, prepared.asset);
  if (!options.json.empty()) write_json_report(options, prepared);
  if (options.json != "-" && !options.quiet) print_summary(prepared, options.asset);
  return kDone;
}

void add_options(Command& command, PrepareOptions& options) {
  command.add_option("mesh", options.mesh, "A surface mesh, however imperfect: what `check` reads")->type_name("MESH");
  command.add_option("--out,-o", options.asset, "The asset to write")->type_name("ASSET");
  command.add_option("--inspect", options.inspect, "Read and check an asset instead, and say what is in it")
      ->type_name("ASSET");
  command.add_option("--coarse", options.coarse, "About how many triangles the coarse surface gets")
      ->range(8, 1000000)
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--tets", options.tets, "Where the tetrahedra come from")
      ->one_of({"auto", "netgen", "stuffing"})
      ->capture_default_str();
  command.add_option("--cell", options.cell, "Size of the cells of a stuffing; 0: about --coarse triangles")
      ->check(at_least_zero())
      ->type_name("LENGTH");
  command.add_option("--grade", options.grade, "How often those may double in size inward; 0: all are equal")
      ->range(0, 8)
      ->capture_default_str()
      ->type_name("N");
  command.add_flag("--wrap", options.wrap, "Make a solid around an open sheet, instead of refusing it");
  command.add_option("--timeout", options.timeout, "How long Netgen may take")->capture_default_str()->type_name("T");
  command.add_flag("--no-repair", options.no_repair, "Use the mesh as it is");
  command.add_flag("--keep-holes", options.keep_holes, "Repair, but leave holes open");
  command.add_option("--drop-below", options.drop_below, "Drop parts smaller than this fraction of the whole (0.01)")
      ->range(0.0, 1.0)
      ->type_name("FRACTION");
  command.add_flag("--sphere-tree", options.sphere_tree,
                   "Also build the sphere tree of the mesh, for the method sphere-tree, and store it");
  command.add_option("--sphere-builder", options.builder, "How: along the medial axis, or quickly")
      ->one_of({"medial", "octree", "boxes"})
      ->capture_default_str();
  command.add_option("--sphere-branching", options.branching, "Children of a sphere")
      ->range(2, 64)
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--sphere-depth", options.depth, "Levels of spheres below the root; 0: one sphere")
      ->range(0, 12)
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--json", options.json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE");
  command.add_flag("--quiet,-q", options.quiet, "Print no progress or summary");
}

}  // namespace

void add_prepare(Command& app, Status& status) {
  Command* command =
      app.add_subcommand("prepare", "Make a deformable asset of a mesh: repaired, coarse, filled, linked");
  const auto options = std::make_shared<PrepareOptions>();
  add_options(*command, *options);
  command->footer(
      "Repairs the mesh, simplifies it to a closed coarse surface without self-intersections, fills that with\n"
      "tetrahedra (by Netgen where it is installed and succeeds, else by isosurface stuffing: a lattice cut and "
      "warped\n"
      "to the surface) and links the mesh to them. Whatever was repaired, and how good the result is, is said, and so "
      "is\n"
      "what is thinner than two cells. A mesh without an inside is refused, unless a solid is to be wrapped around "
      "it.\n\n"
      "Examples:\n"
      "  pliant prepare dragon.ply -o dragon.pliant                 an asset with about 1000 coarse triangles\n"
      "  pliant prepare scan.stl -o scan.pliant --coarse 300 --drop-below 0.02\n"
      "  pliant prepare shirt.obj -o shirt.pliant --wrap            a solid around an open sheet\n"
      "  pliant prepare dragon.ply -o dragon.pliant --tets stuffing --cell 0.005 --grade 3\n"
      "  pliant prepare dragon.ply -o dragon.pliant --sphere-tree   with spheres for the method sphere-tree\n"
      "  pliant prepare dragon.ply -o dragon.pliant --json -        the report for a program\n"
      "  pliant prepare --inspect dragon.pliant                     is this asset whole, and what is in it?\n\n"
      "Exit status: 0 done, 2 bad usage or input, 3 could not finish (the disk is full).");
  command->callback([options, &status] { status = run_prepare(*options); });
}

}  // namespace pliant::app
