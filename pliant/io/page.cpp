#include "pliant/io/page.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "pliant/core/error.h"
#include "pliant/io/base64.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"

namespace pliant {
namespace {

constexpr std::string_view kSlot = "<!--pliant:data-->";
constexpr double kSteps = 65535;

// Text in a script element: a name must not end it.
void append_escaped(std::string& to, std::string_view json) {
  for (const char c : json)
    if (c == '<') to += "\\u003c";
    else to += c;
}

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(std::span<const Vec3> positions) {
    for (const Vec3& x : positions) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
  }
};

// Where the numbers of one body, or one array, stand among the page's bytes.
struct BodyPlace {
  Box box;
  std::vector<std::size_t> frames;  // of its motion
  std::uint64_t triangles = 0;
  std::uint64_t positions = 0;
};

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

std::uint64_t row_bytes(const PageBody& body) { return 6 * std::uint64_t(body.mesh->vertex_count()); }

std::size_t size_of(const PageArray& array) {
  return std::visit([](const auto& numbers) { return numbers.size(); }, array.numbers);
}

// The page's bytes as text, in elements that a browser can take apart one at a time.
class BlockWriter {
 public:
  explicit BlockWriter(OutputFile& file) : file_(file) {}

  void add(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kChunk) write(buffer_.size() / 3 * 3);
  }
  void pad() { add(std::string(padded(total()) - total(), '\0')); }
  void finish() { write(buffer_.size()); }

 private:
  static constexpr std::size_t kChunk = 3 << 20;

  std::uint64_t total() const { return written_ + buffer_.size(); }
  void write(std::size_t count) {
    if (count == 0) return;
    std::string text = "<script type=\"text/plain\" class=\"pliant-block\">";
    append_base64(text, std::string_view(buffer_).substr(0, count));
    file_.write(text + "</script>\n");
    buffer_.erase(0, count);
    written_ += count;
  }

  OutputFile& file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

std::vector<std::size_t> frames_of(const PageBody& body, const std::vector<std::size_t>& kept) {
  return body.motion.moves() ? kept : std::vector<std::size_t>{0};
}

std::vector<BodyPlace> place_bodies(const PageContent& content, const std::vector<std::size_t>& kept) {
  std::vector<BodyPlace> places;
  std::uint64_t at = 0;
  for (const PageBody& body : content.bodies) {
    BodyPlace place;
    place.frames = frames_of(body, kept);
    for (const std::size_t frame : place.frames) place.box.add(body.motion.frame(frame).positions());
    place.triangles = at;
    at += 12 * std::uint64_t(body.mesh->face_count());
    place.positions = at;
    at += padded(row_bytes(body) * place.frames.size());
    places.push_back(std::move(place));
  }
  return places;
}

std::uint64_t end_of(const PageContent& content, const std::vector<BodyPlace>& places) {
  if (places.empty()) return 0;
  return places.back().positions + padded(row_bytes(content.bodies.back()) * places.back().frames.size());
}

void write_body(JsonWriter& json, const PageBody& body, const BodyPlace& place) {
  json.new_line().begin_object().field("name", body.name).field("kind", body.kind);
  json.field("vertices", body.mesh->vertex_count()).field("triangles", body.mesh->face_count());
  json.field("low", place.box.low).field("high", place.box.high);
  json.field("rows", place.frames.size()).field("indices_at", place.triangles).field("positions_at", place.positions);
  json.end_object();
}

void write_arrays(JsonWriter& json, const PageContent& content, std::uint64_t at) {
  json.new_line().key("arrays").begin_object();
  for (const PageArray& array : content.arrays) {
    json.new_line().key(array.name).begin_object().field("type", array.numbers.index() == 0 ? "f32" : "u32");
    json.field("at", at).field("count", size_of(array)).end_object();
    at += 4 * std::uint64_t(size_of(array));
  }
  json.end_object();
}

std::string header(const PageContent& content, const std::vector<std::size_t>& kept,
                   const std::vector<BodyPlace>& places) {
  std::string text;
  JsonWriter json([&](std::string_view chunk) { append_escaped(text, chunk); });
  json.begin_object().field("schema", "pliant.page/1").field("title", content.title);
  json.key("up");
  if (content.up != 0) json.value(std::string(1, content.up));
  else json.null();
  json.field("frames", content.times.size()).key("times").begin_array();
  for (const std::size_t frame : kept) json.value(content.times[frame]);
  json.end_array().key("bodies").begin_array();
  for (std::size_t b = 0; b < places.size(); ++b) write_body(json, content.bodies[b], places[b]);
  json.end_array();
  write_arrays(json, content, end_of(content, places));
  if (content.fields) content.fields(json);
  json.end_object().flush();
  return text;
}

std::string quantised(std::span<const Vec3> positions, const Box& box) {
  std::string bytes;
  bytes.reserve(6 * positions.size());
  const Vec3 size = box.high - box.low;
  Vec3 scale;
  for (int axis = 0; axis < 3; ++axis) scale[axis] = size[axis] > 0 ? kSteps / size[axis] : 0;
  for (const Vec3& x : positions)
    for (int axis = 0; axis < 3; ++axis) {
      const double steps = std::clamp((x[axis] - box.low[axis]) * scale[axis], 0.0, kSteps);
      append_little(bytes, static_cast<std::uint16_t>(std::lround(steps)));
    }
  return bytes;
}

void write_geometry(BlockWriter& block, const PageBody& body, const BodyPlace& place) {
  std::string triangles;
  for (const Triangle& triangle : body.mesh->triangles())
    for (const VertexId v : triangle) append_little(triangles, v.value);
  block.add(triangles);
  for (const std::size_t frame : place.frames) block.add(quantised(body.motion.frame(frame).positions(), place.box));
  block.pad();
}

void write_array(BlockWriter& block, const PageArray& array) {
  std::string bytes;
  std::visit(
      [&](const auto& numbers) {
        for (const auto number : numbers) append_little(bytes, number);
      },
      array.numbers);
  block.add(bytes);
}

void require_same_frames(const PageContent& content) {
  if (content.times.empty()) throw Error("a page without a time", "give one for every frame");
  for (const PageBody& body : content.bodies)
    if (body.motion.moves() && body.motion.frame_count() != content.times.size())
      throw Error(body.name + " has " + std::to_string(body.motion.frame_count()) + " frames, and there are " +
                      std::to_string(content.times.size()) + " times",
                  "all that moves has the same frames");
}

}  // namespace

PageTemplate::PageTemplate(const std::string& path) : text_(read_file(path).view()), slot_(text_.find(kSlot)) {
  if (slot_ == std::string::npos)
    throw Error(ErrorPlace{.file = path}, "is no page to put data into", "build it with `make web`");
}

std::string_view PageTemplate::after() const { return std::string_view(text_).substr(slot_ + kSlot.size()); }

std::vector<std::size_t> choose_frames(std::size_t count, const std::vector<std::size_t>& needed,
                                       std::uint64_t bytes_per_frame, std::uint64_t most_bytes) {
  const std::uint64_t room = std::max<std::uint64_t>(2, most_bytes / std::max<std::uint64_t>(1, bytes_per_frame));
  const std::size_t step = std::max<std::size_t>(1, (count + room - 1) / room);
  std::vector<std::size_t> frames;
  for (std::size_t frame = 0; frame < count; frame += step) frames.push_back(frame);
  frames.push_back(count - 1);
  for (const std::size_t frame : needed)
    if (frame < count) frames.push_back(frame);
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

PageWritten write_page(const std::string& path, const PageTemplate& page, const PageContent& content,
                       std::uint64_t most_bytes) {
  require_same_frames(content);
  std::uint64_t bytes_per_frame = 0;
  for (const PageBody& body : content.bodies)
    if (body.motion.moves()) bytes_per_frame += row_bytes(body);
  const auto kept = choose_frames(content.times.size(), content.needed, bytes_per_frame, most_bytes);
  const std::vector<BodyPlace> places = place_bodies(content, kept);

  OutputFile file(path);
  file.write(page.before());
  file.write("<script type=\"application/json\" id=\"pliant-page\">" + header(content, kept, places) + "</script>\n");
  std::string document = "<script type=\"application/json\" id=\"pliant-document\">";
  append_escaped(document, content.document);
  file.write(document + "</script>\n");
  BlockWriter block(file);
  for (std::size_t b = 0; b < places.size(); ++b) write_geometry(block, content.bodies[b], places[b]);
  for (const PageArray& array : content.arrays) write_array(block, array);
  block.finish();
  file.write(page.after());
  file.commit();
  return {content.times.size(), kept.size()};
}

}  // namespace pliant
