#include "pliant/detect/report.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Counters, AddUpWorkAndKeepTheLargestOfSizes) {
  Counters first, second;
  first.add("tests", 3);
  first.raise("bytes", 700);
  second.raise("bytes", 500);
  second.add("tests", 4);
  second.raise("queue", 1);
  Counters all;
  all.merge(first);
  all.merge(second);
  EXPECT_EQ(all["tests"], 7u);
  EXPECT_EQ(all["bytes"], 700u);
  all.merge(second);
  EXPECT_EQ(all["tests"], 11u);
  EXPECT_EQ(all["bytes"], 700u);
  EXPECT_EQ(all["queue"], 1u);
  EXPECT_EQ(all.all().front().first, "tests");
}

}  // namespace
}  // namespace pliant
