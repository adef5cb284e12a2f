#include "pliant/io/gltf_writer.h"

#include <algorithm>
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

// Of parts, one after the other: told apart at a glance, by people who do not see all colours too.
constexpr std::array<std::array<double, 3>, 6> kColours = {{{0.55, 0.57, 0.60},
                                                            {0.80, 0.36, 0.16},
                                                            {0.20, 0.45, 0.70},
                                                            {0.90, 0.66, 0.20},
                                                            {0.25, 0.55, 0.40},
                                                            {0.62, 0.40, 0.60}}};

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

std::uint64_t index_bytes(const GltfPart& part) { return 12 * std::uint64_t{part.mesh->face_count()}; }
std::uint64_t frame_bytes(const GltfPart& part) { return 12 * std::uint64_t{part.mesh->vertex_count()}; }

}  // namespace

// The text of a file. Accessor 0 of a part holds its indices, 1 + k its frame k; parts follow each other; times and
// weights come last. Views likewise.
class GltfWriter::Json {
 public:
  Json(const GltfWriter& file, std::span<const Bounds> bounds)
      : file_(file), bounds_(bounds), json_([this](std::string_view chunk) { text_ += chunk; }) {
    std::uint64_t first = 0;
    for (const GltfPart& part : file.parts_) {
      first_.push_back(first);
      first += 1 + part.frames;
    }
    times_ = first;
  }

  std::string format() {
    json_.begin_object();
    json_.key("asset").begin_object().field("version", "2.0").field("generator", "Pliant").end_object();
    add_nodes();
    add_meshes();
    if (file_.settings_.for_eyes) add_materials();
    if (moves()) add_animation();
    add_accessors();
    add_views();
    json_.key("buffers").begin_array().begin_object().field("byteLength", file_.data_bytes());
    if (!file_.is_binary_) json_.field("uri", encode_uri(std::filesystem::path(file_.data_path()).filename().string()));
    json_.end_object().end_array().end_object().flush();
    return std::move(text_);
  }

 private:
  const std::vector<GltfPart>& parts() const { return file_.parts_; }
  bool moves() const { return file_.frames_ > 1; }

  // A node for each part, in its order; then, for eyes, the one that turns them all.
  void add_nodes() {
    json_.field("scene", 0).key("scenes").begin_array().begin_object().key("nodes").begin_array();
    if (file_.settings_.for_eyes) json_.value(parts().size());
    else add_numbers();
    json_.end_array().end_object().end_array().key("nodes").begin_array();
    for (std::size_t p = 0; p < parts().size(); ++p)
      json_.begin_object().field("name", parts()[p].name).field("mesh", p).end_object();
    if (file_.settings_.for_eyes) {
      json_.begin_object().field("name", "z up").key("matrix").begin_array();
      for (const int number : {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}) json_.value(number);  // by columns
      json_.end_array().key("children").begin_array();
      add_numbers();
      json_.end_array().end_object();
    }
    json_.end_array();
  }
  void add_numbers() {
    for (std::size_t p = 0; p < parts().size(); ++p) json_.value(p);
  }

  void add_meshes() {
    json_.key("meshes").begin_array();
    for (std::size_t p = 0; p < parts().size(); ++p) {
      json_.begin_object().field("name", parts()[p].name).key("primitives").begin_array().begin_object();
      json_.key("attributes").begin_object().field("POSITION", first_[p] + 1).end_object();
      json_.field("indices", first_[p]).field("mode", 4);
      if (file_.settings_.for_eyes) json_.field("material", p % kColours.size());
      if (parts()[p].frames > 1) {
        json_.key("targets").begin_array();
        for (std::uint64_t k = 1; k < parts()[p].frames; ++k)
          json_.begin_object().field("POSITION", first_[p] + 1 + k).end_object();
        json_.end_array();
      }
      json_.end_object().end_array().end_object();
    }
    json_.end_array();
  }

  void add_materials() {
    json_.key("materials").begin_array();
    for (std::size_t i = 0; i < std::min(kColours.size(), parts().size()); ++i) {
      json_.begin_object().field("doubleSided", true).key("pbrMetallicRoughness").begin_object();
      json_.key("baseColorFactor").begin_array();
      for (const double channel : kColours[i]) json_.value(channel);
      json_.value(1).end_array().field("metallicFactor", 0).field("roughnessFactor", 0.7).end_object().end_object();
    }
    json_.end_array();
  }

  void add_animation() {
    json_.key("animations").begin_array().begin_object().field("name", "motion");
    json_.key("samplers").begin_array().begin_object();
    json_.field("input", times_).field("output", times_ + 1).field("interpolation", "LINEAR");
    json_.end_object().end_array().key("channels").begin_array();
    for (std::size_t p = 0; p < parts().size(); ++p) {
      if (parts()[p].frames == 1) continue;
      json_.begin_object().field("sampler", 0);
      json_.key("target").begin_object().field("node", p).field("path", "weights").end_object().end_object();
    }
    json_.end_array().end_object().end_array();
  }

  void add_accessors() {
    json_.key("accessors").begin_array();
    std::size_t row = 0;
    for (std::size_t p = 0; p < parts().size(); ++p) {
      const TriangleMesh& mesh = *parts()[p].mesh;
      begin_accessor({first_[p], kUnsigned, 3 * std::uint64_t{mesh.face_count()}, "SCALAR"}).end_object();
      for (std::uint64_t k = 0; k < parts()[p].frames; ++k, ++row) {
        begin_accessor({first_[p] + 1 + k, kFloat, mesh.vertex_count(), "VEC3"});
        json_.field("min", bounds_[row].min).field("max", bounds_[row].max).end_object().new_line();
      }
    }
    if (moves()) {
      const std::uint64_t frames = file_.frames_;
      begin_accessor({times_, kFloat, frames, "SCALAR"});
      const auto last = static_cast<float>(static_cast<double>(frames - 1) / file_.settings_.frames_per_second);
      json_.key("min").begin_array().value(0.0).end_array();
      json_.key("max").begin_array().value(double{last}).end_array().end_object();
      begin_accessor({times_ + 1, kFloat, frames * (frames - 1), "SCALAR"}).end_object();
    }
    json_.end_array();
  }

  JsonWriter& begin_accessor(const Accessor& accessor) {
    json_.begin_object().field("bufferView", accessor.view).field("componentType", accessor.component);
    return json_.field("count", accessor.count).field("type", accessor.type);
  }

  void add_views() {
    json_.key("bufferViews").begin_array();
    for (const GltfPart& part : parts()) {
      add_view(index_bytes(part), kIndexData);
      for (std::uint64_t k = 0; k < part.frames; ++k) add_view(frame_bytes(part), kVertexData);
    }
    if (moves()) {
      add_view(4 * file_.frames_, 0);
      add_view(4 * file_.frames_ * (file_.frames_ - 1), 0);
    }
    json_.end_array();
  }
  void add_view(std::uint64_t size, int target) {
    json_.begin_object().field("buffer", 0).field("byteOffset", offset_).field("byteLength", size);
    if (target != 0) json_.field("target", target);
    json_.end_object().new_line();
    offset_ += size;
  }

  const GltfWriter& file_;
  std::span<const Bounds> bounds_;
  std::string text_;
  JsonWriter json_;
  std::vector<std::uint64_t> first_;  // accessor of each part
  std::uint64_t times_ = 0;           // their accessor
  std::uint64_t offset_ = 0;          // of the next view
};

GltfWriter::GltfWriter(const std::string& path, std::vector<GltfPart> parts, const GltfWriterSettings& settings)
    : path_(path), parts_(std::move(parts)), settings_(settings) {
  for (const GltfPart& part : parts_) frames_ = std::max(frames_, part.frames);
  is_binary_ = extension_of(path) != ".gltf";
  if (is_binary_) open_binary();
  else data_ = std::make_unique<OutputFile>(data_path());
  begin_part();
}

void GltfWriter::begin_part() {
  if (part_ == parts_.size()) return;
  base_.clear();
  frame_ = 0;
  for (const Triangle& triangle : parts_[part_].mesh->triangles()) {
    for (const VertexId v : triangle) put(v.value);
  }
}

void GltfWriter::add(std::span<const Vec3> positions) {
  Bounds bounds;
  bounds.min.setConstant(std::numeric_limits<double>::infinity());
  bounds.max = -bounds.min;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    Vec3 written;
    for (int axis = 0; axis < 3; ++axis) written[axis] = coordinate(positions[v][axis], v, axis);
    bounds.min = bounds.min.cwiseMin(written);
    bounds.max = bounds.max.cwiseMax(written);
  }
  bounds_.push_back(bounds);
  if (++frame_ == parts_[part_].frames) {
    ++part_;
    begin_part();
  }
  flush();
}

void GltfWriter::finish() {
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

std::uint64_t GltfWriter::data_bytes() const {
  std::uint64_t bytes = frames_ > 1 ? 4 * frames_ * frames_ : 0;  // times, and a weight less per row
  for (const GltfPart& part : parts_) bytes += index_bytes(part) + part.frames * frame_bytes(part);
  return bytes;
}

std::uint64_t GltfWriter::total_frames() const {
  std::uint64_t frames = 0;
  for (const GltfPart& part : parts_) frames += part.frames;
  return frames;
}

void GltfWriter::open_binary() {
  Bounds longest;
  longest.min = longest.max = Vec3::Constant(std::numeric_limits<double>::lowest());
  json_room_ = (format_json(std::vector<Bounds>(total_frames(), longest)).size() + 3) / 4 * 4;
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
double GltfWriter::coordinate(double value, std::size_t vertex, int axis) {
  const FramePlace place{path_, frame_, vertex};
  const std::size_t i = 3 * vertex + static_cast<std::size_t>(axis);
  const float written =
      frame_ == 0 ? float_coordinate(value, place) : float_coordinate(value - double{base_[i]}, place);
  if (frame_ == 0) base_.push_back(written);
  put(written);
  return written;
}

void GltfWriter::put_animation() {
  for (std::uint64_t k = 0; k < frames_; ++k)
    put(static_cast<float>(static_cast<double>(k) / settings_.frames_per_second));
  for (std::uint64_t k = 0; k < frames_; ++k) {
    for (std::uint64_t target = 1; target < frames_; ++target) put(target == k ? 1.0f : 0.0f);
    flush();
  }
}

template <class T>
void GltfWriter::put(T value) {
  append_little(bytes_, value);
}

void GltfWriter::flush() {
  data_->write(bytes_);
  bytes_.clear();
}

std::string GltfWriter::data_path() const { return std::filesystem::path(path_).replace_extension(".bin").string(); }

std::string GltfWriter::format_json(std::span<const Bounds> bounds) const { return Json(*this, bounds).format(); }

}  // namespace pliant
