// Runs the pliant command as a user would.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace pliant::testing {

struct Outcome {
  int status = -1;  // exit status; 128 + signal if the command was ended by one
  std::string out;
  std::string err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

// With its standard output sent to "out" of the folder, unless `output` says otherwise in the shell's words. `from`:
// the folder that it is started in; empty: this one's.
inline Outcome run_pliant(const std::string& arguments, const std::string& output = {}, const std::string& from = {}) {
  const TemporaryFolder folder;
  std::string command = from.empty() ? "" : "cd " + from + " && ";
  command += PLIANT_COMMAND_PATH;
  command.append(" ").append(arguments).append(" ");
  command.append(output.empty() ? std::string(">").append(folder.path("out")) : output);
  command.append(" 2>").append(folder.path("err"));
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(folder.path("out")),
          read_text(folder.path("err"))};
}

// Bad usage or input: told so in one line, which has these words, and nothing else is printed.
inline void expect_refused(const std::string& arguments, const std::vector<std::string>& words) {
  const Outcome run = run_pliant(arguments);
  EXPECT_EQ(run.status, 2) << arguments;
  EXPECT_TRUE(run.out.empty()) << run.out;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  for (const std::string& word : words) EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
}

}  // namespace pliant::testing
