#include "pliant/asset/asset_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "pliant/asset/checksum.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/asset/meshes.h"

namespace pliant::testing {
namespace {

Asset small_asset() {
  Asset asset;
  asset.dense = make_icosphere({.radius = 0.4, .frequency = 2});
  asset.coarse = make_cube();
  asset.tets = make_tet_box({.cells = {1, 1, 1}});
  link_dense(asset);
  asset.report = "{\"schema\":\"pliant.prepare/1\"}";
  return asset;
}

bool same_surface(const TriangleMesh& a, const TriangleMesh& b) {
  return std::equal(a.positions().begin(), a.positions().end(), b.positions().begin(), b.positions().end()) &&
         std::equal(a.triangles().begin(), a.triangles().end(), b.triangles().begin(), b.triangles().end()) &&
         a.origin().name == b.origin().name && a.origin().vertex_in_file == b.origin().vertex_in_file;
}

bool same_asset(const Asset& a, const Asset& b) {
  const auto same_sections = [](const AssetSection& x, const AssetSection& y) {
    return x.name == y.name && x.bytes == y.bytes && x.needed == y.needed;
  };
  return same_surface(*a.dense, *b.dense) && same_surface(*a.coarse, *b.coarse) &&
         std::equal(a.tets->positions().begin(), a.tets->positions().end(), b.tets->positions().begin(),
                    b.tets->positions().end()) &&
         std::equal(a.tets->tets().begin(), a.tets->tets().end(), b.tets->tets().begin(), b.tets->tets().end()) &&
         a.report == b.report &&
         std::equal(a.sections.begin(), a.sections.end(), b.sections.begin(), b.sections.end(), same_sections);
}

// The bytes of an asset, to be spoilt: numbers by their place in a section, checksums made right again.
class Bytes {
 public:
  explicit Bytes(const Asset& asset) : bytes_(format_asset(asset)) {}

  template <class T>
  void set(const std::string& section, std::size_t offset, T value) {
    const std::size_t at = start(section) + offset;
    std::string number;
    append_little(number, value);
    bytes_.replace(at, number.size(), number);
  }
  void rename(const std::string& section, std::string name) {
    name.resize(16, '\0');
    bytes_.replace(entry(section), 16, name);
  }
  void set_version(std::uint32_t version) { set_number(8, version); }
  std::string fixed() {
    const std::size_t end = 16 + 40 * count();
    for (std::size_t at = 16; at < end; at += 40)
      set_number(at + 32, crc32(std::string_view(bytes_).substr(load_little<std::uint64_t>(&bytes_[at + 16]),
                                                                load_little<std::uint64_t>(&bytes_[at + 24]))));
    set_number(end, crc32(std::string_view(bytes_).substr(0, end)));
    return bytes_;
  }
  std::string error() {
    return error_text([&] { parse_asset(fixed(), "bad.pliant"); });
  }
  const std::string& raw() const { return bytes_; }
  std::size_t entry(const std::string& section) const {
    for (std::size_t i = 0; i < count(); ++i)
      if (std::string(bytes_.c_str() + 16 + 40 * i) == section) return 16 + 40 * i;
    ADD_FAILURE() << "no section " << section;
    return 0;
  }
  std::size_t start(const std::string& section) const {
    return load_little<std::uint64_t>(bytes_.data() + entry(section) + 16);
  }

 private:
  std::size_t count() const { return load_little<std::uint32_t>(bytes_.data() + 12); }
  void set_number(std::size_t at, std::uint32_t value) {
    std::string number;
    append_little(number, value);
    bytes_.replace(at, 4, number);
  }
  std::string bytes_;
};

TEST(Checksum, IsTheOneOfZlib) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

TEST(AssetFile, ReadsBackWhatWasWritten) {
  Asset asset = small_asset();
  asset.sections = {{"sphere-tree", std::string("\0\1\2", 3), false}, {"empty", "", false}};
  const std::string bytes = format_asset(asset);
  const Asset back = parse_asset(bytes, "a.pliant");
  EXPECT_TRUE(same_asset(asset, back));
  EXPECT_EQ(format_asset(back), bytes);
  ASSERT_NE(back.find_section("sphere-tree"), nullptr);
  EXPECT_EQ(back.find_section("nothing"), nullptr);
}

TEST(AssetFile, LinksComeBackBitForBit) {
  const Asset asset = small_asset();
  const Asset back = parse_asset(format_asset(asset), "a.pliant");
  ASSERT_TRUE(back.links && back.embedding);
  LinkFollower before(*asset.links), after(*back.links);
  std::vector<Vec3> moved, all;
  for (const Vec3& q : asset.tets->surface()->positions()) moved.emplace_back(q.x() + 0.1 * q.y(), q.y(), 1.3 * q.z());
  for (const Vec3& q : asset.tets->positions()) all.emplace_back(q.x() + 0.1 * q.y(), q.y(), 1.3 * q.z());
  const auto x = before.follow(moved), y = after.follow(moved);
  EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end()));
  EXPECT_EQ(asset.embedding->positions(all), back.embedding->positions(all));
  EXPECT_EQ(asset.embedding->outside_count(), back.embedding->outside_count());
}

// A file of version 1 as it was written when that version was new. Whatever changes, it must still be read.
TEST(AssetFile, ReadsVersionOne) {
  const Asset asset = read_asset(std::string(PLIANT_ASSET_DATA) + "/version1.pliant");
  EXPECT_EQ(asset.dense->vertex_count(), 42u);
  EXPECT_EQ(asset.dense->face_count(), 80u);
  EXPECT_EQ(asset.coarse->face_count(), 12u);
  EXPECT_EQ(asset.tets->tet_count(), 5u);
  EXPECT_NEAR(asset.tets->volume(), 1, 1e-12);
  ASSERT_TRUE(asset.links && asset.embedding);
  EXPECT_EQ(asset.embedding->outside_count(), 0u);
  EXPECT_EQ(asset.report, "{\"schema\":\"pliant.prepare/1\"}");
  ASSERT_NE(asset.find_section("of-a-method"), nullptr);
  EXPECT_EQ(asset.find_section("of-a-method")->bytes, "data");
}

TEST(AssetFile, WritesAndReadsFiles) {
  const std::string path = (std::filesystem::temp_directory_path() / "pliant-asset-test.pliant").string();
  write_asset(path, small_asset());
  EXPECT_TRUE(same_asset(read_asset(path), small_asset()));
  std::filesystem::remove(path);
  EXPECT_TRUE(says(error_text([&] { read_asset(path); }), "no such file"));
}

TEST(AssetFile, RefusesToWriteWhatCouldNotBeRead) {
  EXPECT_TRUE(says(error_text([] { format_asset(Asset{}); }), "has no mesh"));
  Asset other = small_asset();
  other.dense = make_icosphere();
  EXPECT_TRUE(says(error_text([&] { format_asset(other); }), "links of the asset belong to other meshes"));
  for (const char* name : {"", "dense", "a name", "longer than sixteen", "twice"}) {
    Asset named = small_asset();
    named.sections = {{"twice", "", false}, {name, "", false}};
    EXPECT_FALSE(error_text([&] { format_asset(named); }).empty()) << name;
  }
}

TEST(AssetFile, RefusesOtherFilesAndVersions) {
  EXPECT_TRUE(says(error_text([] { parse_asset("ply\n", "a.ply"); }), "a.ply, byte 0: is not a Pliant asset"));
  EXPECT_TRUE(says(error_text([] { parse_asset("", "a"); }), "is not a Pliant asset"));
  Bytes bytes(small_asset());
  bytes.set_version(7);
  EXPECT_TRUE(says(bytes.error(), "is an asset of version 7 (this program reads versions 1 to 1"));
}

TEST(AssetFile, NoticesEveryFlippedByteAndEveryCut) {
  const std::string bytes = format_asset(small_asset());
  const std::size_t end = Bytes(small_asset()).start("report") + small_asset().report.size();
  std::size_t unnoticed = 0;
  for (std::size_t at = 0; at < end; ++at) {
    std::string spoilt = bytes;
    spoilt[at] = static_cast<char>(spoilt[at] ^ 0x10);
    try {
      parse_asset(spoilt, "bad.pliant");
      ++unnoticed;
    } catch (const Error&) {
    }
  }
  EXPECT_LE(unnoticed, 48u);  // padding between sections belongs to none
  for (std::size_t size = 0; size < end; size += 7)
    EXPECT_THROW(parse_asset(std::string_view(bytes).substr(0, size), "bad.pliant"), Error);
}

TEST(AssetFile, NamesWhatIsWrongWithBadAssets) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  {
    Bytes bytes(small_asset());
    bytes.rename("tets", "tots");
    EXPECT_TRUE(says(bytes.error(), "bad.pliant: the asset has no section 'tets': a mesh is missing")) << bytes.error();
  }
  {
    Bytes bytes(small_asset());
    bytes.set("dense", 16 + 24 * 3 + 8, nan);
    EXPECT_TRUE(says(bytes.error(), "section 'dense', vertex 3: a coordinate is not")) << bytes.error();
  }
  {
    Bytes bytes(small_asset());
    bytes.set("coarse", 16 + 24 * 8, std::uint32_t{8});
    EXPECT_TRUE(says(bytes.error(), "section 'coarse', face 0: vertex index 8 is out of range")) << bytes.error();
  }
  {
    Bytes bytes(small_asset());
    bytes.set("dense", 4, std::uint32_t{1000000000});
    EXPECT_TRUE(says(bytes.error(), "section 'dense': has")) << bytes.error();
  }
  {  // the first tet's last corners exchanged
    const Tet tet = small_asset().tets->tets()[0];
    Bytes bytes(small_asset());
    bytes.set("tets", 8 + 24 * 8 + 8, tet[3].value);
    bytes.set("tets", 8 + 24 * 8 + 12, tet[2].value);
    EXPECT_TRUE(says(bytes.error(), "section 'tets', tetrahedron 0: is inside out")) << bytes.error();
  }
  {  // all in one plane
    Bytes bytes(small_asset());
    for (std::size_t v = 0; v < 8; ++v) bytes.set("tets", 8 + 24 * v, 0.0);
    EXPECT_TRUE(says(bytes.error(), "tetrahedron 0: its volume is too small for its mass")) << bytes.error();
  }
  {  // a vertex that no tet has
    const Asset asset = small_asset();
    std::vector<Vec3> positions(asset.tets->positions().begin(), asset.tets->positions().end());
    positions.emplace_back(9, 9, 9);
    Asset heavier = asset;
    heavier.tets = std::make_shared<const TetMesh>(
        positions, std::vector<Tet>(asset.tets->tets().begin(), asset.tets->tets().end()));
    EXPECT_TRUE(says(Bytes(heavier).error(), "section 'tets', vertex 8: has no mass")) << Bytes(heavier).error();
  }
  {
    Bytes bytes(small_asset());
    bytes.set("rigid-links", 4 + 12 * 2, std::uint32_t{99});
    EXPECT_TRUE(says(bytes.error(), "section 'rigid-links', vertex 2: is linked to coarse vertex 99")) << bytes.error();
  }
  {
    Bytes bytes(small_asset());
    bytes.set("embedding", 4 + 4 * 5, std::uint32_t{77});
    EXPECT_TRUE(says(bytes.error(), "section 'embedding', vertex 5: lies in tetrahedron 77")) << bytes.error();
  }
}

TEST(AssetFile, RefusesNeededSectionsThatItDoesNotKnow) {
  Asset asset = small_asset();
  asset.sections = {{"future", "x", true}};
  const std::string bytes = format_asset(asset);
  EXPECT_TRUE(says(error_text([&] { parse_asset(bytes, "a.pliant"); }), "section 'future': is needed"));
  EXPECT_EQ(parse_asset(bytes, "a.pliant", {.known = {"future"}}).sections.size(), 1u);
}

RC_GTEST_PROP(AssetFileProperty, AnyChangeGivesAnErrorOrASoundAsset, ()) {
  std::string bytes = format_asset(small_asset());
  const int changes = *rc::gen::inRange(1, 8);
  for (int i = 0; i < changes; ++i)
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  try {
    const Asset asset = parse_asset(bytes, "any.pliant", {.checksums = false, .known = {}});
    RC_ASSERT(asset.dense && asset.coarse && asset.tets);
    RC_ASSERT(same_asset(parse_asset(format_asset(asset), "back"), asset));
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace pliant::testing
