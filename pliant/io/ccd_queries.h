// Files of continuous collision queries with known answers, for measuring and testing ccd/.
//
//   .ccdq  "CCDQ0001", uint32 kind (0 edge-edge, 1 vertex-face), uint32 n, n x float64[24] (four points at t = 0, four
//   at
//          t = 1), n x uint8 collides, n x float64 time of impact (NaN: none). Little-endian, no padding.
//   .ccdp  "CCDP0001", uint32 kind, uint32 n, n x int32[4] vertex indices, n x uint8, n x float64, likewise.
//   .csv   eight rows per query (four points at t = 0, four at t = 1): three rationals as numerator, denominator, and 0
//   or 1:
//          does the query collide? The kind is not in the file.
// All readers check sizes and values and throw pliant::Error naming the file and the element.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "pliant/ccd/ccd.h"

namespace pliant {

struct CcdTruth {
  bool collides = false;
  double time = 0;  // of the first contact, rounded to double; NaN if there is none or it is not known
};

struct CcdQueryFile {
  CcdKind kind = CcdKind::vertex_face;
  std::vector<CcdQuery> queries;
  std::vector<CcdTruth> truth;          // one a query
  std::size_t rounded_coordinates = 0;  // coordinates that are no doubles (.csv only)
};

// Pairs of features of one mesh. Vertex-face: v f0 f1 f2, edge-edge: a0 a1 b0 b1.
struct CcdPairFile {
  CcdKind kind = CcdKind::vertex_face;
  std::vector<std::array<std::uint32_t, 4>> pairs;
  std::vector<CcdTruth> truth;
};

CcdQueryFile read_ccdq(const std::filesystem::path& file);

// Indices must be below vertex_count.
CcdPairFile read_ccdp(const std::filesystem::path& file, std::size_t vertex_count);

CcdQueryFile read_ccd_csv(const std::filesystem::path& file, CcdKind kind);

}  // namespace pliant
