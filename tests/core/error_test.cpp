#include "pliant/core/error.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Error, NamesPlaceProblemAndRemedyInOneLine) {
  const Error error(ErrorPlace{.file = "a.obj", .line = 12, .element = "face 3"}, "index 9 is out of range",
                    "the file has 4 vertices");
  EXPECT_STREQ(error.what(), "a.obj:12, face 3: index 9 is out of range (the file has 4 vertices)");
  EXPECT_EQ(error.place().line, 12u);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error("nothing to do").what(), "nothing to do");
  EXPECT_STREQ(Error(ErrorPlace{.byte = 7}, "cut short").what(), "byte 7: cut short");
}

}  // namespace
}  // namespace pliant
