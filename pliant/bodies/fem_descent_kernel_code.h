// The kernel of fem_descent_kernel.h, compiled for each target.
//
// Of a tetrahedron, b = grad N of the vertex, F = G + sum (d_j - d) b_j^T with G = F at the start and displacements d:
//
//   elastic, exact because J = det F is linear in one vertex: q = cof(F) b,
//     g = V (mu F b + (L (J - 1) - mu) q),  H = V (mu |b|^2 I + L q q^T);
//   viscous, strain rate sym(G^T (F - G)) / h: with p = G b, w = (F - G) b, t = trace of G^T (F - G),
//     g = V (psi G (G^T w + (F - G)^T p) + phi t p),  H = V ((phi + psi) p p^T + psi |b|^2 G G^T).
#pragma once

#include "pliant/bodies/fem_descent_kernel.h"
#include "pliant/bodies/fem_lanes.h"
#include "pliant/core/simd.h"

namespace pliant::fem::PLIANT_SIMD_TARGET {
namespace {

// Gradient and Hessian of the potential by one vertex.
struct Local8 {
  Vector8 g;
  Symmetric8 h;
};

PLIANT_SIMD_INLINE void add_diagonal(Symmetric8* m, Float8 value) {
  m->xx = m->xx + value;
  m->yy = m->yy + value;
  m->zz = m->zz + value;
}

PLIANT_SIMD_INLINE void add_elastic(Local8* local, const DescentStep& step, const Matrix8& f, const Vector8& b,
                                    Float8 volume) {
  // Rows of the cofactor matrix.
  const Vector8 cx = cross(f.y, f.z), cy = cross(f.z, f.x), cz = cross(f.x, f.y);
  const Vector8 q{dot(cx, b), dot(cy, b), dot(cz, b)};
  const Float8 j = dot(f.x, cx);
  const Float8 mu = volume * Float8(step.mu), stiffness = volume * Float8(step.stiffness);
  const Float8 pressure = stiffness * (j - Float8(1.0f)) - mu;
  local->g = local->g + mu * (f * b) + pressure * q;
  add_diagonal(&local->h, mu * dot(b, b));
  add_square(&local->h, stiffness, q);
}

PLIANT_SIMD_INLINE void add_recovery(Local8* local, const DescentStep& step, const Matrix8& f, const Vector8& b,
                                     Float8 weighted_volume) {
  const Float8 mu = weighted_volume * Float8(step.mu);
  local->g = local->g + mu * ((f - uniform_matrix(step.pose)) * b);
  add_diagonal(&local->h, mu * dot(b, b));
}

PLIANT_SIMD_INLINE void add_viscous(Local8* local, const DescentStep& step, const Matrix8& start, const Matrix8& change,
                                    const Vector8& b, Float8 volume) {
  const Vector8 p = start * b, w = change * b;
  const Float8 trace = dot(start.x, change.x) + dot(start.y, change.y) + dot(start.z, change.z);
  const Float8 phi = volume * Float8(step.phi), psi = volume * Float8(step.psi);
  const Vector8 strain = transposed_times(start, w) + transposed_times(change, p);
  local->g = local->g + psi * (start * strain) + (phi * trace) * p;
  const Float8 all = psi * dot(b, b);
  local->h.xx = local->h.xx + all * dot(start.x, start.x);
  local->h.xy = local->h.xy + all * dot(start.x, start.y);
  local->h.xz = local->h.xz + all * dot(start.x, start.z);
  local->h.yy = local->h.yy + all * dot(start.y, start.y);
  local->h.yz = local->h.yz + all * dot(start.y, start.z);
  local->h.zz = local->h.zz + all * dot(start.z, start.z);
  add_square(&local->h, phi + psi, p);
}

// L D L^T: an inverse by cofactors would lose twice as many digits where a material is nearly incompressible.
struct Factors8 {
  Float8 l10, l20, l21, r0, r1, r2;
};
PLIANT_SIMD_INLINE Factors8 factor(const Symmetric8& h) {
  // What rounding can make of a pivot is kept away from zero.
  const Float8 least(1e-6f);
  Factors8 f;
  f.r0 = Float8(1.0f) / h.xx;
  f.l10 = h.xy * f.r0;
  f.l20 = h.xz * f.r0;
  f.r1 = Float8(1.0f) / max(h.yy - f.l10 * h.xy, least * h.yy);
  const Float8 e = h.yz - f.l20 * h.xy;
  f.l21 = e * f.r1;
  f.r2 = Float8(1.0f) / max(h.zz - f.l20 * h.xz - f.l21 * e, least * h.zz);
  return f;
}
PLIANT_SIMD_INLINE Vector8 solve(const Factors8& f, const Vector8& g) {
  const Float8 y1 = g.y - f.l10 * g.x, y2 = g.z - f.l20 * g.x - f.l21 * y1;
  const Float8 z = y2 * f.r2, y = y1 * f.r1 - f.l21 * z, x = g.x * f.r0 - f.l10 * y - f.l20 * z;
  return {x, y, z};
}
PLIANT_SIMD_INLINE void store_inverse(const Factors8& f, float* p) {
  const Float8 one(1.0f), zero(0.0f);
  const Vector8 x = solve(f, {one, zero, zero}), y = solve(f, {zero, one, zero}), z = solve(f, {zero, zero, one});
  const Float8 entries[6] = {x.x, x.y, x.z, y.y, y.z, z.z};
  for (std::size_t k = 0; k < 6; ++k) simd::store(p + k * kVertexLanes, entries[k]);
}

template <bool kViscous, bool kRecovering>
PLIANT_SIMD_INLINE void add_slot(Local8* local, const VertexBlocks& blocks, const DescentStep& step, std::size_t slot,
                                 const Vector8& own) {
  const float* gradients = blocks.gradients + 9 * kVertexLanes * slot;
  const std::uint32_t* others = blocks.others + 3 * kVertexLanes * slot;
  const Matrix8 start = load_matrices(step.start_gradients, blocks.rows + kVertexLanes * slot);
  const Float8 zero(0.0f);
  Matrix8 change{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
  Vector8 b{zero, zero, zero};
  for (std::size_t c = 0; c < 3; ++c) {
    const Vector8 gradient = load_vector(gradients + 3 * kVertexLanes * c);
    add_outer(&change, load_vectors(step.moved, others + kVertexLanes * c) - own, gradient);
    b = b - gradient;
  }
  const Float8 volume = simd::load(blocks.volumes + kVertexLanes * slot);
  add_elastic(local, step, start + change, b, volume);
  if constexpr (kRecovering)
    add_recovery(local, step, start + change, b,
                 volume * load_weights(step.start_gradients, blocks.rows + kVertexLanes * slot));
  if constexpr (kViscous) add_viscous(local, step, start, change, b, volume);
}

template <bool kViscous, bool kRecovering>
PLIANT_SIMD_INLINE void descend_block(const VertexBlocks& blocks, const DescentStep& step, std::size_t block,
                                      float* inverse) {
  const std::uint32_t* nodes = blocks.nodes + kVertexLanes * block;
  const Vector8 own = load_vectors(step.moved, nodes);
  const Float8 inertia = simd::load(blocks.masses + kVertexLanes * block) * Float8(step.per_square_second);
  const Float8 zero(0.0f);
  Local8 local{inertia * (own - load_vectors(step.inertial, nodes)), {inertia, zero, zero, inertia, zero, inertia}};
  for (std::size_t slot = blocks.first_slot[block]; slot < blocks.first_slot[block + 1]; ++slot)
    add_slot<kViscous, kRecovering>(&local, blocks, step, slot, own);
  const Factors8 factors = factor(local.h);
  const Vector8 to = own - solve(factors, local.g);
  simd::store_rows(step.moved, nodes, {to.x, to.y, to.z, zero});
  if (inverse) store_inverse(factors, inverse);
}

template <bool kViscous, bool kRecovering>
PLIANT_SIMD_INLINE void descend_blocks(const VertexBlocks& blocks, const DescentStep& step, std::size_t first,
                                       std::size_t last, bool backward, float* inverses) {
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t block = backward ? first + last - 1 - i : i;
    descend_block<kViscous, kRecovering>(blocks, step, block,
                                         inverses ? inverses + 6 * kVertexLanes * (block - first) : nullptr);
  }
}

}  // namespace

// NOLINTNEXTLINE(misc-definitions-in-headers): included by one file of each target
void descend(const VertexBlocks& blocks, const DescentStep& step, std::size_t first, std::size_t last, bool backward,
             float* inverses) {
  if (step.recovering) descend_blocks<true, true>(blocks, step, first, last, backward, inverses);
  else if (step.phi > 0 || step.psi > 0) descend_blocks<true, false>(blocks, step, first, last, backward, inverses);
  else descend_blocks<false, false>(blocks, step, first, last, backward, inverses);
}

}  // namespace pliant::fem::PLIANT_SIMD_TARGET
