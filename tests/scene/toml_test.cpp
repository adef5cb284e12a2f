// TOML 1.0: what it means, and what it is not.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pliant/core/error.h"
#include "pliant/scene/toml_value.h"

namespace pliant {
namespace {

const TomlValue& at(const TomlValue& table, const std::string& key) {
  for (const auto& entry : std::get<TomlValue::Table>(table.content))
    if (entry.key == key) return entry.value;
  throw std::out_of_range(key);
}

template <class T>
T value_of(const std::string& text) {
  const TomlValue document = parse_toml("a = " + text, "t");
  return std::get<T>(at(document, "a").content);
}

std::string refusal(const std::string& text) {
  try {
    parse_toml(text, "t");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Toml, ReadsNumbersAndTruth) {
  EXPECT_EQ(value_of<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of<std::int64_t>("+1_000"), 1000);
  EXPECT_EQ(value_of<std::int64_t>("0xdead_BEEF"), 0xdeadbeef);
  EXPECT_EQ(value_of<std::int64_t>("0o755"), 0755);
  EXPECT_EQ(value_of<std::int64_t>("0b1101"), 13);
  EXPECT_EQ(value_of<double>("-1_0.5e-0_3"), -10.5e-3);
  EXPECT_EQ(value_of<double>("1E3"), 1000);
  EXPECT_EQ(value_of<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(value_of<double>("+nan")));
  EXPECT_TRUE(value_of<bool>("true # yes"));
}

TEST(Toml, ReadsEveryKindOfText) {
  EXPECT_EQ(value_of<std::string>(R"("a\tb\"\\\u00e9\U0001F600é")"), "a\tb\"\\\xc3\xa9\xf0\x9f\x98\x80\xc3\xa9");
  EXPECT_EQ(value_of<std::string>(R"('C:\new "x"')"), R"(C:\new "x")");
  EXPECT_EQ(value_of<std::string>("\"\"\"\r\none\r\n  two \\  \n \n é\"\"\"\"\""), "one\n  two é\"\"");
  EXPECT_EQ(value_of<std::string>("'''\n\\n''''"), "\\n'");
  EXPECT_EQ(value_of<std::string>("''"), "");
}

TEST(Toml, TablesArriveByHeadersDotsAndBraces) {
  const TomlValue document = parse_toml(
      "\xef\xbb\xbfz.y.x = 1\nz.w = 2 # more\n[a.b]\nc = { d.e = 3, 'f g' = [4, [5,\n 6,], ] }\n[a]\nh = 7\n[[t]]\n"
      "n = 1\n[[t]]\n[t.u]\nn = 2\n",
      "t");
  const auto& top = std::get<TomlValue::Table>(document.content);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].key, "z");
  EXPECT_EQ(std::get<std::int64_t>(at(at(at(document, "z"), "y"), "x").content), 1);
  const TomlValue& braces = at(at(at(document, "a"), "b"), "c");
  EXPECT_EQ(braces.line, 4u);
  EXPECT_EQ(std::get<std::int64_t>(at(at(braces, "d"), "e").content), 3);
  EXPECT_EQ(std::get<TomlValue::Array>(at(braces, "f g").content)[1].line, 4u);
  EXPECT_EQ(at(at(document, "a"), "h").line, 7u);
  const auto& tables = std::get<TomlValue::Array>(at(document, "t").content);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[1].line, 10u);
  EXPECT_EQ(std::get<std::int64_t>(at(at(tables[1], "u"), "n").content), 2);
}

TEST(Toml, NamesTheLineOfWhatItRefuses) {
  EXPECT_EQ(refusal("a = 1\na = 2\n").rfind("t:2: not TOML: 'a' is already there, since line 1", 0), 0u);
  EXPECT_EQ(refusal("\n\nb = 07\n").rfind("t:3: not TOML: '07' is neither a number", 0), 0u);
  EXPECT_EQ(refusal("x = \"\"\"\n\n").rfind("t:3: not TOML: a text without its closing quotes", 0), 0u);
  EXPECT_EQ(refusal("x = 'a\n").rfind("t:1: not TOML: a text without its closing quote", 0), 0u);
}

TEST(Toml, RefusesWhatTheFormatForbids) {
  for (const char* text : {"a",
                           "a =",
                           "= 1",
                           "a = 1 b = 2",
                           "a = wrong",
                           "é = 1",
                           "a.é = 1",
                           "[",
                           "[]",
                           "[[a]",
                           "[a]]",
                           "[é]",
                           "[a] b",
                           "a = [1 2]",
                           "a = [1",
                           "a = { b = 1,\n c = 2 }",
                           "a = { b = 1, }",
                           "a = {",
                           "a = \"\\x\"",
                           "a = \"\\u12\"",
                           "a = \"\\uD800\"",
                           "a = \"\\U00110000\"",
                           "a = '\x01'",
                           "a = \"\xff\"",
                           "a = \"\xc0\x80\"",
                           "\xed\xa0\x80",
                           "a = 1__0",
                           "a = _1",
                           "a = 1_",
                           "a = 1_.0",
                           "a = 1.",
                           "a = .5",
                           "a = 1e",
                           "a = 1_e2",
                           "a = 0x",
                           "a = 0x_1",
                           "a = +0x1",
                           "a = 0b2",
                           "a = 9223372036854775808",
                           "a = 2026-01-02",
                           "a = 12:30:00",
                           "a\r= 1",
                           "\"\"\"a\"\"\" = 1",
                           "a = 1\n[a]",
                           "a = 1\na.b = 2",
                           "[a]\n[a]",
                           "[a]\n[[a]]",
                           "[[a]]\n[a]",
                           "a = []\n[[a]]",
                           "a = {}\n[a.b]",
                           "[a.b]\n[a]\nb.c = 1",
                           "a.b = 1\n[a]",
                           "a = {}\na.b = 1",
                           "a = { b = 1, b.c = 2 }",
                           "a = { b = 1 }\n[a.b]"})
    EXPECT_NE(refusal(text), "accepted") << text;
}

TEST(Toml, RefusesToNestWithoutEnd) {
  EXPECT_NE(refusal("a = " + std::string(100000, '[')), "accepted");
  std::string braces, dots = "a";
  for (int i = 0; i < 10000; ++i) braces += "a={", dots += ".a";
  EXPECT_NE(refusal(braces), "accepted");
  EXPECT_NE(refusal(dots + " = 1"), "accepted");
  EXPECT_NE(refusal("[" + dots + "]"), "accepted");
}

RC_GTEST_PROP(Toml, TextsOfAnyLettersComeBack, ()) {
  const auto letters = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  std::string quoted;
  for (const char c : letters) {
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
    quoted += code;
  }
  RC_ASSERT(value_of<std::string>('"' + quoted + '"') == letters);
}

RC_GTEST_PROP(Toml, NumbersComeBack, (std::int64_t integer)) {
  RC_ASSERT(value_of<std::int64_t>(std::to_string(integer)) == integer);
  const double real = static_cast<double>(integer) * 1e-7;
  char text[40];
  std::snprintf(text, sizeof text, "%.17e", real);
  RC_ASSERT(value_of<double>(text) == real);
}

// Bytes that mean something in TOML, in any order.
RC_GTEST_PROP(Toml, NeverFailsButWithAnError, ()) {
  static const std::string kBytes = "[]{}='\"\\.,#_-+ \t\r\nabeinftuxTU0179:\xc3\xa9\xe2\x80\xa8\xff\x01";
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(kBytes));
  try {
    parse_toml(text, "t");
  } catch (const Error& error) {
    RC_ASSERT(error.place().line.has_value());
  }
}

}  // namespace
}  // namespace pliant
