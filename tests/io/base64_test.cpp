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

TEST(Base64, EncodesWhatItDecodes) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    std::string text = "before";
    append_base64(text, bytes);
    EXPECT_EQ(text.size(), 6 + (bytes.size() + 2) / 3 * 4);
    EXPECT_EQ(decode_base64(text.substr(6)), bytes);
    bytes += static_cast<char>(i * 37);
  }
  std::string known;
  append_base64(known, "Man");
  append_base64(known, "a");
  EXPECT_EQ(known, "TWFuYQ==");
}

}  // namespace
}  // namespace pliant
