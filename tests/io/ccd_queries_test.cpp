#include "pliant/io/ccd_queries.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"

namespace pliant {
namespace {

class CcdQueryFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("pliant-ccd-queries-") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

std::string header(const char* magic, std::uint32_t kind, std::uint32_t count) {
  std::string bytes(magic, 8);
  append_little(bytes, kind);
  append_little(bytes, count);
  return bytes;
}

std::string ccdq(double first_coordinate = 0.5, std::uint8_t collides = 1) {
  std::string bytes = header("CCDQ0001", 1, 1);
  for (int i = 0; i < 24; ++i) append_little(bytes, i == 0 ? first_coordinate : static_cast<double>(i));
  append_little(bytes, collides);
  append_little(bytes, 0.25);
  return bytes;
}

std::string ccdp(std::int32_t vertex = 3) {
  std::string bytes = header("CCDP0001", 0, 1);
  for (const std::int32_t v : {0, 1, 2, vertex}) append_little(bytes, v);
  append_little(bytes, std::uint8_t{0});
  append_little(bytes, std::nan(""));
  return bytes;
}

std::string message(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST_F(CcdQueryFiles, QueriesAreReadInOrder) {
  const CcdQueryFile q = read_ccdq(file("a.ccdq", ccdq()));
  EXPECT_EQ(q.kind, CcdKind::vertex_face);
  ASSERT_EQ(q.queries.size(), 1u);
  EXPECT_EQ(q.queries[0].x_t0[0], Vec3(0.5, 1, 2));
  EXPECT_EQ(q.queries[0].x_t1[3], Vec3(21, 22, 23));
  EXPECT_TRUE(q.truth[0].collides);
  EXPECT_EQ(q.truth[0].time, 0.25);
}

TEST_F(CcdQueryFiles, PairsAreReadInOrder) {
  const CcdPairFile p = read_ccdp(file("a.ccdp", ccdp()), 4);
  EXPECT_EQ(p.kind, CcdKind::edge_edge);
  ASSERT_EQ(p.pairs.size(), 1u);
  EXPECT_EQ(p.pairs[0], (std::array<std::uint32_t, 4>{0, 1, 2, 3}));
  EXPECT_FALSE(p.truth[0].collides);
  EXPECT_TRUE(std::isnan(p.truth[0].time));
}

TEST_F(CcdQueryFiles, DamagedBinaryFilesAreRefusedInWords) {
  const auto read_q = [&](const std::string& bytes) { return message([&] { read_ccdq(file("a.ccdq", bytes)); }); };
  EXPECT_NE(read_q("").find("CCDQ0001"), std::string::npos);
  EXPECT_NE(read_q(ccdp()).find("CCDQ0001"), std::string::npos);
  EXPECT_NE(read_q(ccdq().substr(0, 100)).find("100 bytes"), std::string::npos);
  EXPECT_NE(read_q(ccdq() + "x").find("bytes"), std::string::npos);
  EXPECT_NE(read_q(header("CCDQ0001", 2, 0)).find("kind 2"), std::string::npos);
  EXPECT_NE(read_q(header("CCDQ0001", 0, 0xffffffff)).find("bytes"), std::string::npos);
  EXPECT_NE(read_q(ccdq(std::nan(""))).find("query 0"), std::string::npos);
  EXPECT_NE(read_q(ccdq(0.5, 7)).find("collides is 7"), std::string::npos);
  EXPECT_NE(message([&] { read_ccdq("no/such.ccdq"); }).find("no/such.ccdq"), std::string::npos);
}

TEST_F(CcdQueryFiles, PairsBeyondTheMeshAreRefused) {
  EXPECT_NE(message([&] { read_ccdp(file("a.ccdp", ccdp(4)), 4); }).find("vertex 4 of 4"), std::string::npos);
  EXPECT_NE(message([&] { read_ccdp(file("a.ccdp", ccdp(-1)), 4); }).find("vertex 4294967295"), std::string::npos);
}

std::string csv(const std::string& first_row) {
  std::string text = first_row;
  for (int i = 1; i < 8; ++i) text += std::to_string(i) + ",1,-3,4,1,2,1\n";
  return text;
}

TEST_F(CcdQueryFiles, RationalTablesAreReadExactly) {
  const std::string tenth = "3602879701896397,36028797018963968";  // 0.1 as a double, in full
  const CcdQueryFile q =
      read_ccd_csv(file("a.csv", csv(tenth + ",-12345678901234567890123456789012345678901234567890,1,0,5,1\r\n")),
                   CcdKind::edge_edge);
  ASSERT_EQ(q.queries.size(), 1u);
  EXPECT_EQ(q.queries[0].x_t0[0][0], 0.1);
  EXPECT_EQ(q.queries[0].x_t0[0][2], 0);
  EXPECT_EQ(q.queries[0].x_t1[3], Vec3(7, -0.75, 0.5));
  EXPECT_TRUE(q.truth[0].collides);
  EXPECT_TRUE(std::isnan(q.truth[0].time));
  EXPECT_EQ(q.rounded_coordinates, 1u);  // the long one
  EXPECT_NEAR(q.queries[0].x_t0[0][1] / -1.2345678901234568e49, 1, 1e-15);
}

TEST_F(CcdQueryFiles, ATableMayBeginWithAByteOrderMark) {
  const std::string text =
      csv("\xef\xbb\xbf"
          "9,1,0,1,0,1,1\n");
  EXPECT_EQ(read_ccd_csv(file("a.csv", text), CcdKind::edge_edge).queries[0].x_t0[0], Vec3(9, 0, 0));
}

TEST_F(CcdQueryFiles, DamagedTablesAreRefusedInWords) {
  const auto read = [&](const std::string& first_row) {
    return message([&] { read_ccd_csv(file("a.csv", csv(first_row)), CcdKind::edge_edge); });
  };
  EXPECT_NE(read("").find("inside a query"), std::string::npos);
  EXPECT_NE(read("1,1,1,1,1\n").find("seven columns"), std::string::npos);
  EXPECT_NE(read("1,1,1,1,1,1,1,1\n").find("seven columns"), std::string::npos);
  EXPECT_NE(read("1,0,1,1,1,1,1\n").find("denominator"), std::string::npos);
  EXPECT_NE(read("1,-2,1,1,1,1,1\n").find("denominator"), std::string::npos);
  EXPECT_NE(read("x,1,1,1,1,1,1\n").find("no integer"), std::string::npos);
  EXPECT_NE(read("1,1,1,1,1,1,2\n").find("0 or 1"), std::string::npos);
  EXPECT_NE(read("1,1,1,1,1,1,0\n").find("contradicts"), std::string::npos);
  EXPECT_NE(read("1" + std::string(400, '0') + ",1,1,1,1,1,1\n").find("largest double"), std::string::npos);
  EXPECT_NE(read("x,1,1,1,1,1,1\n").find("a.csv:1"), std::string::npos) << read("x,1,1,1,1,1,1\n");
}

}  // namespace
}  // namespace pliant
