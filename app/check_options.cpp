#include "app/check_options.h"

#include "app/arguments.h"
#include "pliant/core/error.h"

namespace pliant::app {

const std::string* motion_file_of(const CheckOptions& options, std::size_t mesh) {
  for (std::size_t i = 0; i < options.motion_of.size(); ++i)
    if (options.motion_of[i] == mesh) return &options.motions[i];
  return nullptr;
}

void require_motion_for_its_options(const CheckOptions& options) {
  if (!options.motions.empty()) return;
  for (const auto& [given, name] :
       {std::pair(options.allow_initial, "--allow-initial"), std::pair(options.earliest, "--earliest"),
        std::pair(options.at_frames, "--at-frames"), std::pair(options.min_separation != 0, "--min-separation"),
        std::pair(!options.times.empty(), "--times")})
    if (given) throw Error(std::string(name) + " is about moving meshes", "give a mesh its --motion");
  if (options.frames.first_frame != 0) throw Error("--first-frame is about motions", "give a mesh its --motion");
  if (const char* name = first_changed(options.frames))
    throw Error(std::string(name) + " is about motions", "give a mesh its --motion");
}

void assign_motions(const Command& command, CheckOptions& options) {
  std::size_t meshes = 0;
  for (const std::string& name : command.parse_order()) {
    if (name == "mesh") ++meshes;
    if (name != "--motion") continue;
    const std::string& path = options.motions[options.motion_of.size()];
    if (meshes == 0)
      throw Error("--motion " + path + " stands before the first mesh", "it belongs to the mesh before it");
    if (const std::string* other = motion_file_of(options, meshes - 1))
      throw Error(options.meshes[meshes - 1] + " has two motions: " + *other + " and " + path, "give one");
    options.motion_of.push_back(meshes - 1);
  }
}

void add_check_options(Command& command, CheckOptions& options) {
  command
      .add_option(
          "mesh", options.meshes,
          "Mesh files: OBJ, PLY, STL, OFF, glTF; of tetrahedral files (Gmsh, Medit, TetGen, VTK) the surface; or "
          "the folder of a recording (`pliant run`)")
      ->required()
      ->type_name("MESH");
  command
      .add_option(
          "--motion", options.motions,
          "How the mesh before it moves: PC2, MDD, .npy, glTF, a sequence (walk.%04d.obj, walk.####.obj, a folder)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command.add_flag("--no-self", options.no_self, "Leave out collisions of a body with itself");
  command
      .add_flag("--split", "auto", options.split,
                "Make each group or object of a file (each connected component, if it has none) a body of its own")
      ->one_of({"auto", "parts", "components"});
  command.add_flag("--no-weld", options.no_weld,
                   "Keep vertices at bit-equal positions separate, so that triangles that meet there touch");
  command.add_flag("--penetration", options.penetration, "Measure how deep closed bodies that cross are in each other");
  command.add_flag("--points", options.points,
                   "Take the vertices of OBJ, PLY and OFF files without faces as points that collide");
  add_weld_tolerance(command, options.weld_tolerance);
  command
      .add_option("--method", options.method,
                  "Use this method of `pliant methods` (default: bvh for still meshes, kinetic for moving ones)")
      ->offers(method_names());
  command
      .add_option("--mode", options.mode,
                  "Use the method such that nothing is missed (safe), or as it was published (paper)")
      ->one_of({"safe", "paper"})
      ->capture_default_str();
  add_method_settings(command, options.settings);
  command.add_option("--budget", options.budget, "Stop after this time, with what is known then (2ms, 1.5s)");
  command.add_option("--search-budget", options.search_budget,
                     "Stop each search, of a frame or of the time from one to the next, after this time (200us); what "
                     "it leaves open is reported as possible, and the check goes on");
  command
      .add_option("--pairs", options.pairs,
                  "Test only these pairs of bodies, by number or name (0:1,shirt.obj:shirt.obj)")
      ->check([](const std::string& text) { return text.empty() ? "names no pair" : ""; });
  command
      .add_option("--limit", options.limit,
                  "List at most this many of the contacts in the table (default: 10) and in files")
      ->check(at_least_zero());
  command.add_option("--json", options.json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command
      .add_option(
          "--contacts", options.contacts,
          "Write the contacts as lines (.csv), or the bodies with the faces that take part (.ply, .vtp, and .pvd "
          "for each frame)")
      ->type_name("FILE");
  command
      .add_option("--html", options.html,
                  "Write the report as a page with the bodies in motion, to be opened in a browser (docs/pages.md)")
      ->type_name("FILE");
  add_threads(command, options.threads);
  const std::string moving = "Moving meshes";
  command
      .add_flag("--at-frames", options.at_frames,
                "Look only at the frames, not between them (still methods always do so)")
      ->group(moving);
  command.add_flag("--earliest", options.earliest, "Stop at the first contact that counts")->group(moving);
  command
      .add_flag("--allow-initial", options.allow_initial,
                "Excuse what intersects at the start, at that place, until it has come apart")
      ->group(moving);
  command
      .add_flag("--unproved", options.unproved,
                "Of a recording, look at pairs too that were answered without a proof (penalty, pull-back)")
      ->group(moving);
  command.add_option("--min-separation", options.min_separation, "Count coming as near as this length as contact")
      ->group(moving);
  command
      .add_option("--times", options.times,
                  "Take the times of the frames from a .npy array (default: frame numbers, counted from 0)")
      ->group(moving);
  command
      .add_option("--first-frame", options.frames.first_frame,
                  "Number of the first frame, from which --start, --end and all reports count")
      ->check(at_least_zero())
      ->capture_default_str()
      ->group(moving);
  add_motion_options(command, options.frames);
  command.add_flag("--quiet,-q", options.quiet, "Print no table, progress or warnings");
}

}  // namespace pliant::app
