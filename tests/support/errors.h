// What is refused, and in which words.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "pliant/core/error.h"

namespace pliant::testing {

inline bool says(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }
inline void expect_says(std::string_view text, std::string_view words) { EXPECT_TRUE(says(text, words)) << text; }

// The Error that a call throws; a test failure if it throws none.
template <class Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error("none");
}

// What the error says, which names a remedy; empty if there was none.
template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
  return {};
}

}  // namespace pliant::testing
