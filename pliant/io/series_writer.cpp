// Motions as one mesh file per frame.
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/cells.h"
#include "pliant/io/file.h"
#include "pliant/io/frame_sink.h"
#include "pliant/io/mesh_writers.h"
#include "pliant/io/pvd.h"
#include "pliant/io/sequence.h"

namespace pliant {
namespace {

class SequenceSink : public FrameSink {
 public:
  SequenceSink(const std::string& path, const MotionWriteOptions& options) : path_(path), options_(options) {
    sequence_path(path, 0);  // refuses a path without a number
  }

  void add(std::span<const Vec3> positions) override {
    const std::span<const Triangle> faces = options_.mesh->triangles();
    const TriangleMesh frame({positions.begin(), positions.end()}, {faces.begin(), faces.end()},
                             options_.mesh->origin());
    dropped_ = write_mesh(sequence_path(path_, written_++), frame,
                          {.encoding = options_.encoding, .precision = options_.precision});
  }
  void finish() override {}
  std::vector<std::string> dropped() const override { return dropped_; }

 private:
  std::string path_;
  MotionWriteOptions options_;
  std::uint64_t written_ = 0;
  std::vector<std::string> dropped_;
};

class PvdSink : public FrameSink {
 public:
  PvdSink(const std::string& path, const MotionWriteOptions& options) : path_(path), options_(options) {}

  void add(std::span<const Vec3> positions) override {
    const std::uint64_t number = entries_.size();
    const std::string digits = std::to_string(number);
    const std::filesystem::path path(path_);
    const std::string name = path.stem().string() + "." + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') +
                             digits + (options_.tets ? ".vtu" : ".vtp");
    write_file((path.parent_path() / name).string(), format(positions));
    entries_.push_back({static_cast<double>(number) / options_.frames_per_second, name});
  }
  void finish() override { write_file(path_, format_pvd(entries_)); }

  std::vector<std::string> dropped() const override {
    std::vector<std::string> dropped;
    if (options_.tets) return dropped;
    if (!options_.mesh->origin().polygon_of_face.empty()) dropped.emplace_back("polygons (written as triangles)");
    if (!options_.mesh->origin().parts.empty()) dropped.emplace_back("names of parts");
    return dropped;
  }

 private:
  std::string format(std::span<const Vec3> positions) const {
    for (std::size_t v = 0; v < positions.size(); ++v) {
      if (!positions[v].allFinite()) refuse_coordinate({path_, entries_.size(), v});
    }
    if (options_.tets) return format_vtu(positions, options_.tets->tets(), options_.encoding);
    return format_vtp({positions, options_.mesh->triangles()}, options_.encoding, options_.precision);
  }

  std::string path_;
  MotionWriteOptions options_;
  std::vector<PvdEntry> entries_;
};

}  // namespace

std::unique_ptr<FrameSink> make_sequence_sink(const std::string& path, const MotionWriteOptions& options) {
  return std::make_unique<SequenceSink>(path, options);
}
std::unique_ptr<FrameSink> make_pvd_sink(const std::string& path, const MotionWriteOptions& options) {
  return std::make_unique<PvdSink>(path, options);
}

}  // namespace pliant
