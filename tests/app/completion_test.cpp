// Manual page and shell completions: written by the command, read by the programs that they are for.
#include <cstdlib>

#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

// What bash offers for the last of these words.
std::string completed_by_bash(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  std::string script = run_pliant("completion bash").out + "COMP_WORDS=(";
  for (const std::string& word : words) script += "'" + word + "' ";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) + "\n_pliant\necho \"${COMPREPLY[*]}\"\n";
  const std::string path = folder.write("complete.bash", script), out = folder.path("out");
  EXPECT_EQ(std::system(("bash " + path + " >" + out).c_str()), 0);
  return read_text(out);
}

TEST(Completion, BashOffersSubcommandsOptionsAndTheirValues) {
  if (!has_program("bash")) GTEST_SKIP();
  EXPECT_EQ(completed_by_bash({"pliant", "ch"}), "check\n");
  EXPECT_EQ(completed_by_bash({"pliant", "check", "a.obj", "--mo"}), "--motion --mode\n");
  EXPECT_EQ(completed_by_bash({"pliant", "check", "--mode", ""}), "safe paper\n");
  EXPECT_EQ(completed_by_bash({"pliant", "check", "--method", "swept-b"}), "swept-bvh\n");
  EXPECT_EQ(completed_by_bash({"pliant", "run", "cloth_on"}), "cloth_on_ball\n");
  EXPECT_EQ(completed_by_bash({"pliant", "bench", "ccd", "--kind", ""}), "vf ee\n");
  EXPECT_EQ(completed_by_bash({"pliant", "bench", "bud"}), "budgets\n");
}

TEST(Completion, BashLeavesFileNamesToItself) {
  if (!has_program("bash")) GTEST_SKIP();
  EXPECT_EQ(completed_by_bash({"pliant", "check", ""}), "\n");
  EXPECT_EQ(completed_by_bash({"pliant", "check", "--json", ""}), "\n");
}

TEST(Completion, IsAcceptedByEveryShellThatIsHere) {
  const TemporaryFolder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome written = run_pliant("completion " + shell);
    EXPECT_EQ(written.status, 0);
    EXPECT_NE(written.out.find("min-separation"), std::string::npos) << shell;
    const std::string path = folder.write(shell, written.out);
    if (!has_program(shell)) continue;
    EXPECT_EQ(std::system((shell + " -n " + path).c_str()), 0) << shell;
  }
  expect_refused("completion tcsh", {"tcsh", "see pliant completion --help"});
}

TEST(ManualPage, NamesEverySubcommandAndOptionOfTheHelp) {
  const std::string page = run_pliant("man").out;
  EXPECT_EQ(page.rfind(".TH PLIANT 1", 0), 0u);
  for (const char* words : {"\\fBpliant check\\fR", "\\fBpliant bench ccd\\fR", "\\fB\\-\\-min\\-separation\\fR",
                            "\\fBsafe|paper\\fR", "PLIANT_ASSETS", "Exit status: 0"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
}

TEST(ManualPage, HasNoLineThatRoffWouldTakeForACommandOfItsOwn) {
  std::istringstream page(run_pliant("man").out);
  for (std::string line; std::getline(page, line);) {
    if (line.empty() || (line[0] != '.' && line[0] != '\'')) continue;
    const std::string name = line.substr(0, 3);
    EXPECT_TRUE(name == ".TH" || name == ".SH" || name == ".SS" || name == ".TP" || name == ".PP" || name == ".nf" ||
                name == ".fi" || name == ".nh")
        << line;
  }
}

}  // namespace
}  // namespace pliant::testing
