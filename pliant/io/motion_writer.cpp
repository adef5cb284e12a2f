#include <cmath>

#include "pliant/core/error.h"
#include "pliant/io/frame_sink.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/motion_file.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {
namespace {

MotionFormat format_for(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".pc2") return MotionFormat::pc2;
  if (extension == ".mdd") return MotionFormat::mdd;
  if (extension == ".npy") return MotionFormat::npy;
  if (extension == ".pvd") return MotionFormat::pvd;
  if (path.find('%') != std::string::npos) return MotionFormat::sequence;
  if (extension == ".gltf" || extension == ".glb") return MotionFormat::gltf;
  throw Error(ErrorPlace{.file = path}, "the format cannot be told from the name",
              "motions are written as .pc2, .mdd, .npy, .glb, .gltf, .pvd or walk.%04d.obj");
}

void require_faces(const std::string& path, std::size_t vertex_count, const MotionWriteOptions& options) {
  const ErrorPlace place{.file = path};
  const char* remedy = "give the mesh that moves, or write .pc2, .mdd or .npy, which hold points only";
  if (!options.mesh && !(options.tets && options.format == MotionFormat::pvd))
    throw Error(place, "this format holds faces, and there are none", remedy);
  const std::size_t expected = options.mesh ? options.mesh->vertex_count() : options.tets->vertex_count();
  if (expected != vertex_count)
    throw Error(
        place,
        "the mesh has " + std::to_string(expected) + " vertices, but the motion has " + std::to_string(vertex_count),
        remedy);
}

std::unique_ptr<FrameSink> make_sink(const std::string& path, std::size_t vertex_count,
                                     const MotionWriteOptions& options) {
  const bool needs_count = options.format == MotionFormat::mdd || options.format == MotionFormat::gltf;
  if (needs_count && options.frame_count == 0)
    throw Error(ErrorPlace{.file = path}, "the format needs the number of frames at its start",
                "write .pc2 or .npy instead");
  switch (options.format) {
    case MotionFormat::sequence:
      require_faces(path, vertex_count, options);
      return make_sequence_sink(path, options);
    case MotionFormat::pvd:
      require_faces(path, vertex_count, options);
      return make_pvd_sink(path, options);
    case MotionFormat::gltf:
      require_faces(path, vertex_count, options);
      return make_gltf_sink(path, options);
    default:
      return make_cache_sink(path, vertex_count, options);
  }
}

}  // namespace

void refuse_coordinate(const FramePlace& place) {
  throw Error(
      ErrorPlace{.file = place.path,
                 .element = "frame " + std::to_string(place.frame) + ", vertex " + std::to_string(place.vertex)},
      "a coordinate cannot be written: it is not finite or too large for the format", "write .npy with doubles");
}

float float_coordinate(double value, const FramePlace& place) {
  const auto rounded = static_cast<float>(value);
  if (!std::isfinite(rounded)) refuse_coordinate(place);
  return rounded;
}

MotionWriter::MotionWriter(const std::string& path, std::size_t vertex_count, const MotionWriteOptions& options)
    : path_(path), vertex_count_(vertex_count), frame_count_(options.frame_count) {
  MotionWriteOptions chosen = options;
  if (chosen.format == MotionFormat::automatic) chosen.format = format_for(path);
  sink_ = make_sink(path, vertex_count, chosen);
}

MotionWriter::~MotionWriter() = default;

void MotionWriter::add(std::span<const Vec3> positions) {
  if (positions.size() != vertex_count_)
    throw Error(ErrorPlace{.file = path_, .element = "frame " + std::to_string(written_)},
                "has " + std::to_string(positions.size()) + " vertices instead of " + std::to_string(vertex_count_));
  if (frame_count_ != 0 && written_ == frame_count_)
    throw Error(ErrorPlace{.file = path_}, "got more frames than the " + std::to_string(frame_count_) + " announced");
  sink_->add(positions);
  ++written_;
}

void MotionWriter::finish() {
  const ErrorPlace place{.file = path_};
  if (written_ == 0) throw Error(place, "there is no frame to write", "add at least one");
  if (frame_count_ != 0 && written_ != frame_count_)
    throw Error(place, "got " + std::to_string(written_) + " frames instead of " + std::to_string(frame_count_));
  sink_->finish();
}

std::vector<std::string> MotionWriter::dropped() const { return sink_->dropped(); }

void write_motion(const std::string& path, FrameSource& source, const MotionWriteOptions& options) {
  MotionWriteOptions counted = options;
  counted.frame_count = source.frame_count();
  MotionWriter writer(path, source.vertex_count(), counted);
  for (std::size_t k = 0; k < source.frame_count(); ++k) writer.add(source.frame(k).positions());
  writer.finish();
}

}  // namespace pliant
