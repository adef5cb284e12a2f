// The motion of one mesh as a glTF file.
#include <filesystem>

#include "pliant/io/frame_sink.h"
#include "pliant/io/gltf_writer.h"

namespace pliant {
namespace {

class GltfSink : public FrameSink {
 public:
  GltfSink(const std::string& path, const MotionWriteOptions& options)
      : mesh_(options.mesh),
        writer_(path, {{std::filesystem::path(path).stem().string(), options.mesh, options.frame_count}},
                {.frames_per_second = options.frames_per_second}) {}

  void add(std::span<const Vec3> positions) override { writer_.add(positions); }
  void finish() override { writer_.finish(); }

  std::vector<std::string> dropped() const override {
    std::vector<std::string> dropped;
    if (!mesh_->origin().polygon_of_face.empty()) dropped.emplace_back("polygons (written as triangles)");
    if (!mesh_->origin().parts.empty()) dropped.emplace_back("names of parts");
    return dropped;
  }

 private:
  MeshPtr mesh_;
  GltfWriter writer_;
};

}  // namespace

std::unique_ptr<FrameSink> make_gltf_sink(const std::string& path, const MotionWriteOptions& options) {
  return std::make_unique<GltfSink>(path, options);
}

}  // namespace pliant
