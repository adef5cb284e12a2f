#include "pliant/io/inflate.h"

#include <zlib.h>

#include "pliant/io/base64.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

// Streams made by zlib 1.2.13: one stored block, one with its fixed codes, one with codes of its own.
constexpr const char* kStored = "eAEBBgD5/3N0b3JlZAk8ApI=";
constexpr const char* kFixed = "eAFLTCQOKKRlVqSmIJMAhCQVuQ==";
constexpr const char* kDynamic =
    "eNod08mBAzEMA8FUEIIAncw/sWnOH7u2u6ghK5pa2jq6eip5yJYjT3nJWz7ylZ9cylD4myhTWcpWjnKVp5Tm0LQm/"
    "3JqLs2teTSv5tMsraFlrWjxiUtr"
    "ax2tq/"
    "W0SntoWzvaU5svtLWP9tV+2qUzdKwTnamzdPi+R+fqPJ3SHbrWje7UXbpbl59zdZ9u6Q0960Vv6i29rXf0+LVPr1RDZVVUU7VUW3VUV0WMrkGO"
    "QY9BkEGRQZJBk0GUQZVBlsHuz8auw3W5TtftOl7X63z0MwGd7suOhiaiqWgymo4mpClpUpqWng3BjpympwlqipqkpqmJaqqarF4txo6yJq1pa+"
    "Kauiav"
    "6WsCm8LeTcuOyKayyWw6m9CmtEltWpvYPn0D7OhtgpviJrlpbqKb6ia76e7bx8KO9Ka9iW/qm/ymvwEwAobAr6+KHQqGwTgYCCNhKIyFwTAarj6/"
    "vj8O"
    "EI/gETyCR/"
    "AIHsEjeASPuA+VHR7BI3gEj+ARPIJH+p77oP+LZtc33UfdV91n3Xfdh41H8AgemX367PAIHsEjeASP4BE8gkfwyOo3wg6P4BE8gkfwCB7B"
    "I3gEj+x+TOzwCB7BI3gEj+ARPIJH8MjpV8cOj+ARPIJH8AgewSN4BI/cfp7s8AgewSN4BI/gETyCR/DI63fMDo/gETyCR/AIHsEjeASPVD/"
    "4+gBAuMU5";

std::string stream(const char* encoded) { return *decode_base64(encoded); }

TEST(Inflate, DecodesEveryKindOfBlock) {
  EXPECT_EQ(inflate_zlib(stream(kStored), 100), "stored");
  std::string fixed(40, 'a');
  fixed.append(" fixed fixed fixed");
  EXPECT_EQ(inflate_zlib(stream(kFixed), 100), fixed);
  std::string numbers = "0";
  for (int i = 1; i < 300; ++i) numbers.append(" ").append(std::to_string(i));
  EXPECT_EQ(inflate_zlib(stream(kDynamic), 5000), numbers);
}

TEST(Inflate, RefusesMoreThanIsAllowed) {
  EXPECT_FALSE(inflate_zlib(stream(kStored), 5));
  EXPECT_FALSE(inflate_zlib(stream(kFixed), 57));
  EXPECT_FALSE(inflate_zlib(stream(kDynamic), 1000));
}

TEST(Inflate, NoticesEveryCut) {
  for (const char* encoded : {kStored, kFixed, kDynamic}) {
    const std::string whole = stream(encoded);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(inflate_zlib(whole.substr(0, size), 5000)) << size;
  }
}

// Content that comes in several steps: more than the first guess of its size.
TEST(Inflate, GrowsWithTheContent) {
  const std::string whole(1'000'000, 'x');
  uLongf size = ::compressBound(whole.size());
  std::string packed(size, '\0');
  ASSERT_EQ(::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(whole.data()),
                       whole.size()),
            Z_OK);
  EXPECT_EQ(inflate_zlib({packed.data(), size}, whole.size()), whole);
  EXPECT_EQ(inflate_zlib({packed.data(), size}, SIZE_MAX), whole);
  EXPECT_FALSE(inflate_zlib({packed.data(), size}, whole.size() - 1));
}

// Bits that mean nothing (the level, the padding before a byte boundary) may change; and the checksum, being one, lets
// a damaged stream pass once in a while: here zlib itself accepts one wrong text.
TEST(Inflate, NoticesFlippedBits) {
  int wrong = 0;
  for (const char* encoded : {kStored, kFixed, kDynamic}) {
    const std::string whole = stream(encoded), expected = *inflate_zlib(whole, 5000);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      const std::optional<std::string> content = inflate_zlib(damaged, 5000);
      if (content && *content != expected) ++wrong;
    }
  }
  EXPECT_LE(wrong, 1);
}

}  // namespace
}  // namespace pliant
