// Certified continuous collision detection of one pair: a vertex and a face, or two edges, whose points all move
// linearly, x(t) = (1 - t) x_t0 + t x_t1 for t in [0, 1], in real arithmetic.
//
// Nothing is ever missed: `none` is proved for every finite input, degenerate and identically coplanar ones included,
// and t_lo is never later than the true first contact. With the exact stage on (the default) `hit` and `none` are what
// exact arithmetic gives. Coordinates that are not finite answer `possible` over the whole interval.
// All functions here are pure and may run on any number of threads. They need the default floating-point environment
// (round to nearest, denormals kept). Answers are the same, bit for bit, on every processor and in batches (batch.h).
#pragma once

#include <array>
#include <cstdint>

#include "pliant/core/vec3.h"
#include "pliant/motion/interval.h"

namespace pliant {

enum class CcdKind : std::uint8_t { edge_edge = 0, vertex_face = 1 };

// Four points at both ends of the motion. Vertex-face: v, f0, f1, f2; edge-edge: a0, a1, b0, b1.
// Features are closed, faces and edges may have no extent.
struct CcdQuery {
  std::array<Vec3, 4> x_t0;
  std::array<Vec3, 4> x_t1;
};

struct CcdOptions {
  // Refine until t_hi - t_lo is at most this, or as narrow as the arithmetic allows. At least a few ulps of 1.
  double time_tolerance = 1e-10;
  // A pair that provably comes within this length, but is not quickly seen to touch, may be answered `possible`
  // instead of being decided. 0: everything is decided. Length unit of the coordinates.
  double distance_tolerance = 0;
  // Contact means a distance of at most this. If it is not 0 answers are conservative (never missed, never late)
  // instead of exact: a distance within rounding (or distance_tolerance) of it is `possible`.
  double min_separation = 0;
  // At most this many clips and bisections; then the answer is `possible` from t_lo on. 0: as many as it takes.
  int max_iterations = 0;
  // Decide in exact arithmetic what floating point cannot. Off: such pairs are `possible`.
  bool exact = true;
};

enum class CcdStatus : std::uint8_t {
  none,      // proved: no contact in the interval
  hit,       // proved: the first contact lies in [t_lo, t_hi]
  possible,  // no contact before t_lo; the first contact, if there is any, lies in [t_lo, t_hi]
};

struct CcdResult {
  CcdStatus status = CcdStatus::none;
  // Already in contact at the start of the interval. Exact for hits without minimum separation; with `possible` or a
  // minimum separation it means that this could not be excluded.
  bool initial = false;
  double t_lo = 0;
  double t_hi = 0;
  // Coordinates of the contact (of the closest points in the middle of [t_lo, t_hi]), each in [0, 1].
  // Vertex-face: f0 + u (f1 - f0) + v (f2 - f0), u + v <= 1. Edge-edge: a0 + u (a1 - a0) and b0 + v (b1 - b0).
  double u = 0;
  double v = 0;

  bool operator==(const CcdResult&) const = default;
};

// The interval is a part of [0, 1] with t0 <= t1; times in results are those of the motion, not of the part.
CcdResult vertex_face_ccd(const CcdQuery& query, const CcdOptions& options = {}, Interval interval = {0, 1});
CcdResult edge_edge_ccd(const CcdQuery& query, const CcdOptions& options = {}, Interval interval = {0, 1});
CcdResult pair_ccd(CcdKind kind, const CcdQuery& query, const CcdOptions& options = {}, Interval interval = {0, 1});

}  // namespace pliant
