// `pliant convert`: a file of one format into another.
#include "app/arguments.h"
#include "app/commands.h"
#include "app/motion_options.h"
#include "app/notes.h"
#include "app/outputs.h"
#include "app/stop_signals.h"
#include "app/terminal.h"
#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/region_files.h"
#include "pliant/io/sequence.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/partition.h"

namespace pliant::app {
namespace {

struct ConvertOptions {
  std::string in, out, mesh, motion;
  MotionOptions frames;
  double weld_tolerance = 0;    // length; of STL files
  std::uint64_t partition = 0;  // regions to paint; 0: none
  std::string precision = "double";
  std::string gmsh = "4.1";
  bool ascii = false;
  bool quiet = false;

  Encoding encoding() const { return ascii ? Encoding::text : Encoding::binary; }
  Precision number_precision() const { return precision == "float" ? Precision::float32 : Precision::float64; }
};

enum class Holds { mesh, motion, either };

Holds what_holds(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const char* motion : {".pc2", ".mdd", ".npy", ".pvd"}) {
    if (extension == motion) return Holds::motion;
  }
  if (names_sequence(path)) return Holds::motion;
  return extension == ".gltf" || extension == ".glb" ? Holds::either : Holds::mesh;
}

std::vector<Vec3> scaled(std::span<const Vec3> positions, double scale) {
  std::vector<Vec3> result(positions.begin(), positions.end());
  if (scale != 1)
    for (Vec3& p : result) p *= scale;
  return result;
}

MeshPtr scaled_mesh(const MeshPtr& mesh, double scale) {
  if (scale == 1) return mesh;
  return std::make_shared<const TriangleMesh>(scaled(mesh->positions(), scale),
                                              std::vector<Triangle>(mesh->triangles().begin(), mesh->triangles().end()),
                                              mesh->origin());
}

void write_surface(const ConvertOptions& options, const MeshPtr& mesh, const Notes& notes) {
  const StopSignals signals;
  notes.dropped(options.out, write_mesh(options.out, *mesh,
                                        {.encoding = options.encoding(), .precision = options.number_precision()}));
  notes.done(options.out, counted(mesh->vertex_count(), "vertex", "vertices") + ", " +
                              counted(mesh->face_count(), "triangle", "triangles"));
}

// Regions of about equal extent, each in a colour of its own.
void write_regions(const ConvertOptions& options, const MeshPtr& mesh, const Notes& notes) {
  const std::optional<MeshFormat> format = format_by_extension(options.out);
  if (!format) throw Error(ErrorPlace{.file = options.out}, "the format cannot be told", "name the output regions.ply");
  const Partition regions = partition(mesh, static_cast<std::uint32_t>(options.partition));
  std::vector<std::uint32_t> region_of_face;
  for (std::size_t f = 0; f < mesh->face_count(); ++f)
    region_of_face.push_back(regions.region_of_face(*mesh, FaceId(f)));
  const std::string bytes = format_regions(*mesh, region_of_face, *format);
  const StopSignals signals;
  write_file(options.out, bytes);
  notes.done(options.out, counted(mesh->vertex_count(), "vertex", "vertices") + ", " +
                              counted(mesh->face_count(), "triangle", "triangles") + ", " +
                              counted(regions.region_count, "region", "regions"));
}

void write_volume(const ConvertOptions& options, const TetMesh& tets, const Notes& notes) {
  const GmshVersion version = options.gmsh == "2.2" ? GmshVersion::v2_2 : GmshVersion::v4_1;
  const double scale = options.frames.scale;
  const TetMesh mesh(scaled(tets.positions(), scale), {tets.tets().begin(), tets.tets().end()});
  const StopSignals signals;
  write_tets(options.out, mesh, {.encoding = options.encoding(), .gmsh_version = version});
  notes.done(options.out, counted(mesh.vertex_count(), "vertex", "vertices") + ", " +
                              counted(mesh.tet_count(), "tetrahedron", "tetrahedra"));
}

bool out_holds_tets(const std::string& path) {
  const std::optional<MeshFormat> format = format_by_extension(path);
  return format && holds_cells(*format) && *format != MeshFormat::vtp;
}

void convert_still(const ConvertOptions& options) {
  const Notes notes(options.quiet);
  const ErrorPlace place{.file = options.in};
  MotionOptions frames = options.frames;
  frames.scale = 1;  // means something for a mesh too
  if (what_holds(options.out) == Holds::motion || first_changed(frames))
    throw Error(place, "is a mesh, and does not move", "give its motion: --motion walk.pc2");
  if (!options.mesh.empty()) throw Error(place, "is a mesh itself", "leave out --mesh");
  read_options(options.frames, nullptr);  // refuses a scale that is none
  if (out_holds_tets(options.out) && options.partition == 0) {
    const GeometryFile file = read_geometry(options.in, {.weld_tolerance = options.weld_tolerance});
    notes.dropped(options.in, file.dropped);
    notes.warnings(options.in, file.warnings);
    if (file.animated) notes.unused_animation(options.in);
    if (file.tets) return write_volume(options, *file.tets, notes);
    return write_surface(options, scaled_mesh(file.surface, options.frames.scale), notes);
  }
  const MeshFile file = read_mesh_file(options.in, {.weld_tolerance = options.weld_tolerance});
  notes.dropped(options.in, file.dropped);
  notes.warnings(options.in, file.warnings);
  if (file.animated) notes.unused_animation(options.in);
  const MeshPtr mesh = scaled_mesh(file.mesh, options.frames.scale);
  if (options.partition > 0) write_regions(options, mesh, notes);
  else write_surface(options, mesh, notes);
}

// What moves: a mesh named by hand, or the one that the motion file brings along; null for bare points.
struct Moving {
  MeshPtr mesh;
  TetMeshPtr tets;
};

Moving read_moving(const ConvertOptions& options, const Notes& notes) {
  const std::string& path = options.motion.empty() ? options.mesh : options.in;
  if (path.empty()) {
    const std::optional<MeshFile> own = read_motion_mesh(options.in);
    if (!own) return {};
    notes.dropped(options.in, own->dropped);
    notes.warnings(options.in, own->warnings);
    return {own->mesh, nullptr};
  }
  Moving moving;
  if (extension_of(options.out) == ".pvd") moving.tets = read_geometry(path).tets;
  const MeshFile file = read_mesh_file(path, {.weld_tolerance = options.weld_tolerance});
  notes.dropped(path, file.dropped);
  if (!moving.tets) notes.warnings(path, file.warnings);
  if (file.animated && options.motion != path) notes.unused_animation(path);
  moving.mesh = file.mesh;
  return moving;
}

void write_one_frame(const ConvertOptions& options, FrameSource& source, const Moving& moving, const Notes& notes) {
  if (source.frame_count() != 1)
    throw Error(ErrorPlace{.file = options.out},
                "holds one mesh, but " + std::to_string(source.frame_count()) + " frames are chosen",
                "write walk.%04d.obj, or choose one frame: --start 12 --end 12");
  if (!moving.mesh)
    throw Error(ErrorPlace{.file = options.in}, "holds points without faces", "give the mesh: --mesh body.obj");
  const Frame frame = source.frame(0);
  const std::span<const Triangle> faces = moving.mesh->triangles();
  write_surface(
      options,
      std::make_shared<const TriangleMesh>(std::vector<Vec3>(frame.positions().begin(), frame.positions().end()),
                                           std::vector<Triangle>(faces.begin(), faces.end()), moving.mesh->origin()),
      notes);
}

void write_frames(const ConvertOptions& options, FrameSource& source, const Moving& moving, const Notes& notes) {
  const StopSignals signals;  // ended by one, the program would leave a part of the file behind
  MotionWriter writer(options.out, source.vertex_count(),
                      {.precision = options.number_precision(),
                       .mesh = moving.mesh,
                       .tets = moving.tets,
                       .encoding = options.encoding(),
                       .frame_count = source.frame_count(),
                       .frames_per_second = options.frames.fps});
  ProgressBar bar("converting", options.quiet);
  for (std::size_t k = 0; k < source.frame_count(); ++k) {
    bar.show(static_cast<double>(k) / static_cast<double>(source.frame_count()));
    writer.add(source.frame(k).positions());
    signals.throw_if_stopped();
  }
  writer.finish();
  notes.dropped(options.out, writer.dropped());
  notes.done(options.out, counted(source.vertex_count(), "vertex", "vertices") + ", " +
                              counted(source.frame_count(), "frame", "frames"));
}

void convert_motion(const ConvertOptions& options) {
  const Notes notes(options.quiet);
  if (!options.motion.empty() && !options.mesh.empty())
    throw Error("--mesh and --motion do not go together",
                "either `convert MESH OUT --motion FILE`, or `convert MOTION OUT --mesh FILE`");
  const Moving moving = read_moving(options, notes);
  const std::string& path = options.motion.empty() ? options.in : options.motion;
  const auto source = open_motion(path, read_options(options.frames, moving.mesh));
  const Holds out = what_holds(options.out);
  if (out == Holds::mesh) write_one_frame(options, *source, moving, notes);
  else write_frames(options, *source, moving, notes);
}

int run_convert(const ConvertOptions& options) {
  require_outputs_apart({options.out}, {options.in, options.mesh, options.motion});
  require_stl_to_weld(options.weld_tolerance, {options.in, options.mesh});
  const Holds in = what_holds(options.in), out = what_holds(options.out);
  const bool moves = !options.motion.empty() || in == Holds::motion || (in == Holds::either && out == Holds::motion);
  if (moves && options.partition > 0)
    throw Error("--partition paints a mesh, and this is a motion", "convert the mesh alone");
  if (moves) convert_motion(options);
  else convert_still(options);
  return kDone;
}

void add_options(Command& command, ConvertOptions& options) {
  command.add_option("in", options.in, "A mesh, or a motion: what `check` reads")->required()->type_name("IN");
  command.add_option("out", options.out, "The file to write; its name says the format")->required()->type_name("OUT");
  command.add_option("--motion", options.motion, "The motion of the mesh IN")->type_name("FILE");
  command.add_option("--mesh", options.mesh, "The mesh that the motion IN moves, where it brings no faces along")
      ->type_name("FILE");
  add_motion_options(command, options.frames);
  add_weld_tolerance(command, options.weld_tolerance);
  command
      .add_option("--partition", options.partition,
                  "Cut the surface into N regions of about equal extent and paint them (PLY, VTP, VTU)")
      ->range(1, 1 << 24)
      ->type_name("N");
  command.add_option("--precision", options.precision, "Precision of numbers in PLY, VTP, VTU and NPY files")
      ->one_of({"float", "double"})
      ->capture_default_str();
  command.add_flag("--ascii", options.ascii, "Write PLY, STL, VTK and Gmsh files as text");
  command.add_option("--gmsh", options.gmsh, "Version of .msh files")->one_of({"2.2", "4.1"})->capture_default_str();
  command.add_flag("--quiet,-q", options.quiet, "Print no progress, and no notes of what is dropped");
}

}  // namespace

void add_convert(Command& app, Status& status) {
  Command* command = app.add_subcommand("convert", "Turn a mesh or motion file into another format");
  const auto options = std::make_shared<ConvertOptions>();
  add_options(*command, *options);
  command->footer(
      "Surfaces: .obj .ply .stl .off .glb .gltf .vtp .vtu    tetrahedra: .msh .mesh .node/.ele .vtk .vtu\n"
      "Motions:  .pc2 .mdd .npy .glb .gltf .pvd and sequences (walk.%04d.obj, 'walk.*.ply', a folder)\n"
      "Vertices keep their order and number; of tetrahedra written as a surface the boundary is kept, over all\n"
      "vertices. What the new file cannot hold is named on the standard error.\n\n"
      "Examples:\n"
      "  pliant convert scan.stl scan.ply                           one mesh into another\n"
      "  pliant convert scan.stl regions.ply --partition 64         its surface in 64 regions, painted\n"
      "  pliant convert liver.msh liver.obj                         the boundary of tetrahedra\n"
      "  pliant convert body.obj walk.glb --motion walk.pc2         an animation that any viewer plays\n"
      "  pliant convert walk.pc2 walk.%04d.obj --mesh body.obj      one file per frame\n"
      "  pliant convert walk.mdd part.npy --start 10 --end 90 --step 2 --precision float\n"
      "  pliant convert rig.glb rig.pc2 --fps 30                    bake skins and morphs into a point cache\n\n"
      "Exit status: 0 done, 2 bad usage or input, 3 stopped by Ctrl-C, or the disk is full: nothing half-written is "
      "left.");
  command->callback([options, &status] { status = run_convert(*options); });
}

}  // namespace pliant::app
