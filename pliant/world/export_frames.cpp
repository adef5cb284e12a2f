#include "pliant/world/export_frames.h"

#include "pliant/io/gltf_movie.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/motion/linked_frames.h"
#include "pliant/world/chosen_frames.h"

namespace pliant {
namespace {

struct ExportedMesh {
  std::string name;
  MeshPtr mesh;
  std::shared_ptr<FrameSource> frames;

  MovieBody in_movie(const std::string& as) const { return {as, mesh, Motion::from_source(frames)}; }
};

class FrameExporter {
 public:
  FrameExporter(const RunInfo& info, const std::string& folder)
      : info_(info), folder_(folder), rows_(whole_frames(read_times(file_in(folder, "times.npy")))) {}

  std::shared_ptr<FrameSource> frames(const std::string& name, const MeshPtr& mesh) const {
    MotionReadOptions read;
    read.mesh = mesh;
    return std::make_shared<ChosenFrames>(open_motion(file_in(folder_, name + ".npy"), read), rows_);
  }

  void write(const ExportedMesh& body, bool npy, const Exports& wanted) const {
    MotionWriteOptions options;
    options.mesh = body.mesh;
    options.frame_count = rows_.size();
    options.frames_per_second = info_.fps();
    const auto write_as = [&](const char* extension) {
      write_motion(file_in(folder_, body.name + extension), *body.frames, options);
    };
    if (npy) write_as(".npy");
    if (wanted.pc2) write_as(".pc2");
    if (wanted.gltf) write_as(".glb");
  }

 private:
  const RunInfo& info_;
  const std::string& folder_;
  std::vector<std::size_t> rows_;
};

}  // namespace

void export_frames(const RunInfo& info, const std::string& folder, const std::vector<MeshPtr>& dense,
                   const Exports& wanted) {
  const FrameExporter exporter(info, folder);
  std::vector<MovieBody> movie;
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    const std::string& name = info.bodies[b].name;
    const MeshPtr mesh = read_mesh(file_in(folder, name + ".ply"));
    const ExportedMesh body{name, mesh, exporter.frames(name, mesh)};
    exporter.write(body, false, wanted);
    if (b >= dense.size() || !dense[b]) {
      movie.push_back(body.in_movie(name));
      continue;
    }
    const auto links = std::make_shared<const RigidLinks>(dense[b]->positions(), mesh->positions());
    const ExportedMesh fine{name + ".dense", dense[b], std::make_shared<LinkedFrames>(links, body.frames)};
    write_mesh(file_in(folder, name + ".dense.ply"), *dense[b]);
    exporter.write(fine, true, wanted);
    movie.push_back(fine.in_movie(name));
  }
  if (wanted.gltf) write_gltf_movie(file_in(folder, "run.glb"), movie, info.fps());
}

}  // namespace pliant
