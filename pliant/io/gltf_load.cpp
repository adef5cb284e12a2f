// glTF 2.0 (Khronos specification 2.0.1): the JSON, and the checks that everything else relies on.
#include <algorithm>
#include <array>

#include "pliant/core/error.h"
#include "pliant/io/base64.h"
#include "pliant/io/gltf.h"
#include "pliant/io/gltf_container.h"
#include "pliant/io/gltf_types.h"
#include "pliant/io/json_value.h"

namespace pliant {
namespace {

using Json = JsonValue;

constexpr const char* kBrokenExport = kGltfDamaged;

class GltfLoader {
 public:
  GltfLoader(std::string_view bytes, const std::string& name, const GltfResolver& resolve)
      : bytes_(bytes), resolve_(resolve) {
    gltf_.name = name;
  }

  Gltf load() {
    try {
      const GltfContainer container = open_gltf_container(bytes_, gltf_.name);
      json_offset_ = static_cast<std::size_t>(container.json.data() - bytes_.data());
      binary_ = container.binary;
      json_ = Json::parse(container.json);
      if (!json_.is_object()) fail("", "not a glTF file");
      load_all();
    } catch (const JsonError& error) {
      if (error.byte != JsonError::kNowhere)
        throw Error(ErrorPlace{.file = gltf_.name, .byte = json_offset_ + error.byte}, "not proper JSON",
                    kBrokenExport);
      fail(element_, "a value has the wrong type");
    }
    return std::move(gltf_);
  }

 private:
  [[noreturn]] void fail(const std::string& element, const std::string& problem,
                         const std::string& remedy = kBrokenExport) const {
    throw Error(ErrorPlace{.file = gltf_.name, .element = element}, problem, remedy);
  }

  void load_all() {
    const auto asset = json_.find("asset");
    if (!asset || asset->value("version", std::string()).substr(0, 1) != "2")
      fail("", "not a glTF 2.0 file", "export glTF 2.0");
    for (const Json& extension : list(json_, "extensionsRequired")) refuse_extension(extension.get<std::string>());
    each("buffers", "buffer", [this](const Json& item) { load_buffer(item); });
    each("bufferViews", "buffer view", [this](const Json& item) { load_view(item); });
    each("accessors", "accessor", [this](const Json& item) { load_accessor(item); });
    each("meshes", "mesh", [this](const Json& item) { load_mesh(item); });
    node_count_ = list(json_, "nodes").size();
    skin_count_ = list(json_, "skins").size();
    each("nodes", "node", [this](const Json& item) { load_node(item); });
    each("skins", "skin", [this](const Json& item) { load_skin(item); });
    each("animations", "animation", [this](const Json& item) { load_animation(item); });
    load_scene();
    order_nodes(gltf_);
    for (const auto& [key, what] :
         {std::pair{"materials", "materials"}, {"textures", "textures"}, {"cameras", "cameras"}}) {
      if (!list(json_, key).empty()) gltf_.dropped.emplace_back(what);
    }
  }

  // Extensions that only describe looks may be asked for all the same.
  void refuse_extension(const std::string& name) const {
    for (const char* known :
         {"KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_", "KHR_mesh_quantization"}) {
      if (name.rfind(known, 0) == 0) return;
    }
    fail("", "the file needs the extension " + name.substr(0, 60), "export it without compression");
  }

  static const Json& list(const Json& parent, const char* key) {
    static const Json empty;
    const auto found = parent.find(key);
    if (!found) return empty;
    if (!found->is_array()) throw JsonError("not an array");
    return *found;
  }

  template <class Load>
  void each(const char* key, const char* kind, Load&& load) {
    std::size_t index = 0;
    for (const Json& item : list(json_, key)) {
      element_ = std::string(kind) + " " + std::to_string(index++);
      if (!item.is_object()) fail(element_, "is not an object");
      load(item);
    }
    element_.clear();
  }

  std::optional<std::size_t> optional_count(const Json& parent, const char* key) const {
    const auto found = parent.find(key);
    if (!found) return std::nullopt;
    if (!found->is_number_unsigned()) fail(element_, std::string(key) + " is not a count");
    return found->get<std::size_t>();
  }
  std::size_t count(const Json& parent, const char* key, std::optional<std::size_t> fallback = std::nullopt) const {
    const std::optional<std::size_t> value = optional_count(parent, key);
    if (!value && !fallback) fail(element_, std::string(key) + " is missing");
    return value ? *value : *fallback;
  }
  std::optional<std::size_t> optional_index(const Json& parent, const char* key, std::size_t size) const {
    const std::optional<std::size_t> value = optional_count(parent, key);
    if (value && *value >= size)
      fail(element_, std::string(key) + " " + std::to_string(*value) + " is out of range",
           "there are " + std::to_string(size));
    return value;
  }
  std::size_t index(const Json& parent, const char* key, std::size_t size) const {
    const std::optional<std::size_t> value = optional_index(parent, key, size);
    if (!value) fail(element_, std::string(key) + " is missing");
    return *value;
  }
  std::vector<std::size_t> indices(const Json& parent, const char* key, std::size_t size) const {
    std::vector<std::size_t> result;
    for (const Json& item : list(parent, key)) {
      if (!item.is_number_unsigned() || item.get<std::size_t>() >= size)
        fail(element_, std::string(key) + " are out of range", "there are " + std::to_string(size));
      result.push_back(item.get<std::size_t>());
    }
    return result;
  }
  std::vector<double> numbers(const Json& parent, const char* key) const {
    std::vector<double> result;
    for (const Json& item : list(parent, key)) {
      result.push_back(item.get<double>());
      if (!std::isfinite(result.back())) fail(element_, std::string(key) + " is not finite");
    }
    return result;
  }

  void load_buffer(const Json& item) {
    const std::size_t size = count(item, "byteLength");
    std::string data;
    const auto uri = item.find("uri");
    if (!uri) {
      if (!gltf_.buffers.empty() || binary_.empty()) fail(element_, "has no data");
      data = binary_;
    } else {
      data = load_uri(uri->get<std::string>());
    }
    if (data.size() < size)
      fail(element_, "claims " + std::to_string(size) + " bytes but has " + std::to_string(data.size()));
    gltf_.buffers.push_back(std::move(data));
  }

  std::string load_uri(const std::string& uri) const {
    if (uri.rfind("data:", 0) != 0) return resolve_(uri);
    const std::size_t comma = uri.find(',');
    if (comma == std::string::npos || uri.rfind(";base64", comma) == std::string::npos)
      fail(element_, "is not encoded as base64");
    const std::optional<std::string> data = decode_base64(std::string_view(uri).substr(comma + 1));
    if (!data) fail(element_, "is not proper base64");
    return *data;
  }

  void load_view(const Json& item) {
    GltfView view;
    view.buffer = index(item, "buffer", gltf_.buffers.size());
    view.offset = count(item, "byteOffset", 0);
    view.size = count(item, "byteLength");
    view.stride = count(item, "byteStride", 0);
    const std::size_t size = gltf_.buffers[view.buffer].size();
    if (view.offset > size || view.size > size - view.offset) fail(element_, "lies outside of its buffer");
    if (view.stride > 252) fail(element_, "has a stride of " + std::to_string(view.stride));
    gltf_.views.push_back(view);
  }

  // Whether so many elements, a stride apart, lie within a view.
  void require_within(std::size_t view, std::size_t offset, std::size_t stride, std::size_t element_size,
                      std::size_t elements) const {
    const std::size_t size = gltf_.views[view].size;
    if (elements == 0) return;
    if (offset > size || element_size > size - offset || elements - 1 > (size - offset - element_size) / stride)
      fail(element_, "reaches beyond the end of its buffer view",
           "its counts or offsets are wrong: export the file again");
  }

  void load_accessor(const Json& item) {
    GltfAccessor accessor;
    accessor.view = optional_index(item, "bufferView", gltf_.views.size());
    accessor.offset = count(item, "byteOffset", 0);
    accessor.component_type = static_cast<int>(std::min<std::size_t>(count(item, "componentType"), 10000));
    accessor.components = components_of(item.value("type", std::string()));
    accessor.count = count(item, "count");
    accessor.is_normalized = item.value("normalized", false);
    const std::size_t size = gltf_component_size(accessor.component_type) * accessor.components;
    if (size == 0) fail(element_, "has an unknown type");
    if (accessor.view) {
      const std::size_t stride = gltf_.views[*accessor.view].stride;
      if (stride != 0 && stride < size) fail(element_, "has elements larger than their stride");
      require_within(*accessor.view, accessor.offset, stride == 0 ? size : stride, size, accessor.count);
    } else if (accessor.count > gltf_.total_bytes()) {
      fail(element_, "claims " + std::to_string(accessor.count) +
                         " zeros");  // its own file could not hold the rest of such a mesh
    }
    if (const auto sparse = item.find("sparse")) accessor.sparse = load_sparse(*sparse, size);
    gltf_.accessors.push_back(accessor);
  }

  static std::size_t components_of(const std::string& type) {
    if (type == "SCALAR") return 1;
    if (type == "VEC2") return 2;
    if (type == "VEC3") return 3;
    if (type == "VEC4") return 4;
    return type == "MAT4" ? 16 : 0;
  }

  GltfSparse load_sparse(const Json& item, std::size_t element_size) const {
    GltfSparse sparse;
    sparse.count = count(item, "count");
    const Json &indices = item.at("indices"), &values = item.at("values");
    sparse.index_view = index(indices, "bufferView", gltf_.views.size());
    sparse.index_offset = count(indices, "byteOffset", 0);
    sparse.index_type = static_cast<int>(std::min<std::size_t>(count(indices, "componentType"), 10000));
    sparse.value_view = index(values, "bufferView", gltf_.views.size());
    sparse.value_offset = count(values, "byteOffset", 0);
    if (sparse.index_type != 5121 && sparse.index_type != 5123 && sparse.index_type != 5125)
      fail(element_, "has sparse indices of a wrong type");
    const std::size_t index_size = gltf_component_size(sparse.index_type);
    require_within(sparse.index_view, sparse.index_offset, index_size, index_size, sparse.count);
    require_within(sparse.value_view, sparse.value_offset, element_size, element_size, sparse.count);
    return sparse;
  }

  // An accessor of so many components and, if it is not 0, so many elements.
  std::size_t accessor(const Json& parent, const char* key, std::size_t components, std::size_t elements = 0) const {
    const std::size_t result = index(parent, key, gltf_.accessors.size());
    const GltfAccessor& found = gltf_.accessors[result];
    if (found.components != components || (elements != 0 && found.count != elements))
      fail(element_, std::string(key) + " is an accessor of the wrong shape");
    return result;
  }

  void load_mesh(const Json& item) {
    GltfMesh mesh{.name = item.value("name", std::string()), .primitives = {}, .weights = numbers(item, "weights")};
    for (const Json& primitive : list(item, "primitives")) mesh.primitives.push_back(load_primitive(primitive));
    gltf_.meshes.push_back(std::move(mesh));
  }

  GltfPrimitive load_primitive(const Json& item) {
    GltfPrimitive primitive;
    primitive.mode = static_cast<int>(std::min<std::size_t>(count(item, "mode", 4), 100));
    const Json& attributes = item.at("attributes");
    primitive.positions = accessor(attributes, "POSITION", 3);
    const std::size_t vertices = gltf_.accessors[primitive.positions].count;
    if (item.contains("indices")) {
      primitive.indices = accessor(item, "indices", 1);
      const int type = gltf_.accessors[*primitive.indices].component_type;
      if (type != 5121 && type != 5123 && type != 5125) fail(element_, "has indices of a wrong type");
    }
    for (const Json& target : list(item, "targets"))
      primitive.target_positions.push_back(
          target.contains("POSITION") ? std::optional(accessor(target, "POSITION", 3, vertices)) : std::nullopt);
    for (int set = 0; attributes.contains("JOINTS_" + std::to_string(set)); ++set) {
      primitive.joints.push_back(accessor(attributes, ("JOINTS_" + std::to_string(set)).c_str(), 4, vertices));
      primitive.weights.push_back(accessor(attributes, ("WEIGHTS_" + std::to_string(set)).c_str(), 4, vertices));
    }
    for (const auto& [key, what] :
         {std::pair{"NORMAL", "normals"}, {"TEXCOORD_0", "texture coordinates"}, {"COLOR_0", "vertex colours"}}) {
      if (attributes.contains(key) &&
          std::find(gltf_.dropped.begin(), gltf_.dropped.end(), what) == gltf_.dropped.end())
        gltf_.dropped.emplace_back(what);
    }
    return primitive;
  }

  template <std::size_t size>
  std::optional<std::array<double, size>> vector(const Json& item, const char* key) const {
    const std::vector<double> values = numbers(item, key);
    if (values.empty()) return std::nullopt;
    if (values.size() != size) fail(element_, std::string(key) + " has " + std::to_string(values.size()) + " numbers");
    std::array<double, size> result;
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  }

  void load_node(const Json& item) {
    GltfNode node{.name = item.value("name", std::string())};
    node.mesh = optional_index(item, "mesh", gltf_.meshes.size());
    node.skin = optional_index(item, "skin", skin_count_);
    node.children = indices(item, "children", node_count_);
    node.weights = numbers(item, "weights");
    if (const auto matrix = vector<16>(item, "matrix"))
      node.matrix = Eigen::Map<const Eigen::Matrix4d>(matrix->data());  // by columns, both
    if (const auto t = vector<3>(item, "translation")) node.translation = {(*t)[0], (*t)[1], (*t)[2]};
    if (const auto r = vector<4>(item, "rotation")) node.rotation = {(*r)[0], (*r)[1], (*r)[2], (*r)[3]};
    if (const auto s = vector<3>(item, "scale")) node.scale = {(*s)[0], (*s)[1], (*s)[2]};
    gltf_.nodes.push_back(std::move(node));
  }

  void load_skin(const Json& item) {
    GltfSkin skin{.joints = indices(item, "joints", node_count_), .inverse_binds = {}};
    if (item.contains("inverseBindMatrices")) skin.inverse_binds = accessor(item, "inverseBindMatrices", 16);
    if (skin.inverse_binds && gltf_.accessors[*skin.inverse_binds].count < skin.joints.size())
      fail(element_, "has fewer matrices than joints");
    gltf_.skins.push_back(std::move(skin));
  }

  void load_animation(const Json& item) {
    GltfAnimation animation{.name = item.value("name", std::string()), .channels = {}};
    const Json& samplers = list(item, "samplers");
    for (const Json& channel : list(item, "channels")) {
      const Json &target = channel.at("target"), &sampler = samplers.at(index(channel, "sampler", samplers.size()));
      if (!target.contains("node")) continue;
      GltfChannel loaded;
      loaded.node = index(target, "node", node_count_);
      const std::string path = target.value("path", std::string()),
                        interpolation = sampler.value("interpolation", std::string("LINEAR"));
      if (path == "translation") loaded.path = GltfPath::translation;
      else if (path == "rotation") loaded.path = GltfPath::rotation;
      else if (path == "scale") loaded.path = GltfPath::scale;
      else if (path == "weights") loaded.path = GltfPath::weights;
      else continue;  // of an extension
      if (interpolation == "STEP") loaded.interpolation = GltfInterpolation::step;
      else if (interpolation == "CUBICSPLINE") loaded.interpolation = GltfInterpolation::cubic;
      else if (interpolation != "LINEAR") fail(element_, "has an unknown interpolation");
      loaded.times = accessor(sampler, "input", 1);
      const std::size_t components = loaded.path == GltfPath::weights ? 1 : loaded.path == GltfPath::rotation ? 4 : 3;
      loaded.values = accessor(sampler, "output", components);
      require_values(loaded);
      animation.channels.push_back(loaded);
    }
    gltf_.animations.push_back(std::move(animation));
  }

  // Enough values for all times: per target of a morph, and with tangents on both sides for a cubic spline.
  void require_values(const GltfChannel& channel) const {
    const std::size_t times = gltf_.accessors[channel.times].count, values = gltf_.accessors[channel.values].count;
    const std::size_t per_time = channel.interpolation == GltfInterpolation::cubic ? 3 : 1;
    if (times == 0 || values / per_time < times || values % (times * per_time) != 0)
      fail(element_, "has values that do not match its times");
    if (channel.path != GltfPath::weights && values != times * per_time)
      fail(element_, "has values that do not match its times");
  }

  void load_scene() {
    const Json& scenes = list(json_, "scenes");
    if (scenes.empty()) {  // then all nodes that are nobody's child
      std::vector<bool> is_child(gltf_.nodes.size());
      for (const GltfNode& node : gltf_.nodes) {
        for (const std::size_t child : node.children) is_child[child] = true;
      }
      for (std::size_t i = 0; i < gltf_.nodes.size(); ++i) {
        if (!is_child[i]) gltf_.roots.push_back(i);
      }
      return;
    }
    const std::size_t chosen = optional_index(json_, "scene", scenes.size()).value_or(0);
    if (scenes.size() > 1)
      gltf_.warnings.push_back("of its " + std::to_string(scenes.size()) + " scenes number " + std::to_string(chosen) +
                               " is used");
    gltf_.roots = indices(scenes.at(chosen), "nodes", gltf_.nodes.size());
  }

  std::string_view bytes_;
  const GltfResolver& resolve_;
  Gltf gltf_;
  Json json_;
  std::size_t json_offset_ = 0;
  std::string_view binary_;
  std::string element_;  // being loaded, for errors
  std::size_t node_count_ = 0, skin_count_ = 0;
};

}  // namespace

Gltf load_gltf(std::string_view bytes, const std::string& name, const GltfResolver& resolve) {
  return GltfLoader(bytes, name, resolve).load();
}

std::vector<std::string> gltf_uris(std::string_view bytes, const std::string& name) {
  std::vector<std::string> uris;
  try {
    const Json json = Json::parse(open_gltf_container(bytes, name).json);
    for (const char* key : {"buffers", "images"}) {
      const Json* list = json.find(key);
      if (!list || !list->is_array()) continue;
      for (const Json& item : *list) {
        const Json* uri = item.find("uri");
        if (uri && uri->is_string() && uri->text().rfind("data:", 0) != 0) uris.push_back(uri->text());
      }
    }
  } catch (const JsonError&) {
    // Not glTF: it names no files.
  }
  return uris;
}

}  // namespace pliant
