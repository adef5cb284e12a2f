#include <algorithm>

#include "pliant/asset/asset_file.h"
#include "pliant/asset/asset_layout.h"
#include "pliant/asset/checksum.h"
#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"

namespace pliant {
namespace {

using namespace asset_layout;

void append_count(std::string& bytes, std::size_t count) { append_little(bytes, static_cast<std::uint32_t>(count)); }

void append_points(std::string& bytes, std::span<const Vec3> points) {
  for (const Vec3& p : points)
    for (int axis = 0; axis < 3; ++axis) append_little(bytes, p[axis]);
}

template <std::size_t N>
void append_cells(std::string& bytes, std::span<const std::array<VertexId, N>> cells) {
  for (const auto& cell : cells)
    for (const VertexId v : cell) append_little(bytes, v.value);
}

std::string format_surface(const TriangleMesh& mesh) {
  const MeshOrigin& origin = mesh.origin();
  std::string bytes;
  append_count(bytes, mesh.vertex_count());
  append_count(bytes, mesh.face_count());
  append_count(bytes, origin.name.size());
  append_little(bytes, origin.vertex_in_file.empty() ? 0U : kFileVerticesFlag);
  append_points(bytes, mesh.positions());
  append_cells(bytes, mesh.triangles());
  for (const std::uint32_t v : origin.vertex_in_file) append_little(bytes, v);
  return bytes + origin.name;
}

std::string format_tets_section(const TetMesh& mesh) {
  std::string bytes;
  append_count(bytes, mesh.vertex_count());
  append_count(bytes, mesh.tet_count());
  append_points(bytes, mesh.positions());
  append_cells(bytes, mesh.tets());
  return bytes;
}

std::string format_links(const RigidLinks& links) {
  std::string bytes;
  append_count(bytes, links.dense_count());
  for (const RigidLink& link : links.links())
    for (const VertexId v : links.triples()[link.triple]) append_little(bytes, v.value);
  return bytes;
}

std::string format_embedding(const BarycentricEmbedding& embedding) {
  std::string bytes;
  append_count(bytes, embedding.anchors().size());
  for (const auto& anchor : embedding.anchors()) append_little(bytes, anchor.tet.value);
  return bytes;
}

void require_complete(const Asset& asset) {
  if (!asset.dense || !asset.coarse || !asset.tets) throw Error("the asset has no mesh", "prepare it first");
  const bool fits = (!asset.links || (asset.links->dense_count() == asset.dense->vertex_count() &&
                                      asset.links->coarse_count() == asset.tets->surface()->vertex_count())) &&
                    (!asset.embedding || asset.embedding->anchors().size() == asset.dense->vertex_count());
  if (!fits) throw Error("the links of the asset belong to other meshes", "call link_dense");
  for (const AssetSection& section : asset.sections) {
    const ErrorPlace place{.element = "section '" + section.name + "'"};
    if (!is_section_name(section.name))
      throw Error(place, "is not a name for a section", "use 1 to 16 printable ASCII characters");
    if (is_own_section(section.name)) throw Error(place, "is written by the asset itself", "choose another name");
    if (asset.find_section(section.name) != &section) throw Error(place, "occurs twice");
  }
}

std::vector<AssetSection> all_sections(const Asset& asset) {
  std::vector<AssetSection> all;
  const auto add = [&](std::string_view name, std::string bytes) {
    all.push_back({std::string(name), std::move(bytes), false});
  };
  add(kDense, format_surface(*asset.dense));
  add(kCoarse, format_surface(*asset.coarse));
  add(kTets, format_tets_section(*asset.tets));
  if (asset.links) add(kLinks, format_links(*asset.links));
  if (asset.embedding) add(kEmbedding, format_embedding(*asset.embedding));
  if (!asset.report.empty()) add(kReport, asset.report);
  all.insert(all.end(), asset.sections.begin(), asset.sections.end());
  if (all.size() > kMostSections) throw Error("the asset has more sections than a file can hold");
  return all;
}

}  // namespace

std::string format_asset(const Asset& asset) {
  require_complete(asset);
  const std::vector<AssetSection> sections = all_sections(asset);
  std::string bytes(kMagic);
  append_little(bytes, kAssetVersion);
  append_count(bytes, sections.size());
  std::uint64_t offset = aligned(kHeaderSize + sections.size() * kEntrySize + sizeof(std::uint32_t));
  for (const AssetSection& section : sections) {
    std::string name = section.name;
    name.resize(kNameSize, '\0');
    bytes += name;
    append_little(bytes, offset);
    append_little(bytes, std::uint64_t{section.bytes.size()});
    append_little(bytes, crc32(section.bytes));
    append_little(bytes, section.needed ? kNeededFlag : 0U);
    offset += aligned(section.bytes.size());
  }
  append_little(bytes, crc32(bytes));
  bytes.resize(aligned(bytes.size()), '\0');
  for (const AssetSection& section : sections) {
    bytes += section.bytes;
    bytes.resize(aligned(bytes.size()), '\0');
  }
  return bytes;
}

void write_asset(const std::string& path, const Asset& asset) { write_file(path, format_asset(asset)); }

}  // namespace pliant
