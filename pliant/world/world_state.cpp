#include "pliant/world/world_state.h"

#include "pliant/io/byte_reader.h"

namespace pliant {
namespace {

constexpr std::string_view kMagic = "PLIANTWS";
constexpr std::uint32_t kVersion = 2;
constexpr std::endian kOrder = std::endian::little;

std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t h = 0xCBF29CE484222325ULL;  // FNV-1a
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return h;
}

void append_vectors(std::string& bytes, const std::vector<Vec3>& values) {
  append_little(bytes, std::uint64_t{values.size()});
  for (const Vec3& v : values)
    for (int i = 0; i < 3; ++i) append_little(bytes, v[i]);
}

void append_numbers(std::string& bytes, const std::vector<double>& values) {
  append_little(bytes, std::uint64_t{values.size()});
  for (const double value : values) append_little(bytes, value);
}

void append_pairs(std::string& bytes, const std::vector<WorldState::Pair>& pairs) {
  append_little(bytes, std::uint64_t{pairs.size()});
  for (const auto& [a, b] : pairs) {
    append_little(bytes, a);
    append_little(bytes, b);
  }
}

std::string content_of(const WorldState& state) {
  std::string bytes;
  append_little(bytes, state.frame);
  append_little(bytes, state.fraction);
  append_little(bytes, std::uint64_t{state.bodies.size()});
  for (const BodyState& body : state.bodies) {
    append_little(bytes, body.seconds);
    append_vectors(bytes, body.positions);
    append_vectors(bytes, body.velocities);
    append_vectors(bytes, body.forces);
  }
  append_numbers(bytes, state.calm_seconds);
  append_numbers(bytes, state.crept);
  append_little(bytes, static_cast<std::uint8_t>(state.knows_overlaps ? 1 : 0));
  append_pairs(bytes, state.overlapping);
  append_pairs(bytes, state.pushed);
  append_pairs(bytes, state.touching);
  return bytes;
}

// A count of things of `size` bytes each, which must all be there.
std::size_t read_count(ByteReader& reader, std::size_t size, const char* what) {
  const auto count = reader.take<std::uint64_t>(kOrder, what);
  if (count > reader.remaining() / size) reader.fail(std::string("more ") + what + " than the file holds");
  return static_cast<std::size_t>(count);
}

std::vector<Vec3> read_vectors(ByteReader& reader, const char* what) {
  std::vector<Vec3> values(read_count(reader, 3 * sizeof(double), what));
  for (Vec3& v : values)
    for (int i = 0; i < 3; ++i) v[i] = reader.take<double>(kOrder, what);
  return values;
}

std::vector<double> read_numbers(ByteReader& reader, const char* what) {
  std::vector<double> values(read_count(reader, sizeof(double), what));
  for (double& value : values) value = reader.take<double>(kOrder, what);
  return values;
}

std::vector<WorldState::Pair> read_pairs(ByteReader& reader, const char* what) {
  std::vector<WorldState::Pair> pairs(read_count(reader, 2 * sizeof(std::uint32_t), what));
  for (auto& [a, b] : pairs) {
    a = reader.take<std::uint32_t>(kOrder, what);
    b = reader.take<std::uint32_t>(kOrder, what);
  }
  return pairs;
}

}  // namespace

std::uint64_t hash_of(const WorldState& state) { return hash_bytes(content_of(state)); }

std::string format_state(const WorldState& state) {
  const std::string content = content_of(state);
  std::string bytes(kMagic);
  append_little(bytes, kVersion);
  append_little(bytes, hash_bytes(content));
  return bytes + content;
}

WorldState parse_state(const std::string& bytes, const std::string& name, const StateReadOptions& options) {
  ByteReader reader(bytes, name);
  if (std::string_view(reader.take(kMagic.size(), "its first word"), kMagic.size()) != kMagic)
    reader.fail_at(0, "this is not a stored world", "give the state.bin of a run");
  if (reader.take<std::uint32_t>(kOrder, "its version") != kVersion)
    reader.fail("a version that is not known here", "use the program that wrote it, or a later one");
  const auto hash = reader.take<std::uint64_t>(kOrder, "its checksum");
  if (options.checksum && hash != hash_bytes(std::string_view(bytes).substr(reader.offset())))
    reader.fail("the checksum is wrong", "the file is damaged: start the run again");
  WorldState state;
  state.frame = reader.take<std::uint64_t>(kOrder, "the frame");
  state.fraction = reader.take<double>(kOrder, "the frame");
  state.bodies.resize(read_count(reader, 4 * sizeof(double), "bodies"));
  for (BodyState& body : state.bodies) {
    body.seconds = reader.take<double>(kOrder, "a body's time");
    body.positions = read_vectors(reader, "positions");
    body.velocities = read_vectors(reader, "velocities");
    body.forces = read_vectors(reader, "forces");
  }
  state.calm_seconds = read_numbers(reader, "times of calm");
  state.crept = read_numbers(reader, "pushes in sleep");
  state.knows_overlaps = reader.take<std::uint8_t>(kOrder, "overlaps") != 0;
  state.overlapping = read_pairs(reader, "overlapping pairs");
  state.pushed = read_pairs(reader, "pushed pairs");
  state.touching = read_pairs(reader, "touching pairs");
  if (reader.remaining() > 0) reader.fail("more bytes than a world has");
  return state;
}

}  // namespace pliant
