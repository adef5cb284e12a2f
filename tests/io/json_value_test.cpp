#include "pliant/io/json_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/support/soups.h"

namespace pliant {
namespace {

using Peer = nlohmann::ordered_json;
using testing::Dice;

void expect_equal(const JsonValue& value, const Peer& peer) {
  ASSERT_EQ(value.is_null(), peer.is_null());
  ASSERT_EQ(value.is_boolean(), peer.is_boolean());
  ASSERT_EQ(value.is_number(), peer.is_number());
  ASSERT_EQ(value.is_number_unsigned(), peer.is_number_unsigned());
  ASSERT_EQ(value.is_string(), peer.is_string());
  ASSERT_EQ(value.is_array(), peer.is_array());
  ASSERT_EQ(value.is_object(), peer.is_object());
  if (peer.is_boolean()) {
    EXPECT_EQ(value.get<bool>(), peer.get<bool>());
  }
  if (peer.is_number()) {
    EXPECT_EQ(value.get<double>(), peer.get<double>());
  }
  if (peer.is_number_unsigned()) {
    EXPECT_EQ(value.get<std::uint64_t>(), peer.get<std::uint64_t>());
  }
  if (peer.is_string()) {
    EXPECT_EQ(value.get<std::string>(), peer.get<std::string>());
  }
  if (!peer.is_structured()) return;
  ASSERT_EQ(value.size(), peer.size());
  if (peer.is_array())
    for (std::size_t i = 0; i < peer.size(); ++i) expect_equal(value.at(i), peer.at(i));
  if (peer.is_object())
    for (const auto& [name, member] : peer.items()) expect_equal(value.at(name), member);
}

Peer random_json(Dice& dice, int depth) {
  switch (dice.below(depth > 0 ? 9 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return dice.below(2) == 1;
    case 2:
      return std::uint64_t{dice.below(1000000)} << dice.below(44);
    case 3:
      return -static_cast<std::int64_t>(dice.below(1000000));
    case 4:
      return std::ldexp(dice.below(1u << 30) - double(1u << 29), static_cast<int>(dice.below(2000)) - 1040);
    case 5:
    case 6: {
      std::string text;
      const char* const tokens[] = {"a", "\"", "\\", "/", "\n", "\x01", "\x7f", "\u00e9", "\u20ac", "\U0001f600", " "};
      for (std::uint32_t i = dice.below(8); i > 0; --i) text += tokens[dice.below(11)];
      return text;
    }
    case 7: {
      Peer array = Peer::array();
      for (std::uint32_t i = dice.below(5); i > 0; --i) array.push_back(random_json(dice, depth - 1));
      return array;
    }
    default: {
      Peer object = Peer::object();
      for (std::uint32_t i = dice.below(5); i > 0; --i) object["n" + std::to_string(i)] = random_json(dice, depth - 1);
      return object;
    }
  }
}

TEST(JsonValue, HoldsRandomTextsAsTheyAre) {
  Dice dice(11);
  for (int i = 0; i < 2000; ++i) {
    const Peer peer = random_json(dice, 4);
    const bool in_ascii = dice.below(2) == 1;
    expect_equal(JsonValue::parse(peer.dump(dice.below(2) == 1 ? 2 : -1, ' ', in_ascii)), peer);
  }
}

bool accepts(std::string_view text) {
  try {
    JsonValue::parse(text);
    return true;
  } catch (const JsonError& error) {
    EXPECT_LE(error.byte, text.size());
    return false;
  }
}

// One byte changed, added or left out: whether the text is still JSON is for the reader to say.
TEST(JsonValue, RefusesWhatTheReaderRefuses) {
  Dice dice(12);
  const std::string_view bytes = "{}[]\",:0123456789.eE+-truefalsn\\u/ \t\x01\x80\xc3\xed\xf4";
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = random_json(dice, 3).dump();
    const std::size_t at = dice.below(static_cast<std::uint32_t>(text.size()));
    const char byte = bytes[dice.below(static_cast<std::uint32_t>(bytes.size()))];
    const std::uint32_t how = dice.below(3);
    if (how == 0) text[at] = byte;
    else if (how == 1) text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), byte);
    else text.erase(at, 1);
    const Peer peer = Peer::parse(text, nullptr, false);
    ASSERT_EQ(accepts(text), !peer.is_discarded()) << text;
    refused += peer.is_discarded() ? 1 : 0;
  }
  EXPECT_GT(refused, 1000);
}

TEST(JsonValue, ReadsNumbersOfEveryKind) {
  EXPECT_EQ(JsonValue::parse("18446744073709551615").get<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(JsonValue::parse("-9223372036854775808").get<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(JsonValue::parse("18446744073709551616").get<double>(), 0x1p64);
  EXPECT_EQ(JsonValue::parse("4.9e-324").get<double>(), 4.9e-324);
  EXPECT_THROW(JsonValue::parse("256").get<std::uint8_t>(), JsonError);
  EXPECT_THROW(JsonValue::parse("-129").get<std::int8_t>(), JsonError);
  EXPECT_EQ(JsonValue::parse("-128").get<std::int8_t>(), -128);
  EXPECT_THROW(JsonValue::parse("1.0").get<int>(), JsonError);
  EXPECT_THROW(JsonValue::parse("1e999"), JsonError);
}

TEST(JsonValue, NestsDeeplyButNotWithoutEnd) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(accepts(nested(200)));
  EXPECT_FALSE(accepts(nested(1000000)));
}

TEST(JsonValue, SaysWhatIsMissingOrOfAnotherKind) {
  const JsonValue value = JsonValue::parse(R"({"a": [1, "x"], "a": {"b": null}})");
  EXPECT_TRUE(value.at("a").at("b").is_null());  // the last one counts
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_EQ(value.value("c", 7), 7);
  EXPECT_THROW(value.at("c"), JsonError);
  EXPECT_THROW(value.at("a").at(std::size_t{0}), JsonError);
  EXPECT_THROW(value.at("a").get<double>(), JsonError);
  EXPECT_THROW(value.at("a").text(), JsonError);
}

}  // namespace
}  // namespace pliant
