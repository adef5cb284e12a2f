#include "pliant/asset/asset_shelf.h"

#include <gtest/gtest.h>

#include "pliant/asset/prepare.h"
#include "pliant/mesh/shapes.h"

namespace pliant::testing {
namespace {

Asset named_asset(const std::string& name) {
  Asset asset;
  asset.report = name;
  return asset;
}

TEST(AssetShelf, NamesAMeshByItsBitsAndFaces) {
  const MeshPtr ball = make_icosphere({.frequency = 3}), other = make_icosphere({.frequency = 4});
  EXPECT_EQ(shelf_name(*ball, 100), shelf_name(*make_icosphere({.frequency = 3}), 100));
  EXPECT_NE(shelf_name(*ball, 100), shelf_name(*other, 100));
  EXPECT_NE(shelf_name(*ball, 100), shelf_name(*ball, 101));
}

TEST(AssetShelf, TellsTheFirstThingThatIsMissed) {
  take_missed_prepared();
  EXPECT_EQ(take_missed_prepared(), "");
  EXPECT_FALSE(find_prepared("missed-1"));
  EXPECT_FALSE(find_prepared("missed-2"));
  EXPECT_EQ(take_missed_prepared(), "missed-1");
  EXPECT_EQ(take_missed_prepared(), "");
}

TEST(AssetShelf, KeepsWhatIsAskedForAndDropsWhatWasNotForLongest) {
  put_prepared("kept", named_asset("kept"));
  for (std::size_t i = 0; i + 1 < kMostOnShelf; ++i) put_prepared("filler" + std::to_string(i), named_asset("filler"));
  ASSERT_TRUE(find_prepared("kept"));
  put_prepared("one more", named_asset("one more"));
  ASSERT_TRUE(find_prepared("kept"));
  EXPECT_EQ(find_prepared("kept")->report, "kept");
  EXPECT_FALSE(find_prepared("filler0"));
  EXPECT_EQ(all_prepared().size(), kMostOnShelf);
}

TEST(AssetShelf, WarningsComeFromTheReportThatAnAssetCarries) {
  EXPECT_EQ(stored_warnings(named_asset(R"({"warnings":["thin","thinner"]})")),
            (std::vector<std::string>{"thin", "thinner"}));
  EXPECT_TRUE(stored_warnings(named_asset("")).empty());
  EXPECT_TRUE(stored_warnings(named_asset("no report")).empty());
}

}  // namespace
}  // namespace pliant::testing
