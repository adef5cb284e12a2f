// "Did you mean ...?"
#include "pliant/core/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace pliant {
namespace {

TEST(Suggest, GivesTheNearestName) {
  const std::vector<std::string_view> names = {"fps", "frames", "friction"};
  EXPECT_EQ(suggestion("fricton", names), "did you mean 'friction'?");
  EXPECT_EQ(suggestion("fsp", names), "did you mean 'fps'?");  // neighbours swapped
  EXPECT_EQ(suggestion("frame", names), "did you mean 'frames'?");
}

TEST(Suggest, ListsAllWhereNoneIsNear) {
  EXPECT_EQ(suggestion("nosuch", std::vector<std::string_view>{"demo", "bunnies"}), "there are demo, bunnies");
  EXPECT_EQ(suggestion("", std::vector<std::string_view>{"demo"}), "there are demo");
  EXPECT_EQ(suggestion("demo", {}), "");
}

}  // namespace
}  // namespace pliant
