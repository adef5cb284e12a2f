// Meshes and positions from the arrays that other programs keep: flat ones, and Eigen's matrices.
//
// Everything is copied and checked on the way. Each function throws Error, naming the element, for a size that is not
// a multiple of 3, a matrix without 3 columns, an index out of range or a coordinate that is not finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// x, y, z of each vertex; three vertices (counted from 0) of each triangle.
MeshPtr mesh_from(std::span<const double> positions, std::span<const std::uint32_t> triangles);
std::vector<Vec3> positions_from(std::span<const double> positions);

namespace detail {

MeshPtr mesh_from_wide(std::span<const double> positions, std::span<const std::int64_t> triangles);
[[noreturn]] void refuse_columns(const char* matrix, std::int64_t columns);

// Row by row, whatever the order in memory.
template <class To, class Derived>
std::vector<To> rows_of(const Eigen::DenseBase<Derived>& matrix, const char* name) {
  if (matrix.cols() != 3) refuse_columns(name, matrix.cols());
  std::vector<To> flat;
  flat.reserve(static_cast<std::size_t>(3 * matrix.rows()));
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Eigen::Index i = 0; i < 3; ++i) flat.push_back(static_cast<To>(matrix.derived().coeff(row, i)));
  return flat;
}

}  // namespace detail

// One vertex a row of V (n x 3), one triangle a row of F (m x 3), of any kind of number and storage order.
template <class V, class F>
MeshPtr mesh_from(const Eigen::DenseBase<V>& positions, const Eigen::DenseBase<F>& triangles) {
  static_assert(Eigen::NumTraits<typename F::Scalar>::IsInteger, "triangles are vertex indices: whole numbers");
  return detail::mesh_from_wide(detail::rows_of<double>(positions, "V"), detail::rows_of<std::int64_t>(triangles, "F"));
}

template <class V>
std::vector<Vec3> positions_from(const Eigen::DenseBase<V>& positions) {
  return positions_from(detail::rows_of<double>(positions, "V"));
}

}  // namespace pliant
