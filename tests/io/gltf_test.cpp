#include <nlohmann/json.hpp>

#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

using Json = nlohmann::json;

// A glTF file in the making: arrays go into one buffer, each with a view and an accessor of its own.
struct Scene {
  Json json = {{"asset", {{"version", "2.0"}}}, {"accessors", Json::array()}, {"bufferViews", Json::array()}};
  std::string data;

  template <class T>
  std::size_t view(const std::vector<T>& values) {
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", data.size()}, {"byteLength", values.size() * sizeof(T)}});
    for (const T value : values) append_little(data, value);
    return json["bufferViews"].size() - 1;
  }
  template <class T>
  std::size_t add(const char* type, std::size_t components, const std::vector<T>& values) {
    const int component = std::is_same_v<T, float> ? 5126 : sizeof(T) == 1 ? 5121 : sizeof(T) == 2 ? 5123 : 5125;
    json["accessors"].push_back({{"bufferView", view(values)},
                                 {"componentType", component},
                                 {"type", type},
                                 {"count", values.size() / components}});
    return json["accessors"].size() - 1;
  }
  std::size_t points(const std::vector<float>& values) { return add("VEC3", 3, values); }

  std::string glb() {
    json["buffers"] = {{{"byteLength", data.size()}}};
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string binary = data;
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    std::string bytes = "glTF";
    for (const std::size_t value :
         {std::size_t{2}, 28 + text.size() + binary.size(), text.size(), std::size_t{0x4e4f534a}})
      append_little(bytes, static_cast<std::uint32_t>(value));
    bytes += text;
    for (const std::size_t value : {binary.size(), std::size_t{0x004e4942}})
      append_little(bytes, static_cast<std::uint32_t>(value));
    return bytes + binary;
  }
};

// One triangle on one node.
Scene triangle() {
  Scene scene;
  const std::size_t positions = scene.points({0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::size_t indices = scene.add<std::uint16_t>("SCALAR", 1, {0, 1, 2});
  scene.json["meshes"] = {
      {{"name", "tri"}, {"primitives", {{{"attributes", {{"POSITION", positions}}}, {"indices", indices}}}}}};
  scene.json["nodes"] = {{{"mesh", 0}}};
  scene.json["scenes"] = {{{"nodes", {0}}}};
  return scene;
}

MeshPtr mesh_of(Scene scene) { return parse_mesh(scene.glb(), "t.glb").mesh; }
std::string message(Scene scene) {
  return error_of([&] { parse_mesh(scene.glb(), "t.glb"); }).what();
}
std::shared_ptr<FrameSource> motion_of(Scene scene, double rate) {
  return open_motion_bytes(scene.glb(), "t.glb", {.format = MotionFormat::gltf, .frames_per_second = rate});
}
bool near(const Vec3& a, const Vec3& b) { return (a - b).norm() < 1e-6; }

TEST(Gltf, PlacesMeshesByTheTransformsOfTheirNodes) {
  Scene scene = triangle();
  scene.json["nodes"] = {
      {{"name", "root"}, {"translation", {10, 0, 0}}, {"children", {1, 2}}},
      {{"name", "turned"}, {"mesh", 0}, {"rotation", {0, 0, std::sqrt(0.5), std::sqrt(0.5)}}, {"scale", {2, 2, 2}}},
      {{"mesh", 0}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}}},
      {{"name", "not in the scene"}, {"mesh", 0}}};
  const MeshPtr mesh = mesh_of(scene);
  ASSERT_EQ(mesh->vertex_count(), 6u);
  EXPECT_TRUE(near(mesh->position(VertexId(1)), Vec3(10, 2, 0)));
  EXPECT_TRUE(near(mesh->position(VertexId(4)), Vec3(11, 0, 5)));
  ASSERT_EQ(mesh->origin().parts.size(), 2u);
  EXPECT_EQ(mesh->origin().parts[0].name, "turned");
  EXPECT_EQ(mesh->origin().parts[1].name, "tri");
}

TEST(Gltf, ReadsListsStripsAndFansWithAndWithoutIndices) {
  Scene scene = triangle();
  const std::size_t square = scene.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  const Json attributes = {{"POSITION", square}};
  scene.json["meshes"][0]["primitives"] = {
      {{"attributes", attributes}, {"mode", 5}},
      {{"attributes", attributes}, {"mode", 6}, {"indices", scene.add<std::uint8_t>("SCALAR", 1, {0, 1, 3, 2})}},
      {{"attributes", attributes}, {"mode", 4}, {"indices", scene.add<std::uint32_t>("SCALAR", 1, {3, 2, 1})}},
      {{"attributes", attributes}, {"mode", 1}}};
  const MeshFile file = parse_mesh(scene.glb(), "t.glb");
  EXPECT_EQ(file.mesh->vertex_count(), 4u);  // shared by the primitives
  ASSERT_EQ(file.mesh->face_count(), 5u);
  EXPECT_EQ(file.mesh->triangle(FaceId(1)), (Triangle{VertexId(2), VertexId(1), VertexId(3)}));
  EXPECT_EQ(file.mesh->triangle(FaceId(3)), (Triangle{VertexId(0), VertexId(3), VertexId(2)}));
  EXPECT_EQ(file.dropped, std::vector<std::string>{"points and lines"});
}

TEST(Gltf, ReadsStridedNormalizedAndSparseAccessors) {
  Scene scene = triangle();
  scene.json["accessors"].push_back(
      {{"bufferView", scene.view<std::int16_t>({32767, 0, 0, 99, 0, 32767, 0, 99, -32768, 0, 0, 99})},
       {"componentType", 5122},
       {"type", "VEC3"},
       {"count", 3},
       {"normalized", true}});
  scene.json["bufferViews"].back()["byteStride"] = 8;
  scene.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 2;
  EXPECT_EQ(mesh_of(scene)->position(VertexId(1)), Vec3(0, 1, 0));
  EXPECT_EQ(mesh_of(scene)->position(VertexId(2)), Vec3(-1, 0, 0));
  scene.json["accessors"].push_back(
      {{"componentType", 5126},
       {"type", "VEC3"},
       {"count", 3},
       {"sparse",
        {{"count", 1},
         {"indices", {{"bufferView", scene.view<std::uint8_t>({2})}, {"componentType", 5121}}},
         {"values", {{"bufferView", scene.view<float>({7, 8, 9})}}}}}});
  scene.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 3;
  EXPECT_EQ(mesh_of(scene)->position(VertexId(1)), Vec3(0, 0, 0));
  EXPECT_EQ(mesh_of(scene)->position(VertexId(2)), Vec3(7, 8, 9));
}

// Two joints: the first turns a quarter around z, the second hangs on it and is moved along its x.
Scene skinned() {
  Scene scene = triangle();
  scene.json["nodes"] = {{{"mesh", 0}, {"skin", 0}, {"translation", {100, 100, 100}}},
                         {{"name", "hip"}, {"children", {2}}, {"rotation", {0, 0, std::sqrt(0.5), std::sqrt(0.5)}}},
                         {{"name", "knee"}, {"translation", {3, 0, 0}}}};
  scene.json["scenes"] = {{{"nodes", {0, 1}}}};
  std::vector<float> binds(32, 0);
  for (std::size_t i = 0; i < 32; i += 16) binds[i] = binds[i + 5] = binds[i + 10] = binds[i + 15] = 1;
  binds[16 + 12] = -1;  // the knee was bound at (1, 0, 0)
  scene.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", scene.add("MAT4", 16, binds)}}};
  Json& attributes = scene.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = scene.add<std::uint8_t>("VEC4", 4, {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
  attributes["WEIGHTS_0"] = scene.add<float>("VEC4", 4, {1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0});
  return scene;
}

TEST(Gltf, BendsAMeshByItsJointsInsteadOfItsNode) {
  const MeshPtr mesh = mesh_of(skinned());
  EXPECT_TRUE(near(mesh->position(VertexId(0)), Vec3(0, 0, 0)));
  EXPECT_TRUE(near(mesh->position(VertexId(1)), Vec3(0, 3, 0)));   // at the knee
  EXPECT_TRUE(near(mesh->position(VertexId(2)), Vec3(-1, 1, 0)));  // halfway between (-1, 0) and (-1, 2)
}

TEST(Gltf, RefusesJointsOutOfRange) {
  Scene scene = skinned();
  scene.json["skins"][0]["joints"] = {1};
  EXPECT_TRUE(says(message(scene), "node 0: joint 1 is out of range (its skin has 1 joints)"));
}

TEST(Gltf, AddsMorphTargetsByTheWeightsOfNodeOrMesh) {
  Scene scene = triangle();
  Json& mesh = scene.json["meshes"][0];
  mesh["primitives"][0]["targets"] = {{{"POSITION", scene.points({0, 0, 1, 0, 0, 1, 0, 0, 1})}},
                                      {{"NORMAL", 0}},
                                      {{"POSITION", scene.points({8, 0, 0, 0, 0, 0, 0, 0, 0})}}};
  EXPECT_EQ(mesh_of(scene)->position(VertexId(0)), Vec3(0, 0, 0));
  mesh["weights"] = {0.5, 1, 0.25};
  EXPECT_EQ(mesh_of(scene)->position(VertexId(0)), Vec3(2, 0, 0.5));
  scene.json["nodes"][0]["weights"] = {3, 0, 0};
  EXPECT_EQ(mesh_of(scene)->position(VertexId(1)), Vec3(1, 0, 3));
}

// One channel over the times 1 and 3 seconds.
Scene animated(const char* path, const char* interpolation, const char* type, std::size_t components,
               const std::vector<float>& values) {
  Scene scene = triangle();
  const std::size_t times = scene.add<float>("SCALAR", 1, {1, 3});
  const std::size_t output = scene.add(type, components, values);
  scene.json["animations"] = {{{"samplers", {{{"input", times}, {"output", output}, {"interpolation", interpolation}}}},
                               {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}}}}};
  return scene;
}

TEST(GltfAnimation, BakesAtTheRateAskedForFromFirstToLastKey) {
  const auto source = motion_of(animated("translation", "LINEAR", "VEC3", 3, {0, 0, 0, 4, 0, 0}), 2);
  ASSERT_EQ(source->frame_count(), 5u);
  EXPECT_TRUE(near(source->frame(0).positions()[0], Vec3(0, 0, 0)));
  EXPECT_TRUE(near(source->frame(1).positions()[0], Vec3(1, 0, 0)));
  EXPECT_TRUE(near(source->frame(4).positions()[1], Vec3(5, 0, 0)));
}

TEST(GltfAnimation, InterpolatesAsItsSamplerSays) {
  const auto step = motion_of(animated("scale", "STEP", "VEC3", 3, {1, 1, 1, 5, 5, 5}), 1);
  EXPECT_TRUE(near(step->frame(1).positions()[1], Vec3(1, 0, 0)));
  EXPECT_TRUE(near(step->frame(2).positions()[1], Vec3(5, 0, 0)));
  const float h = std::sqrt(0.5f);
  const auto turn = motion_of(animated("rotation", "LINEAR", "VEC4", 4, {0, 0, 0, 1, 0, 0, h, h}), 1);
  EXPECT_TRUE(near(turn->frame(1).positions()[1], Vec3(std::sqrt(0.5), std::sqrt(0.5), 0)));
  // Values 0 and 4, tangents 6 and 0: at the middle of the two seconds 0.5 * 0 + 2 * (1/8) * 6 + 0.5 * 4.
  const auto cubic = motion_of(
      animated("translation", "CUBICSPLINE", "VEC3", 3, {0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0}), 1);
  EXPECT_TRUE(near(cubic->frame(1).positions()[0], Vec3(3.5, 0, 0)));
}

TEST(GltfAnimation, MovesJointsAndMorphTargets) {
  Scene morph = animated("weights", "LINEAR", "SCALAR", 1, {0, 1, 2, 3});
  morph.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", morph.points({0, 0, 1, 0, 0, 1, 0, 0, 1})}},
                                                         {{"POSITION", morph.points({1, 0, 0, 1, 0, 0, 1, 0, 0})}}};
  EXPECT_TRUE(near(motion_of(morph, 1)->frame(1).positions()[0], Vec3(2, 0, 1)));
  Scene skin = skinned();
  const std::size_t times = skin.add<float>("SCALAR", 1, {0, 1}), values = skin.points({3, 0, 0, 5, 0, 0});
  skin.json["animations"] = {{{"samplers", {{{"input", times}, {"output", values}}}},
                              {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}}}}};
  EXPECT_TRUE(near(motion_of(skin, 1)->frame(1).positions()[1], Vec3(0, 5, 0)));
}

TEST(GltfAnimation, RefusesBadKeysRatesAndNumbers) {
  const auto refused = [](Scene scene, const MotionReadOptions& options) {
    return std::string(error_of([&] { open_motion_bytes(scene.glb(), "t.glb", options); }).what());
  };
  const MotionReadOptions gltf{.format = MotionFormat::gltf};
  EXPECT_TRUE(says(refused(triangle(), gltf), "no such animation (the file has 0)"));
  Scene scene = animated("translation", "LINEAR", "VEC3", 3, {0, 0, 0, 4, 0, 0});
  EXPECT_TRUE(
      says(refused(scene, {.format = MotionFormat::gltf, .animation = 1}), "animation 1: there is no such animation"));
  EXPECT_TRUE(says(refused(scene, {.format = MotionFormat::gltf, .frames_per_second = 0}), "frame rate"));
  EXPECT_TRUE(says(refused(animated("translation", "LINEAR", "VEC3", 3, {0, 0, 0}), gltf), "do not match its times"));
  EXPECT_TRUE(says(refused(animated("rotation", "LINEAR", "VEC3", 3, {0, 0, 0, 4, 0, 0}), gltf), "wrong shape"));
  EXPECT_TRUE(says(refused(animated("scale", "LINEAR", "VEC3", 3, {0, 0, 0, std::nanf(""), 0, 0}), gltf),
                   "not a finite number"));
  scene.json["animations"][0]["samplers"][0]["input"] = scene.add<float>("SCALAR", 1, {3, 1});
  EXPECT_TRUE(says(refused(scene, gltf), "do not go up"));
}

TEST(Gltf, RefusesAccessorsThatReachTooFar) {
  const auto refused = [](auto change) {
    Scene scene = triangle();
    change(scene.json);
    return message(scene);
  };
  EXPECT_TRUE(says(refused([](Json& j) { j["accessors"][0]["count"] = 4; }), "accessor 0: reaches beyond the end"));
  EXPECT_TRUE(
      says(refused([](Json& j) { j["accessors"][0]["count"] = 5'000'000'000; }), "accessor 0: reaches beyond the end"));
  EXPECT_TRUE(says(refused([](Json& j) { j["accessors"][0]["byteOffset"] = 18446744073709551615u; }),
                   "reaches beyond the end"));
  EXPECT_TRUE(
      says(refused([](Json& j) { j["accessors"][0].erase("bufferView"), j["accessors"][0]["count"] = 5'000'000'000; }),
           "claims 5000000000 zeros"));
  EXPECT_TRUE(says(refused([](Json& j) { j["accessors"][0]["bufferView"] = 7; }), "bufferView 7 is out of range"));
  EXPECT_TRUE(says(refused([](Json& j) { j["accessors"][0]["componentType"] = 5127; }), "unknown type"));
  EXPECT_TRUE(says(refused([](Json& j) { j["accessors"][0]["type"] = "VEC2"; }), "wrong shape"));
  EXPECT_TRUE(says(refused([](Json& j) { j["bufferViews"][0]["byteLength"] = 1000; }), "buffer view 0: lies outside"));
  EXPECT_TRUE(says(refused([](Json& j) { j["bufferViews"][0]["byteStride"] = 4; }), "larger than their stride"));
}

TEST(Gltf, RefusesIndicesOutOfRangeAndCoordinatesThatAreNotFinite) {
  Scene scene = triangle();
  scene.data[36] = 3;
  EXPECT_TRUE(
      says(message(scene), "mesh 0, primitive 0: vertex index 3 is out of range (the primitive has 3 vertices)"));
  scene = triangle();
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(scene.data.data() + 12, &infinity, 4);
  EXPECT_TRUE(says(message(scene), "vertex 1: a coordinate is not a finite number"));
}

TEST(Gltf, RefusesCirclesAndSharedChildren) {
  Scene scene = triangle();
  scene.json["nodes"] = {{{"children", {1}}}, {{"children", {2}}}, {{"children", {1}}, {"mesh", 0}}};
  EXPECT_TRUE(says(message(scene), "two parents"));
  scene.json["nodes"] = {{{"mesh", 0}}, {{"children", {2}}}, {{"children", {1}}}};
  EXPECT_TRUE(says(message(scene), "their own ancestors"));
  scene.json["nodes"] = {{{"mesh", 0}}};
  scene.json["scenes"][0]["nodes"] = {0, 0};
  EXPECT_TRUE(says(message(scene), "twice in the scene"));
}

TEST(Gltf, RefusesFilesOfOtherKinds) {
  Scene scene = triangle();
  scene.json["extensionsRequired"] = {"KHR_materials_unlit"};
  EXPECT_EQ(mesh_of(scene)->face_count(), 1u);
  scene.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  EXPECT_TRUE(says(message(scene), "KHR_draco_mesh_compression"));
  scene = triangle();
  scene.json["asset"]["version"] = "1.0";
  EXPECT_TRUE(says(message(scene), "not a glTF 2.0 file"));
  scene = triangle();
  scene.json["meshes"][0]["primitives"][0]["attributes"] = Json::object();
  EXPECT_TRUE(says(message(scene), "mesh 0: POSITION is missing"));
  scene.json["meshes"] = 7;
  EXPECT_TRUE(says(message(scene), "wrong type"));
  for (const char* text : {"{", "[]", "7", "garbage"}) EXPECT_THROW(parse_mesh(text, "t.gltf"), Error) << text;
}

TEST(Gltf, RefusesATruncatedFileWhereverItIsCut) {
  const std::string whole = triangle().glb();
  for (std::size_t size = 0; size + 2 < whole.size(); ++size)
    EXPECT_THROW(parse_mesh(whole.substr(0, size), "t.glb"), Error) << size;
}

// A mesh of a hundred thousand vertices, named by ten thousand nodes, would take gigabytes.
TEST(Gltf, RefusesInstancesWithoutEnd) {
  Scene scene = triangle();
  scene.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = scene.points(std::vector<float>(300'000));
  scene.json["nodes"] = Json::array();
  scene.json.erase("scenes");
  for (int i = 0; i < 10'000; ++i) scene.json["nodes"].push_back({{"mesh", 0}});
  EXPECT_TRUE(says(message(scene), "far more vertices than the file holds"));
}

// The same keys for a thousand channels.
TEST(GltfAnimation, RefusesChannelsWithoutEnd) {
  Scene scene = triangle();
  std::vector<float> times(20'000), values(60'000);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<float>(i);
  const std::size_t input = scene.add("SCALAR", 1, times), output = scene.points(values);
  Json& animation = scene.json["animations"][0];
  animation["samplers"] = {{{"input", input}, {"output", output}}};
  for (int i = 0; i < 1000; ++i)
    animation["channels"].push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}});
  EXPECT_TRUE(says(error_of([&] { motion_of(scene, 1); }).what(), "far more keys than the file holds"));
}

TEST(Gltf, ReadsBuffersBesideTheFileAndNowhereElse) {
  const TemporaryFolder folder;
  Scene scene = triangle();
  const auto write = [&](const std::string& uri) {
    scene.json["buffers"] = {{{"byteLength", scene.data.size()}, {"uri", uri}}};
    write_file(folder / "a.gltf", scene.json.dump());
  };
  write_file(folder / "my data.bin", scene.data);
  write("my%20data.bin");
  EXPECT_EQ(read_mesh(folder / "a.gltf")->face_count(), 1u);
  EXPECT_TRUE(
      says(error_of([&] { parse_mesh(read_file(folder / "a.gltf").view(), "a.gltf"); }).what(), "in another file"));
  write("none.bin");
  EXPECT_TRUE(says(error_of([&] { read_mesh(folder / "a.gltf"); }).what(), "none.bin: no such file"));
  for (const char* outside : {"../secret", "/etc/passwd", "a/../../b", "http://x.org/a.bin", ""}) {
    write(outside);
    EXPECT_TRUE(says(error_of([&] { read_mesh(folder / "a.gltf"); }).what(), "outside of its folder")) << outside;
  }
  write("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA");
  EXPECT_EQ(read_mesh(folder / "a.gltf")->position(VertexId(1)), Vec3(1, 0, 0));
}

}  // namespace
}  // namespace pliant
