#include "pliant/io/base64.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Base64, DecodesRunsAndSkipsBlanks) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("YQ=="), "a");
  EXPECT_EQ(decode_base64(" YW\nI= YWJj "), "ababc");
  for (const char* bad : {"Y", "YQ", "YQ=", "Y===", "YQ=a", "Y-==", "===="}) EXPECT_FALSE(decode_base64(bad)) << bad;
}

}  // namespace
}  // namespace pliant
