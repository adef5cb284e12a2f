// Help, methods, demo, usage errors.
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

TEST(Command, HelpOfEverySubcommandHasAnExample) {
  for (const char* subcommand : {"", "check", "convert", "methods", "demo"}) {
    const Outcome help = run_pliant(std::string(subcommand) + " --help");
    EXPECT_EQ(help.status, 0) << subcommand;
    EXPECT_NE(help.out.find("Example"), std::string::npos) << subcommand;
  }
}

TEST(Command, WrongUsageExitsWithTwo) {
  EXPECT_EQ(run_pliant("").status, 2);
  EXPECT_EQ(run_pliant("chek a.obj").status, 2);
  EXPECT_EQ(run_pliant("check").status, 2);
  EXPECT_EQ(run_pliant("check --no-such-option a.obj").status, 2);
}

TEST(Command, MethodsListsEveryMethodWithItsGuarantee) {
  const Outcome table = run_pliant("methods");
  EXPECT_EQ(table.status, 0);
  for (const char* word : {"bvh", "spatial-hash", "brute-force", "exact", "Teschner"})
    EXPECT_NE(table.out.find(word), std::string::npos) << word;
  const auto json = run_pliant("methods --json").json();
  EXPECT_EQ(json["schema"], "pliant.methods/1");
  EXPECT_GE(json["methods"].size(), 3u);
}

TEST(Command, VersionIsPrinted) { EXPECT_EQ(run_pliant("--version").out.rfind("pliant ", 0), 0u); }

}  // namespace
}  // namespace pliant::testing
