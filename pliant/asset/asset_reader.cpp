#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/asset/asset_file.h"
#include "pliant/asset/asset_layout.h"
#include "pliant/asset/checksum.h"
#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"

namespace pliant {
namespace {

using namespace asset_layout;

constexpr const char* kDamaged = "the file is damaged: copy it again, or prepare the asset anew";
constexpr const char* kPrepareAnew = "prepare the asset anew";

struct Entry {
  std::string name;
  std::string_view content;
  std::uint32_t checksum = 0;
  std::uint32_t flags = 0;
};

std::string quoted(std::string_view name) { return "section '" + std::string(name) + "'"; }

// Runs something that may throw Error, and names the file and the section in it.
template <class Call>
auto in_section(const std::string& file, std::string_view name, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    const std::string& element = error.place().element;
    throw Error(ErrorPlace{.file = file, .element = quoted(name) + (element.empty() ? "" : ", " + element)},
                error.problem(), error.remedy().empty() ? kPrepareAnew : error.remedy());
  }
}

// ---- the table of sections

std::uint32_t read_header(ByteReader& reader, std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) reader.fail("is not a Pliant asset", "make one with `pliant prepare MESH -o ASSET`");
  reader.take(kMagic.size(), "the header");
  const auto version = reader.take<std::uint32_t>(std::endian::little, "the header");
  if (version == 0 || version > kAssetVersion)
    reader.fail("is an asset of version " + std::to_string(version),
                "this program reads versions 1 to " + std::to_string(kAssetVersion) +
                    ": use a newer one, or prepare the asset anew");
  const auto count = reader.take<std::uint32_t>(std::endian::little, "the header");
  if (count > kMostSections) reader.fail("claims to have " + std::to_string(count) + " sections", kDamaged);
  return count;
}

Entry read_entry(ByteReader& reader, std::string_view bytes) {
  const std::size_t start = reader.offset();
  std::string name(reader.take(kNameSize, "the table of sections"), kNameSize);
  name.resize(std::min(name.find('\0'), name.size()));
  const auto offset = reader.take<std::uint64_t>(std::endian::little, "the table of sections");
  const auto size = reader.take<std::uint64_t>(std::endian::little, "the table of sections");
  Entry entry{.name = name};
  entry.checksum = reader.take<std::uint32_t>(std::endian::little, "the table of sections");
  entry.flags = reader.take<std::uint32_t>(std::endian::little, "the table of sections");
  if (!is_section_name(name)) reader.fail_at(start, "a section has no proper name", kDamaged);
  if (offset > bytes.size() || size > bytes.size() - offset)
    reader.fail_at(start, "the file ends inside the section", "it is truncated: copy it again", quoted(name));
  entry.content = bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  return entry;
}

std::vector<Entry> read_table(std::string_view bytes, const std::string& file, const AssetReadOptions& options) {
  ByteReader reader(bytes, file);
  const std::uint32_t count = read_header(reader, bytes);
  if (count * kEntrySize > reader.remaining()) reader.fail("the file ends inside the table of sections", kDamaged);
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < count; ++i) entries.push_back(read_entry(reader, bytes));
  const std::size_t end = reader.offset();
  const auto checksum = reader.take<std::uint32_t>(std::endian::little, "the table of sections");
  if (options.checksums && checksum != crc32(bytes.substr(0, end)))
    reader.fail_at(end, "the checksum of the table of sections is wrong", kDamaged);
  // Sections that lie over each other would let a small file ask for much memory.
  std::uint64_t total = end;
  for (const Entry& entry : entries) total += entry.content.size();
  if (total > bytes.size()) reader.fail_at(kHeaderSize, "sections lie over each other", kDamaged);
  return entries;
}

// ---- one section

// Counts first, then arrays whose sizes follow from them: all of it is compared with the size of the section before
// anything is allocated.
class SectionReader {
 public:
  explicit SectionReader(std::string_view bytes) : reader_(bytes, {}) {}

  std::uint32_t count() { return reader_.take<std::uint32_t>(std::endian::little, "its counts"); }
  void require_size(std::uint64_t size) const {
    if (reader_.remaining() != size)
      throw Error(
          "has " + std::to_string(reader_.remaining()) + " bytes of data, its counts ask for " + std::to_string(size),
          kDamaged);
  }
  std::vector<Vec3> points(std::size_t count) {
    std::vector<Vec3> result(count);
    const char* from = reader_.take(count * 24, "its points");
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis)
        result[i][static_cast<int>(axis)] = load_little<double>(from + 24 * i + 8 * axis);
    return result;
  }
  std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> result(count);
    const char* from = reader_.take(count * 4, "its numbers");
    for (std::size_t i = 0; i < count; ++i) result[i] = load_little<std::uint32_t>(from + 4 * i);
    return result;
  }
  template <std::size_t N>
  std::vector<std::array<VertexId, N>> cells(std::size_t count) {
    const std::vector<std::uint32_t> flat = numbers(N * count);
    std::vector<std::array<VertexId, N>> result(count);
    for (std::size_t i = 0; i < flat.size(); ++i) result[i / N][i % N] = VertexId(flat[i]);
    return result;
  }
  std::string text(std::size_t size) { return {reader_.take(size, "its name"), size}; }

 private:
  ByteReader reader_;
};

MeshPtr parse_surface(std::string_view bytes) {
  SectionReader reader(bytes);
  const std::uint32_t vertices = reader.count(), faces = reader.count(), name_size = reader.count(),
                      flags = reader.count();
  const bool names_vertices = (flags & kFileVerticesFlag) != 0;
  reader.require_size(std::uint64_t{vertices} * (names_vertices ? 28 : 24) + std::uint64_t{faces} * 12 + name_size);
  if (faces == 0) throw Error("the mesh has no faces");
  std::vector<Vec3> positions = reader.points(vertices);
  std::vector<Triangle> triangles = reader.cells<3>(faces);
  MeshOrigin origin;
  if (names_vertices) origin.vertex_in_file = reader.numbers(vertices);
  origin.name = reader.text(name_size);
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), std::move(origin));
}

// A body must have mass everywhere: tetrahedra with volume, on every vertex one.
void require_mass(const TetMesh& mesh) {
  std::vector<bool> has_mass(mesh.vertex_count(), false);
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) {
    const double volume = mesh.tet_volume(TetId(t));
    if (!(volume > 0) || !std::isfinite(volume))
      throw Error(
          ErrorPlace{.element = "tetrahedron " + std::to_string(t)},
          "its volume is " + std::string(volume > 0 ? "not finite" : "too small for its mass to be above zero"));
    for (const VertexId v : mesh.tets()[t]) has_mass[v.index()] = true;
  }
  const auto without = std::find(has_mass.begin(), has_mass.end(), false);
  if (without != has_mass.end())
    throw Error(ErrorPlace{.element = "vertex " + std::to_string(without - has_mass.begin())},
                "has no mass: it is on no tetrahedron");
}

std::shared_ptr<const TetMesh> parse_tets_section(std::string_view bytes) {
  SectionReader reader(bytes);
  const std::uint32_t vertices = reader.count(), tets = reader.count();
  reader.require_size(std::uint64_t{vertices} * 24 + std::uint64_t{tets} * 16);
  if (tets == 0) throw Error("there are no tetrahedra");
  std::vector<Vec3> positions = reader.points(vertices);
  const std::vector<Tet> cells = reader.cells<4>(tets);
  auto mesh = std::make_shared<const TetMesh>(std::move(positions), cells);
  if (mesh->flipped_count() > 0) {
    const auto turned = std::mismatch(cells.begin(), cells.end(), mesh->tets().begin()).first - cells.begin();
    throw Error(ErrorPlace{.element = "tetrahedron " + std::to_string(turned)},
                "is inside out, and so are " + std::to_string(mesh->flipped_count() - 1) + " others");
  }
  require_mass(*mesh);
  return mesh;
}

std::shared_ptr<const RigidLinks> parse_links(std::string_view bytes, const Asset& asset) {
  SectionReader reader(bytes);
  const std::uint32_t count = reader.count();
  reader.require_size(std::uint64_t{count} * 12);
  const auto triples = reader.cells<3>(count);
  return std::make_shared<const RigidLinks>(asset.dense->positions(), asset.tets->surface()->positions(), triples);
}

std::shared_ptr<const BarycentricEmbedding> parse_embedding(std::string_view bytes, const Asset& asset) {
  SectionReader reader(bytes);
  const std::uint32_t count = reader.count();
  reader.require_size(std::uint64_t{count} * 4);
  const std::vector<std::uint32_t> numbers = reader.numbers(count);
  const std::vector<TetId> tets(numbers.begin(), numbers.end());
  return std::make_shared<const BarycentricEmbedding>(asset.dense->positions(), *asset.tets, tets);
}

// ---- the whole

class AssetParser {
  // Before their use: their types are deduced.
  template <class Parse>
  auto required(std::string_view name, Parse&& parse) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
      throw Error(ErrorPlace{.file = file_}, "the asset has no " + quoted(name) + ": a mesh is missing", kPrepareAnew);
    return in_section(file_, name, [&] { return parse(found->second->content); });
  }
  template <class Parse>
  void optional(std::string_view name, Parse&& parse) const {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) in_section(file_, name, [&] { parse(found->second->content); });
  }

 public:
  AssetParser(std::vector<Entry> entries, const std::string& file) : file_(file), entries_(std::move(entries)) {
    for (const Entry& entry : entries_) {
      if (!by_name_.emplace(entry.name, &entry).second)
        throw Error(ErrorPlace{.file = file_, .element = quoted(entry.name)}, "occurs twice", kDamaged);
    }
  }

  void require_checksums() const {
    for (const Entry& entry : entries_)
      if (crc32(entry.content) != entry.checksum)
        throw Error(ErrorPlace{.file = file_, .element = quoted(entry.name)}, "its checksum is wrong", kDamaged);
  }

  Asset parse(const std::vector<std::string>& known) const {
    Asset asset;
    asset.dense = required(kDense, [](std::string_view bytes) { return parse_surface(bytes); });
    asset.coarse = required(kCoarse, [](std::string_view bytes) { return parse_surface(bytes); });
    asset.tets = required(kTets, [](std::string_view bytes) { return parse_tets_section(bytes); });
    optional(kLinks, [&](std::string_view bytes) { asset.links = parse_links(bytes, asset); });
    optional(kEmbedding, [&](std::string_view bytes) { asset.embedding = parse_embedding(bytes, asset); });
    optional(kReport, [&](std::string_view bytes) { asset.report = bytes; });
    for (const Entry& entry : entries_)
      if (!is_own_section(entry.name)) asset.sections.push_back(foreign(entry, known));
    return asset;
  }

 private:
  AssetSection foreign(const Entry& entry, const std::vector<std::string>& known) const {
    const bool needed = (entry.flags & kNeededFlag) != 0;
    if (needed && std::find(known.begin(), known.end(), entry.name) == known.end())
      throw Error(ErrorPlace{.file = file_, .element = quoted(entry.name)},
                  "is needed to use the asset, and this program does not know it",
                  "use a newer version, or prepare the asset anew");
    return {entry.name, std::string(entry.content), needed};
  }

  const std::string& file_;
  std::vector<Entry> entries_;
  std::map<std::string_view, const Entry*> by_name_;
};

}  // namespace

Asset parse_asset(std::string_view bytes, const std::string& name, const AssetReadOptions& options) {
  const AssetParser parser(read_table(bytes, name, options), name);
  if (options.checksums) parser.require_checksums();
  return parser.parse(options.known);
}

Asset read_asset(const std::string& path, const AssetReadOptions& options) {
  const FileBytes bytes = read_file(path);
  return parse_asset(bytes.view(), path, options);
}

}  // namespace pliant
