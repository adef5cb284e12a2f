#include "pliant/io/text_scanner.h"

#include <charconv>

#include "pliant/io/decimal.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

std::optional<double> number_in(std::string_view text) { return TextScanner(text, "t").number(); }
std::optional<std::int64_t> integer_in(std::string_view text) { return TextScanner(text, "t").integer(); }

TEST(TextScanner, ReadsNumbersInEveryNotation) {
  EXPECT_EQ(number_in("1.5"), 1.5);
  EXPECT_EQ(number_in("+1.5e2 "), 150);
  EXPECT_EQ(number_in("-.5\n"), -0.5);
  EXPECT_EQ(number_in("3."), 3);
  EXPECT_EQ(number_in("1E-3#c"), 1e-3);
}

TEST(TextScanner, RefusesWhatIsNotOneNumber) {
  for (const char* text : {"", "x", "-", "+-1", "1.2.3", "12abc", "0x10", "1,5"}) EXPECT_FALSE(number_in(text)) << text;
}

TEST(TextScanner, GivesValuesThatAreNotFiniteAsSuch) {
  EXPECT_TRUE(std::isnan(*number_in("nan")));
  EXPECT_TRUE(std::isinf(*number_in("-inf")));
  EXPECT_TRUE(std::isinf(*number_in("1e400")));
  EXPECT_EQ(number_in("1e-400"), 0);
}

TEST(TextScanner, RefusesIntegersThatDoNotFit) {
  EXPECT_EQ(integer_in("-12/3"), -12);
  EXPECT_EQ(integer_in("999999999999999999"), 999999999999999999);
  EXPECT_FALSE(integer_in("9999999999999999999999"));
  EXPECT_FALSE(integer_in("--1"));
}

TEST(TextScanner, NamesTheLineOfAnError) {
  TextScanner scan("one\ntwo\r\nthree four", "file.txt");
  scan.skip_line();
  scan.skip_line();
  scan.word();
  scan.skip_blanks();
  const Error error = error_of([&] { scan.fail("bad " + scan.found()); });
  EXPECT_STREQ(error.what(), "file.txt:3: bad 'four'");
}

// Against another implementation: the standard library's.
RC_GTEST_PROP(TextScanner, RoundsDecimalsCorrectly, ()) {
  const double value = *finite_double();
  char text[64];
  const auto digits = *rc::gen::inRange(0, 25);
  const auto [stop, status] = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits);
  double expected = 0;
  std::from_chars(text, stop, expected);
  RC_ASSERT(number_in({text, static_cast<std::size_t>(stop - text)}) == expected);
}

RC_GTEST_PROP(Decimal, ReadsBackAsTheSameValue, ()) {
  const double value = *finite_double();
  const auto single = static_cast<float>(*finite_float());
  std::string text, single_text;
  append_decimal(text, value);
  append_decimal(single_text, single);
  RC_ASSERT(std::bit_cast<std::uint64_t>(*number_in(text)) == std::bit_cast<std::uint64_t>(value));
  RC_ASSERT(static_cast<float>(*number_in(single_text)) == single);
}

}  // namespace
}  // namespace pliant
