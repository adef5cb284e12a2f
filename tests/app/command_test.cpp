// Help, methods, demo, usage errors.
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

TEST(Command, HelpOfEverySubcommandHasAnExample) {
  for (const char* subcommand : {"", "check", "run", "convert", "prepare", "methods", "demo", "bench", "bench ccd",
                                 "view", "completion", "man", "reproduce"}) {
    const Outcome help = run_pliant(std::string(subcommand) + " --help");
    EXPECT_EQ(help.status, 0) << subcommand;
    EXPECT_NE(help.out.find("Example"), std::string::npos) << subcommand;
  }
}

TEST(Command, WrongUsageIsRefusedInOneLineThatNamesTheHelp) {
  expect_refused("", {"pliant: ", "subcommand", "see pliant --help"});
  expect_refused("chek a.obj", {"pliant: ", "did you mean 'check'?"});
  expect_refused("check", {"pliant: ", "mesh is required", "see pliant check --help"});
  expect_refused("check --no-such-option a.obj", {"pliant: ", "--no-such-option", "see pliant check --help"});
  expect_refused("check a.obj --limit -1", {"pliant: --limit: '-1'", "see pliant check --help"});
  expect_refused("bench ccd", {"--queries is required", "see pliant bench ccd --help"});
}

TEST(Command, AFullDiskIsNotABadInput) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const TemporaryFolder folder;
  const std::string a = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const Outcome run = run_pliant("check -q " + a + " --json /dev/full");
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.err.find("pliant: /dev/full: cannot be written: No space left"), std::string::npos) << run.err;
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

TEST(Command, MethodsDescribesOneWithItsSettings) {
  const Outcome one = run_pliant("methods kinetic");
  EXPECT_EQ(one.status, 0);
  for (const char* word : {"Weller", "leaf_size", "1 to 16", "renewal", "segments", "[method.kinetic]"})
    EXPECT_NE(one.out.find(word), std::string::npos) << word << one.out;
  const auto json = run_pliant("methods swept-bvh --json").json();
  ASSERT_EQ(json["methods"].size(), 1u);
  const auto& setting = json["methods"][0]["settings"][0];
  EXPECT_EQ(setting["name"], "leaf_size");
  EXPECT_EQ(setting["type"], "whole number");
  EXPECT_EQ(setting["default"], 16);
  EXPECT_EQ(setting["most"], 16);
  EXPECT_NE(run_pliant("methods brute-force").out.find("no settings"), std::string::npos);
  const Outcome wrong = run_pliant("methods kinetik");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("did you mean 'kinetic'?"), std::string::npos) << wrong.err;
}

TEST(Command, VersionIsPrinted) { EXPECT_EQ(run_pliant("--version").out.rfind("pliant ", 0), 0u); }

TEST(Command, ResultsThatCanNotBeWrittenAreAnError) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  // A standard output that was opened for reading refuses to be written, like a full disk.
  const std::string refusing = "1<" + a;
  for (const std::string& words :
       {"check " + a, "check --json - " + a, "convert " + a + " " + folder.path("b.ply"), std::string("methods"),
        std::string("methods --json"), std::string("check --help"), std::string("--version")}) {
    const Outcome run = run_pliant(words, refusing);
    EXPECT_EQ(run.status, 3) << words;
    EXPECT_NE(run.err.find("pliant: the standard output cannot be written"), std::string::npos) << words << run.err;
  }
  EXPECT_EQ(run_pliant("check -q " + a, refusing).status, 0);  // it has nothing to say
}

TEST(Command, PathsThatLeadNowhereAreNamedWithARemedy) {
  const TemporaryFolder folder;
  const std::string mesh = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), loop = folder.path("loop");
  std::filesystem::create_symlink("loop", loop);
  for (const std::string& words :
       {"check " + loop, "check " + mesh + " --motion " + loop, "check " + mesh + " --json " + loop,
        "check " + mesh + " --motion " + loop + "/w.%d.obj", "convert " + loop + " " + folder.path("b.ply"),
        "convert " + mesh + " " + loop + "/b.ply", "prepare " + loop + " -o " + folder.path("b.pliant"),
        "run cloth_on_ball --frames 1 --out " + loop, "run " + loop}) {
    const Outcome run = run_pliant(words);
    EXPECT_EQ(run.status, 2) << words;
    EXPECT_NE(run.err.find(loop), std::string::npos) << words << ": " << run.err;
    EXPECT_NE(run.err.find(" ("), std::string::npos) << words << ": " << run.err;
    EXPECT_EQ(run.err.find("filesystem error"), std::string::npos) << words << ": " << run.err;
  }
}

}  // namespace
}  // namespace pliant::testing
