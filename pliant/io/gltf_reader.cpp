#include "pliant/io/gltf_reader.h"

#include <cmath>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/gltf_body.h"

namespace pliant {
namespace {

// "%20" and the like.
std::string decode_uri(const std::string& uri) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
  };
  std::string result;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool is_code = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    result += is_code ? static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
    if (is_code) i += 2;
  }
  return result;
}

class GltfFrames : public FrameSource {
 public:
  GltfFrames(Gltf gltf, std::size_t animation, double frames_per_second)
      : body_(std::move(gltf)), tracks_(body_.gltf(), animation), frames_per_second_(frames_per_second) {
    // A hair of room: times are floats, and may be decimals of the frame rate.
    const double rounding =
        2 * GltfTracks::kFloatRounding * std::max(std::abs(tracks_.start()), std::abs(tracks_.end()));
    const double frames = std::floor((tracks_.end() - tracks_.start() + rounding) * frames_per_second + 1e-6);
    if (!(frames < 1e9))
      throw Error(ErrorPlace{.file = body_.gltf().name}, "the animation has too many frames",
                  "choose a lower frame rate");
    frame_count_ = static_cast<std::size_t>(frames) + 1;
  }
  std::size_t vertex_count() const override { return body_.vertex_count(); }
  std::size_t frame_count() const override { return frame_count_; }
  Frame frame(std::size_t index) override {
    const double time = std::min(tracks_.start() + static_cast<double>(index) / frames_per_second_, tracks_.end());
    std::vector<Vec3> positions = body_.positions(tracks_.pose_at(body_.gltf(), time));
    for (std::size_t v = 0; v < positions.size(); ++v) {
      if (!positions[v].allFinite())
        throw Error(ErrorPlace{.file = body_.gltf().name,
                               .element = "frame " + std::to_string(index) + ", vertex " + std::to_string(v)},
                    "a coordinate is not a finite number", "the animation is damaged: export it again");
    }
    return Frame::own(std::move(positions));
  }

 private:
  GltfBody body_;
  GltfTracks tracks_;
  double frames_per_second_;
  std::size_t frame_count_ = 0;
};

}  // namespace

std::string path_beside(const std::string& path, const std::string& uri) {
  const std::filesystem::path relative = decode_uri(uri), normal = relative.lexically_normal();
  const std::string first = normal.begin() == normal.end() ? "" : normal.begin()->string();
  if (relative.is_absolute() || first == ".." || first.empty() || uri.find("://") != std::string::npos)
    throw Error(ErrorPlace{.file = path}, "names data outside of its folder: " + uri.substr(0, 80),
                "pack the file as .glb");
  return (std::filesystem::path(path).parent_path() / relative).string();
}

GltfResolver resolver_beside(const std::string& path) {
  return [path](const std::string& uri) { return std::string(read_file(path_beside(path, uri)).view()); };
}

GltfResolver no_resolver(const std::string& name) {
  return [name](const std::string& uri) -> std::string {
    throw Error(ErrorPlace{.file = name}, "its data are in another file: " + uri.substr(0, 80),
                "pack the file as .glb");
  };
}

MeshFile parse_gltf(std::string_view bytes, const std::string& name, const GltfResolver& resolve) {
  return GltfBody(load_gltf(bytes, name, resolve)).mesh();
}

std::shared_ptr<FrameSource> open_gltf_motion(std::string_view bytes, const std::string& name,
                                              const GltfResolver& resolve, std::size_t animation,
                                              double frames_per_second) {
  if (!std::isfinite(frames_per_second) || frames_per_second <= 0)
    throw Error(ErrorPlace{.file = name}, "the frame rate is not a positive number", "24 is usual");
  Gltf gltf = load_gltf(bytes, name, resolve);
  const bool has_any = animation < gltf.animations.size() && !gltf.animations[animation].channels.empty();
  if (!has_any)
    throw Error(ErrorPlace{.file = name, .element = "animation " + std::to_string(animation)},
                "there is no such animation", "the file has " + std::to_string(gltf.animations.size()));
  return std::make_shared<GltfFrames>(std::move(gltf), animation, frames_per_second);
}

}  // namespace pliant
