#include "pliant/io/motion_file.h"

#include <cmath>

#include "pliant/core/error.h"
#include "pliant/io/decimal.h"
#include "pliant/io/file.h"
#include "pliant/io/gltf_reader.h"
#include "pliant/io/mesh_format.h"
#include "pliant/io/point_cache.h"
#include "pliant/io/sequence.h"

namespace pliant {
namespace {

constexpr const char* kKnownMotions =
    "known motions are .pc2, .mdd, .npy, .gltf, .glb, .pvd, walk.%04d.obj, 'walk.####.obj', 'walk.*.obj' and a folder "
    "of meshes";

MotionFormat format_by_name(const std::string& name) {
  const std::string extension = extension_of(name);
  if (extension == ".pc2") return MotionFormat::pc2;
  if (extension == ".mdd") return MotionFormat::mdd;
  if (extension == ".npy") return MotionFormat::npy;
  if (extension == ".gltf" || extension == ".glb") return MotionFormat::gltf;
  throw Error(ErrorPlace{.file = name}, "is not known as a motion", kKnownMotions);
}

MotionFormat format_of(ByteSource& source, const MotionReadOptions& options) {
  if (options.format != MotionFormat::automatic) return options.format;
  const std::string opening = source.opening(16);
  if (opening.empty()) throw Error(ErrorPlace{.file = source.name()}, "the file is empty", "export it again");
  if (looks_like_pc2(opening)) return MotionFormat::pc2;
  if (looks_like_npy(opening)) return MotionFormat::npy;
  return format_by_name(source.name());
}

PointCacheLayout read_header(ByteSource& source, MotionFormat format) {
  switch (format) {
    case MotionFormat::pc2:
      return read_pc2_header(source);
    case MotionFormat::mdd:
      return read_mdd_header(source);
    default:
      return read_npy_header(source);
  }
}

// Some of the frames of another source, scaled.
class SelectedFrames : public FrameSource {
 public:
  SelectedFrames(std::shared_ptr<FrameSource> source, const MotionReadOptions& options)
      : source_(std::move(source)), options_(options) {
    const std::size_t last = std::min(options.last, source_->frame_count() - 1);
    count_ = options.first > last ? 0 : (last - options.first) / options.step + 1;
  }
  std::size_t vertex_count() const override { return source_->vertex_count(); }
  std::size_t frame_count() const override { return count_; }
  Frame frame(std::size_t index) override {
    const std::size_t chosen = options_.first + index * options_.step;
    Frame frame = source_->frame(chosen);
    if (options_.scale == 1) return frame;
    std::vector<Vec3> scaled(frame.positions().begin(), frame.positions().end());
    for (Vec3& p : scaled) {
      p *= options_.scale;
      if (!p.allFinite())
        throw Error(ErrorPlace{.element = "frame " + std::to_string(chosen)},
                    "a coordinate overflows when it is scaled");
    }
    return Frame::own(std::move(scaled));
  }

 private:
  std::shared_ptr<FrameSource> source_;
  MotionReadOptions options_;
  std::size_t count_ = 0;
};

std::shared_ptr<FrameSource> select(std::shared_ptr<FrameSource> source, const MotionReadOptions& options,
                                    const std::string& name) {
  const ErrorPlace place{.file = name};
  if (options.mesh && source->vertex_count() != options.mesh->vertex_count())
    throw Error(place,
                "the motion has " + std::to_string(source->vertex_count()) + " vertices, but the mesh has " +
                    std::to_string(options.mesh->vertex_count()),
                "export mesh and motion from the same object, with the same modifiers");
  if (options.step == 0) throw Error(place, "the step between frames is 0", "give 1 or more");
  if (!std::isfinite(options.scale) || options.scale == 0) throw Error(place, "the scale is not a usable factor");
  if (options.first == 0 && options.step == 1 && options.scale == 1 && options.last >= source->frame_count() - 1)
    return source;
  const auto selected = std::make_shared<SelectedFrames>(source, options);
  if (selected->frame_count() == 0)
    throw Error(place, "no frame is chosen", "the motion has frames 0 to " + std::to_string(source->frame_count() - 1));
  return selected;
}

std::shared_ptr<FrameSource> open_gltf(ByteSource& source, const MotionReadOptions& options,
                                       const GltfResolver& resolve) {
  const std::string bytes = source.opening(std::numeric_limits<std::size_t>::max());
  return select(open_gltf_motion(bytes, source.name(), resolve, options.animation, options.frames_per_second), options,
                source.name());
}

std::shared_ptr<FrameSource> open_cache(std::unique_ptr<ByteSource> source, const MotionReadOptions& options,
                                        bool is_file) {
  const std::string name = source->name();
  const MotionFormat format = format_of(*source, options);
  if (format == MotionFormat::gltf)
    return open_gltf(*source, options, is_file ? resolver_beside(name) : no_resolver(name));
  const PointCacheLayout layout = read_header(*source, format);
  return select(std::make_shared<PointCache>(std::move(source), layout), options, name);
}

bool is_sequence(const std::string& path, MotionFormat format) {
  return format == MotionFormat::sequence || (format == MotionFormat::automatic && names_sequence(path));
}
bool is_pvd(const std::string& path, MotionFormat format) {
  return format == MotionFormat::pvd || (format == MotionFormat::automatic && extension_of(path) == ".pvd");
}

}  // namespace

std::shared_ptr<FrameSource> open_motion(const std::string& path, const MotionReadOptions& options) {
  if (is_sequence(path, options.format)) {
    const FrameChoice choice{options.first, options.last, options.step};
    return select(open_sequence(path, options.mesh, choice), options, path);
  }
  if (is_pvd(path, options.format)) return select(open_pvd(path, options.mesh), options, path);
  return open_cache(std::make_unique<InputFile>(path), options, true);
}

std::optional<MeshFile> read_motion_mesh(const std::string& path, MotionFormat format) {
  if (is_sequence(path, format)) return read_mesh_file(find_sequence(path).front().path);
  if (is_pvd(path, format)) return read_mesh_file(list_pvd(path).front());
  InputFile file(path);
  if (format_of(file, {.format = format}) != MotionFormat::gltf) return std::nullopt;
  return read_mesh_file(path, {.format = MeshFormat::gltf});
}

std::shared_ptr<FrameSource> open_motion_bytes(std::string bytes, const std::string& name,
                                               const MotionReadOptions& options) {
  return open_cache(std::make_unique<MemorySource>(std::move(bytes), name), options, false);
}

std::vector<double> read_times(const std::string& path) {
  InputFile file(path);
  std::vector<double> times = read_npy_vector(file);
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (times[k] >= times[k - 1]) continue;
    std::string problem = "the time ";
    append_decimal(problem, times[k]);
    problem += " lies before that of the frame before, ";
    append_decimal(problem, times[k - 1]);
    throw Error(ErrorPlace{.file = path, .element = "value " + std::to_string(k)}, problem,
                "times go forward, as the frames do");
  }
  return times;
}

}  // namespace pliant
