// glTF 2.0 out: a mesh, and its motion as morph targets whose weights are animated.
#include <array>
#include <filesystem>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/frame_sink.h"
#include "pliant/io/json_writer.h"
#include "pliant/io/mesh_format.h"

namespace pliant {
namespace {

constexpr int kFloat = 5126, kUnsigned = 5125;
constexpr int kVertexData = 34962, kIndexData = 34963;  // what a view is for
constexpr std::uint64_t kGlbHeader = 12, kChunkHeader = 8;

// Least and greatest coordinates of an accessor, which glTF asks for.
struct Bounds {
  Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 max = -min;
  void add(const Vec3& p) {
    min = min.cwiseMin(p);
    max = max.cwiseMax(p);
  }
};

// Of a file name within a relative reference.
std::string encode_uri(const std::string& name) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    if (plain || (c >= '0' && c <= '9') || std::string_view("-._~").find(c) != std::string_view::npos) result += c;
    else result += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return result;
}

// The binary data are, in this order: indices, frame 0, the differences of all other frames from it, times, weights.
// The JSON stands before them in a .glb, but says what is known only after them (bounds); room is kept for the longest
// it can become, and what is left of it filled with blanks.
class GltfSink : public FrameSink {
 public:
  GltfSink(const std::string& path, const MotionWriteOptions& options)
      : path_(path), mesh_(options.mesh), frames_(options.frame_count), frames_per_second_(options.frames_per_second) {
    is_binary_ = extension_of(path) != ".gltf";
    if (is_binary_) open_binary();
    else data_ = std::make_unique<OutputFile>(data_path());
    for (const Triangle& triangle : mesh_->triangles()) {
      for (const VertexId v : triangle) put(v.value);
    }
  }

  void add(std::span<const Vec3> positions) override {
    Bounds bounds;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      Vec3 written;
      for (int axis = 0; axis < 3; ++axis) written[axis] = coordinate(positions[v][axis], v, axis);
      bounds.add(written);
    }
    bounds_.push_back(bounds);
    flush();
  }

  void finish() override {
    if (frames_ > 1) put_animation();
    flush();
    if (is_binary_) {
      std::string json = format_json(bounds_);
      json.resize(json_room_, ' ');
      data_->write_at(kGlbHeader + kChunkHeader, json);
      data_->commit();
    } else {
      OutputFile text(path_);
      text.write(format_json(bounds_));
      data_->commit();
      text.commit();
    }
  }

  std::vector<std::string> dropped() const override {
    std::vector<std::string> dropped;
    if (!mesh_->origin().polygon_of_face.empty()) dropped.emplace_back("polygons (written as triangles)");
    if (!mesh_->origin().parts.empty()) dropped.emplace_back("names of parts");
    return dropped;
  }

 private:
  std::uint64_t index_bytes() const { return 12 * std::uint64_t{mesh_->face_count()}; }
  std::uint64_t frame_bytes() const { return 12 * std::uint64_t{mesh_->vertex_count()}; }
  std::uint64_t data_bytes() const {
    const std::uint64_t animation = frames_ > 1 ? 4 * frames_ * frames_ : 0;  // times, and a weight less per row
    return index_bytes() + frames_ * frame_bytes() + animation;
  }

  void open_binary() {
    Bounds longest;
    longest.min = longest.max = Vec3::Constant(std::numeric_limits<double>::lowest());
    json_room_ = (format_json(std::vector<Bounds>(frames_, longest)).size() + 3) / 4 * 4;
    const std::uint64_t size = kGlbHeader + 2 * kChunkHeader + json_room_ + data_bytes();
    if (size > std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorPlace{.file = path_}, "a .glb file holds 4 GB, and this motion needs more",
                  "write fewer frames, or .pc2");
    data_ = std::make_unique<OutputFile>(path_);
    for (const std::uint32_t word : {0x46546c67u, 2u, static_cast<std::uint32_t>(size)}) put(word);    // "glTF"
    for (const std::uint32_t word : {static_cast<std::uint32_t>(json_room_), 0x4e4f534au}) put(word);  // "JSON"
    bytes_.append(json_room_, ' ');
    for (const std::uint32_t word : {static_cast<std::uint32_t>(data_bytes()), 0x004e4942u}) put(word);  // "BIN"
  }

  // Of frame 0 as it is, of others what differs from it as it was written.
  double coordinate(double value, std::size_t vertex, int axis) {
    const FramePlace place{path_, bounds_.size(), vertex};
    const std::size_t i = 3 * vertex + static_cast<std::size_t>(axis);
    const float written =
        bounds_.empty() ? float_coordinate(value, place) : float_coordinate(value - double{base_[i]}, place);
    if (bounds_.empty()) base_.push_back(written);
    put(written);
    return written;
  }

  void put_animation() {
    for (std::uint64_t k = 0; k < frames_; ++k) put(static_cast<float>(static_cast<double>(k) / frames_per_second_));
    for (std::uint64_t k = 0; k < frames_; ++k) {
      for (std::uint64_t target = 1; target < frames_; ++target) put(target == k ? 1.0f : 0.0f);
      flush();
    }
  }

  template <class T>
  void put(T value) {
    append_little(bytes_, value);
  }
  void flush() {
    data_->write(bytes_);
    bytes_.clear();
  }

  std::string data_path() const { return std::filesystem::path(path_).replace_extension(".bin").string(); }

  std::string format_json(std::span<const Bounds> bounds) const {
    std::string text;
    JsonWriter json([&](std::string_view piece) { text += piece; });
    json.begin_object();
    json.key("asset").begin_object().field("version", "2.0").field("generator", "Pliant").end_object();
    json.field("scene", 0).key("scenes").begin_array().begin_object();
    json.key("nodes").begin_array().value(0).end_array().end_object().end_array();
    const std::string name = std::filesystem::path(path_).stem().string();
    json.key("nodes").begin_array().begin_object().field("name", name).field("mesh", 0).end_object().end_array();
    add_mesh(json, name);
    if (frames_ > 1) add_animation(json);
    add_accessors(json, bounds);
    add_views(json);
    json.key("buffers").begin_array().begin_object().field("byteLength", data_bytes());
    if (!is_binary_) json.field("uri", encode_uri(std::filesystem::path(data_path()).filename().string()));
    json.end_object().end_array().end_object().flush();
    return text;
  }

  // Accessor 0 holds the indices, 1 + k frame k; times and weights follow. Views likewise.
  void add_mesh(JsonWriter& json, const std::string& name) const {
    json.key("meshes").begin_array().begin_object().field("name", name).key("primitives").begin_array().begin_object();
    json.key("attributes").begin_object().field("POSITION", 1).end_object().field("indices", 0).field("mode", 4);
    if (frames_ > 1) {
      json.key("targets").begin_array();
      for (std::uint64_t k = 1; k < frames_; ++k) json.begin_object().field("POSITION", 1 + k).end_object();
      json.end_array();
    }
    json.end_object().end_array().end_object().end_array();
  }

  void add_animation(JsonWriter& json) const {
    json.key("animations").begin_array().begin_object().field("name", "motion");
    json.key("samplers").begin_array().begin_object();
    json.field("input", 1 + frames_).field("output", 2 + frames_).field("interpolation", "LINEAR");
    json.end_object().end_array().key("channels").begin_array().begin_object().field("sampler", 0);
    json.key("target").begin_object().field("node", 0).field("path", "weights").end_object();
    json.end_object().end_array().end_object().end_array();
  }

  void add_accessors(JsonWriter& json, std::span<const Bounds> bounds) const {
    json.key("accessors").begin_array();
    begin_accessor(json, {0, kUnsigned, 3 * std::uint64_t{mesh_->face_count()}, "SCALAR"}).end_object();
    for (std::uint64_t k = 0; k < frames_; ++k) {
      begin_accessor(json, {1 + k, kFloat, mesh_->vertex_count(), "VEC3"});
      json.field("min", bounds[k].min).field("max", bounds[k].max).end_object().new_line();
    }
    if (frames_ > 1) {
      begin_accessor(json, {1 + frames_, kFloat, frames_, "SCALAR"});
      const auto last = static_cast<float>(static_cast<double>(frames_ - 1) / frames_per_second_);
      json.key("min").begin_array().value(0.0).end_array();
      json.key("max").begin_array().value(double{last}).end_array().end_object();
      begin_accessor(json, {2 + frames_, kFloat, frames_ * (frames_ - 1), "SCALAR"}).end_object();
    }
    json.end_array();
  }

  struct Accessor {
    std::uint64_t view;
    int component;
    std::uint64_t count;
    const char* type;
  };
  static JsonWriter& begin_accessor(JsonWriter& json, const Accessor& accessor) {
    json.begin_object().field("bufferView", accessor.view).field("componentType", accessor.component);
    return json.field("count", accessor.count).field("type", accessor.type);
  }

  void add_views(JsonWriter& json) const {
    std::uint64_t offset = 0;
    const auto view = [&](std::uint64_t size, int target) {
      json.begin_object().field("buffer", 0).field("byteOffset", offset).field("byteLength", size);
      if (target != 0) json.field("target", target);
      json.end_object().new_line();
      offset += size;
    };
    json.key("bufferViews").begin_array();
    view(index_bytes(), kIndexData);
    for (std::uint64_t k = 0; k < frames_; ++k) view(frame_bytes(), kVertexData);
    if (frames_ > 1) {
      view(4 * frames_, 0);
      view(4 * frames_ * (frames_ - 1), 0);
    }
    json.end_array();
  }

  std::string path_;
  MeshPtr mesh_;
  std::uint64_t frames_;
  double frames_per_second_;
  bool is_binary_ = true;
  std::size_t json_room_ = 0;
  std::unique_ptr<OutputFile> data_;  // the .glb itself, or the .bin beside the .gltf
  std::string bytes_;                 // not yet written
  std::vector<float> base_;           // frame 0 as written
  std::vector<Bounds> bounds_;        // of the frames written so far
};

}  // namespace

std::unique_ptr<FrameSink> make_gltf_sink(const std::string& path, const MotionWriteOptions& options) {
  return std::make_unique<GltfSink>(path, options);
}

}  // namespace pliant
