#include "pliant/io/gltf_container.h"

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"

namespace pliant {
namespace {

std::string_view take_chunk(ByteReader& reader, std::uint32_t expected) {
  const auto size = reader.take<std::uint32_t>(std::endian::little, "a chunk");
  const auto kind = reader.take<std::uint32_t>(std::endian::little, "a chunk");
  if (kind != expected) reader.fail("a chunk of an unexpected kind", kGltfDamaged);
  return {reader.take(size, "a chunk"), size};
}

}  // namespace

GltfContainer open_gltf_container(std::string_view bytes, const std::string& name) {
  if (bytes.substr(0, 4) != "glTF") return {bytes, {}};
  ByteReader reader(bytes, name);
  reader.take(4, "the header");
  const auto version = reader.take<std::uint32_t>(std::endian::little, "the header");
  if (version != 2)
    reader.fail("version " + std::to_string(version) + " of binary glTF is not known", "export glTF 2.0");
  reader.take(4, "the header");
  GltfContainer container{take_chunk(reader, 0x4e4f534a), {}};
  if (reader.remaining() >= 8) container.binary = take_chunk(reader, 0x004e4942);
  return container;
}

void order_nodes(Gltf& gltf) {
  const auto fail = [&](const std::string& element, const std::string& problem) {
    throw Error(ErrorPlace{.file = gltf.name, .element = element}, problem, kGltfDamaged);
  };
  std::vector<std::size_t> parent_count(gltf.nodes.size());
  for (const GltfNode& node : gltf.nodes) {
    for (const std::size_t child : node.children) {
      if (++parent_count[child] > 1) fail("node " + std::to_string(child), "has two parents");
    }
  }
  for (std::size_t i = 0; i < gltf.nodes.size(); ++i) {
    if (parent_count[i] == 0) gltf.order.push_back(i);
  }
  for (std::size_t i = 0; i < gltf.order.size(); ++i) {
    for (const std::size_t child : gltf.nodes[gltf.order[i]].children) gltf.order.push_back(child);
  }
  if (gltf.order.size() != gltf.nodes.size()) fail("", "some nodes are their own ancestors");
  std::vector<bool> seen(gltf.nodes.size());
  for (const std::size_t root : gltf.roots) {
    if (parent_count[root] > 0 || seen[root]) fail("node " + std::to_string(root), "stands twice in the scene");
    seen[root] = true;
  }
}

}  // namespace pliant
