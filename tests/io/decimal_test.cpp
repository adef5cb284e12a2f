#include "pliant/io/decimal.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/support/soups.h"

namespace pliant {
namespace {

std::string printed(const char* format, auto... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

double any_number(testing::Dice& dice) {
  return std::ldexp(dice.uniform(-1, 1), static_cast<int>(dice.below(2000)) - 1000);
}

TEST(Decimal, ReadsBackAsTheSameNumber) {
  testing::Dice dice(1);
  for (int i = 0; i < 10000; ++i) {
    const double number = any_number(dice);
    std::string text;
    append_decimal(text, number);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), number) << text;
  }
}

TEST(Decimal, IsRoundedToSoManyDigitsAsPrintfDoes) {
  testing::Dice dice(2);
  for (int i = 0; i < 10000; ++i) {
    const double number = dice.below(2) == 1 ? any_number(dice) : dice.below(2000000) / 1000.0;
    const int digits = static_cast<int>(dice.below(12)) + 1;
    std::string text = "before ";
    append_decimal(text, number, digits);
    ASSERT_EQ(text, printed("before %.*g", digits, number));
  }
}

TEST(Hexadecimal, HasSixteenDigits) {
  for (const std::uint64_t value : {UINT64_C(0), UINT64_C(0x1f), UINT64_C(0xfedcba9876543210), UINT64_MAX})
    EXPECT_EQ(hexadecimal(value), printed("%016" PRIx64, value));
}

}  // namespace
}  // namespace pliant
