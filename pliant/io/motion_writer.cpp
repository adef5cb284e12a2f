#include <cmath>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/point_cache.h"
#include "pliant/io/sequence.h"

namespace pliant {
namespace {

MotionFormat format_for(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".pc2") return MotionFormat::pc2;
  if (extension == ".mdd") return MotionFormat::mdd;
  if (extension == ".npy") return MotionFormat::npy;
  if (path.find('%') != std::string::npos) return MotionFormat::sequence;
  throw Error(ErrorPlace{.file = path}, "the format can not be told from the name",
              "motions are written as .pc2, .mdd, .npy or walk.%04d.obj");
}

}  // namespace

MotionWriter::MotionWriter(const std::string& path, std::size_t vertex_count, const MotionWriteOptions& options)
    : path_(path), vertex_count_(vertex_count), options_(options) {
  if (options_.format == MotionFormat::automatic) options_.format = format_for(path);
  const ErrorPlace place{.file = path};
  if (options_.format == MotionFormat::mdd && options_.frame_count == 0)
    throw Error(place, "MDD needs the number of frames at its start", "write .pc2 or .npy instead");
  if (options_.format != MotionFormat::sequence) {
    file_ = std::make_unique<OutputFile>(path);
    file_->write(header());
    return;
  }
  if (!options_.mesh || options_.mesh->vertex_count() != vertex_count)
    throw Error(place, "a sequence of meshes needs the mesh that moves", "write .pc2, .mdd or .npy instead");
  sequence_path(path, 0);  // refuses a path without a number
}

MotionWriter::~MotionWriter() = default;

std::string MotionWriter::header() const {
  switch (options_.format) {
    case MotionFormat::pc2:
      return format_pc2_header(vertex_count_, written_);
    case MotionFormat::mdd:
      return format_mdd_header(vertex_count_, options_.frame_count, options_.frames_per_second);
    default:
      return format_npy_header(vertex_count_, written_, options_.precision);
  }
}

void MotionWriter::encode(std::span<const Vec3> positions) {
  const bool as_double = options_.format == MotionFormat::npy && options_.precision == Precision::float64;
  const std::endian order = options_.format == MotionFormat::mdd ? std::endian::big : std::endian::little;
  bytes_.clear();
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      const double value = positions[v][axis];
      if (as_double) append(bytes_, value, order);
      else append(bytes_, static_cast<float>(value), order);
      if (!std::isfinite(as_double ? value : static_cast<float>(value)))
        throw Error(
            ErrorPlace{.file = path_, .element = "frame " + std::to_string(written_) + ", vertex " + std::to_string(v)},
            "a coordinate can not be written: it is not finite or too large for the format", "write .npy with doubles");
    }
  }
}

void MotionWriter::add(std::span<const Vec3> positions) {
  if (positions.size() != vertex_count_)
    throw Error(ErrorPlace{.file = path_, .element = "frame " + std::to_string(written_)},
                "has " + std::to_string(positions.size()) + " vertices instead of " + std::to_string(vertex_count_));
  if (file_) {
    encode(positions);
    file_->write(bytes_);
  } else {
    const std::span<const Triangle> faces = options_.mesh->triangles();
    const TriangleMesh frame({positions.begin(), positions.end()}, {faces.begin(), faces.end()},
                             options_.mesh->origin());
    write_mesh(sequence_path(path_, written_), frame);
  }
  ++written_;
}

void MotionWriter::finish() {
  const ErrorPlace place{.file = path_};
  if (written_ == 0) throw Error(place, "there is no frame to write", "add at least one");
  if (options_.frame_count != 0 && written_ != options_.frame_count)
    throw Error(place,
                "got " + std::to_string(written_) + " frames instead of " + std::to_string(options_.frame_count));
  if (!file_) return;
  file_->write_at(0, header());
  file_->commit();
}

void write_motion(const std::string& path, FrameSource& source, const MotionWriteOptions& options) {
  MotionWriteOptions counted = options;
  counted.frame_count = source.frame_count();
  MotionWriter writer(path, source.vertex_count(), counted);
  for (std::size_t k = 0; k < source.frame_count(); ++k) writer.add(source.frame(k).positions);
  writer.finish();
}

}  // namespace pliant
