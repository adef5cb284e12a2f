#include "pliant/mesh/mesh_from.h"

#include <gtest/gtest.h>

#include <limits>

#include "pliant/core/error.h"

namespace pliant {
namespace {

const std::vector<double> kPositions{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
const std::vector<std::uint32_t> kTriangles{0, 1, 2, 0, 3, 1};

std::string message(auto&& make) {
  try {
    make();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing thrown";
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

void expect_tent(const TriangleMesh& mesh) {
  ASSERT_EQ(mesh.vertex_count(), 4u);
  ASSERT_EQ(mesh.face_count(), 2u);
  EXPECT_EQ(mesh.position(VertexId(1)), Vec3(1, 0, 0));
  EXPECT_EQ(mesh.position(VertexId(3)), Vec3(0, 0, 1));
  EXPECT_EQ(mesh.triangle(FaceId(1)), (Triangle{VertexId(0), VertexId(3), VertexId(1)}));
}

TEST(MeshFrom, ReadsFlatArrays) { expect_tent(*mesh_from(kPositions, kTriangles)); }

TEST(MeshFrom, ReadsEigenMatricesOfEitherOrderAndAnyNumbers) {
  Eigen::MatrixXd v(4, 3);
  v << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  Eigen::MatrixXi f(2, 3);
  f << 0, 1, 2, 0, 3, 1;
  expect_tent(*mesh_from(v, f));
  const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> rows = v;
  const Eigen::Matrix<std::uint32_t, Eigen::Dynamic, 3, Eigen::RowMajor> faces = f.cast<std::uint32_t>();
  expect_tent(*mesh_from(rows, faces));
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic> floats = v.cast<float>();
  expect_tent(*mesh_from(floats, f.cast<std::int64_t>()));
  expect_tent(*mesh_from(2 * v - v, f.array()));
  EXPECT_EQ(positions_from(rows), positions_from(kPositions));
}

TEST(MeshFrom, TakesEmptyArrays) {
  EXPECT_EQ(mesh_from(std::span<const double>(), std::span<const std::uint32_t>())->vertex_count(), 0u);
  EXPECT_EQ(mesh_from(kPositions, std::span<const std::uint32_t>())->face_count(), 0u);
}

TEST(MeshFrom, RefusesSizesThatAreNoMultipleOfThree) {
  const std::span positions(kPositions);
  expect_in(message([&] { mesh_from(positions.first(11), kTriangles); }), "vertex 3");
  expect_in(message([&] { mesh_from(kPositions, std::span(kTriangles).first(5)); }), "triangle 1");
  expect_in(message([&] { positions_from(positions.first(2)); }), "vertex 0");
  expect_in(message([&] { mesh_from(Eigen::MatrixXd::Zero(4, 2), Eigen::MatrixXi::Zero(1, 3)); }),
            "matrix V has 2 columns");
  expect_in(message([&] { mesh_from(Eigen::MatrixXd::Zero(4, 3), Eigen::MatrixXi::Zero(1, 4)); }),
            "matrix F has 4 columns");
}

TEST(MeshFrom, RefusesIndicesOutOfRangeByTriangle) {
  const std::vector<std::uint32_t> far{0, 1, 2, 0, 4, 1};
  expect_in(message([&] { mesh_from(kPositions, far); }), "triangle 1: vertex index 4 is out of range");
  Eigen::MatrixXi f(2, 3);
  f << 0, 1, 2, 0, -1, 1;
  expect_in(message([&] { mesh_from(Eigen::MatrixXd::Zero(4, 3), f); }), "triangle 1: vertex index -1");
  Eigen::Matrix<std::int64_t, 1, 3> wide(0, 1, (std::int64_t{1} << 32) + 2);
  expect_in(message([&] { mesh_from(Eigen::MatrixXd::Zero(4, 3), wide); }), "vertex index 4294967298");
}

TEST(MeshFrom, RefusesCoordinatesThatAreNotFiniteByVertex) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<double> positions = kPositions;
    positions[7] = bad;
    expect_in(message([&] { mesh_from(positions, kTriangles); }), "vertex 2");
  }
}

}  // namespace
}  // namespace pliant
