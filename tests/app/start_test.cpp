// docs/start.md: a newcomer pastes its commands into an empty folder.
#include "tests/app/run_command.h"
#include "tests/support/page_reader.h"

namespace pliant::testing {
namespace {

struct Step {
  std::string command;  // several lines, where they belong together
  int status = 0;       // that the page promises
};

int promised_status(const std::string& line) {
  const std::string mark = "# exit status ";
  const std::size_t at = line.find(mark);
  return at == std::string::npos ? 0 : std::stoi(line.substr(at + mark.size()));
}

// The lines of all blocks ```sh; a here-document is one step.
std::vector<Step> steps_of(const std::string& page) {
  std::vector<Step> steps;
  std::istringstream lines(page);
  bool in_block = false, in_document = false;
  for (std::string line; std::getline(lines, line);) {
    if (!in_block || line == "```") {
      in_block = line == "```sh";
      continue;
    }
    if (in_document) steps.back().command += "\n" + line;
    else steps.push_back({line, promised_status(line)});
    if (line.find("<<'END'") != std::string::npos) in_document = true;
    else if (line == "END") in_document = false;
  }
  return steps;
}

TEST(StartHere, CommandsDoWhatThePageSaysInAnEmptyFolder) {
  const TemporaryFolder folder;
  const std::vector<Step> steps = steps_of(read_text(PLIANT_START));
  ASSERT_GE(steps.size(), 8u);
  // The page of reports is built apart; here an empty one stands for it, as in the tests of `pliant view`.
  const TemporaryFolder pages;
  ::setenv("PLIANT_VIEW", pages.write("view.html", kEmptyPage).c_str(), 1);
  const std::string path = std::filesystem::path(PLIANT_COMMAND_PATH).parent_path().string();
  for (const Step& step : steps) {
    const std::string script = pages.write("step.sh", "cd '" + folder.path("") + "'\n" + step.command + "\n");
    const int status =
        std::system(("PATH=" + path + ":$PATH sh " + script + " >" + pages.path("out") + " 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), step.status) << step.command << "\n" << read_text(pages.path("out"));
  }
  ::unsetenv("PLIANT_VIEW");
  for (const char* file : {"report.json", "report.html", "flag.html", "out/flag/run.json", "out/fall/cloth.npy"})
    EXPECT_TRUE(std::filesystem::exists(folder.path(file))) << file;
}

TEST(StartHere, ShowsTheAnswerThatTheCheckGives) {
  const TemporaryFolder folder;
  const std::string page = read_text(PLIANT_START), run = folder.path("teapot");
  ASSERT_EQ(run_pliant("run -q teapot-sphere --triangles 4000 --frames 60 --out " + run).status, 0);
  const std::string mark = "first collision: ";
  const std::string printed = run_pliant("check " + run).out;
  const auto answer = [&](const std::string& text) {
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? "" : text.substr(at, text.find(',', at) - at);  // with the time; names differ
  };
  EXPECT_FALSE(answer(page).empty());
  EXPECT_EQ(answer(printed), answer(page));
}

}  // namespace
}  // namespace pliant::testing
