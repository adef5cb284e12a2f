// The kernels of fem_newton_kernel.h, compiled for each target. Notation as in fem_descent_kernel_code.h.
//
// The Hessian in F: dP = mu dF + L cof(F) (cof(F) : dF) + c dcof(F), c = L (J - 1) - mu. The last term is indefinite;
// its factor is clamped to
//   |c| <= mu / s (1/2 + 1/2 min(1, L |cof F|^2 / (3 mu))),  s^2 = the largest absolute row sum of F^T F >= |F|_2^2,
// since |dcof : dF| <= s |dF|^2 for two of the three planes that it acts in. A bound found by trying, not a proof that
// the sum is definite: conjugate gradients stop at a direction without curvature.
#pragma once

#include "pliant/bodies/fem_lanes.h"
#include "pliant/bodies/fem_newton_kernel.h"
#include "pliant/core/simd.h"

namespace pliant::fem::PLIANT_SIMD_TARGET {
namespace {

// Of one block.
struct Tets8 {
  Matrix8 start;
  Vector8 b[3];
  Float8 volume;
  Float8 weight;  // of recovery
};

// All but the start.
PLIANT_SIMD_INLINE void load_shapes(Tets8* t, const TetBlocks& tets, const DescentStep& step, std::size_t block) {
  for (std::size_t c = 0; c < 3; ++c) t->b[c] = load_vector(tets.gradients + (9 * block + 3 * c) * kEight);
  t->volume = simd::load(tets.volumes + kEight * block);
  t->weight = step.recovering ? load_weights(step.start_gradients, tets.rows + kEight * block) : Float8(0.0f);
}

PLIANT_SIMD_INLINE void load_tets(Tets8* t, const TetBlocks& tets, const DescentStep& step, std::size_t block) {
  t->start = load_matrices(step.start_gradients, tets.rows + kEight * block);
  load_shapes(t, tets, step, block);
}

// sum (d_j - d_0) b_j^T.
PLIANT_SIMD_INLINE Matrix8 gradient_of(const Tets8& t, const float* rows, const std::uint32_t* corners) {
  const Float8 zero(0.0f);
  Matrix8 m{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
  const Vector8 first = load_vectors(rows, corners);
  for (std::size_t c = 0; c < 3; ++c) add_outer(&m, load_vectors(rows, corners + kEight * (c + 1)) - first, t.b[c]);
  return m;
}

PLIANT_SIMD_INLINE Matrix8 cofactors(const Matrix8& f) { return {cross(f.y, f.z), cross(f.z, f.x), cross(f.x, f.y)}; }
PLIANT_SIMD_INLINE Float8 dot(const Matrix8& a, const Matrix8& b) {
  return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
}
PLIANT_SIMD_INLINE Matrix8 operator*(Float8 s, const Matrix8& m) { return {s * m.x, s * m.y, s * m.z}; }

// start (psi (A + A^T) + phi tr(A) I), A = start^T change.
PLIANT_SIMD_INLINE Matrix8 viscous_stress(const Tets8& t, const DescentStep& step, const Matrix8& change) {
  // Rows of A + A^T from columns.
  const Matrix8& g = t.start;
  const Vector8 ax = g.x.x * change.x + g.y.x * change.y + g.z.x * change.z;
  const Vector8 ay = g.x.y * change.x + g.y.y * change.y + g.z.y * change.z;
  const Vector8 az = g.x.z * change.x + g.y.z * change.y + g.z.z * change.z;
  const Float8 trace = Float8(step.phi) * (ax.x + ay.y + az.z);
  const Float8 psi(step.psi);
  const Float8 xy = psi * (ax.y + ay.x), xz = psi * (ax.z + az.x), yz = psi * (ay.z + az.y);
  const Vector8 sx{psi * (ax.x + ax.x) + trace, xy, xz}, sy{xy, psi * (ay.y + ay.y) + trace, yz},
      sz{xz, yz, psi * (az.z + az.z) + trace};
  return {{dot(g.x, sx), dot(g.x, sy), dot(g.x, sz)},
          {dot(g.y, sx), dot(g.y, sy), dot(g.y, sz)},
          {dot(g.z, sx), dot(g.z, sy), dot(g.z, sz)}};
}

// `growth`: J - 1.
PLIANT_SIMD_INLINE Float8 elastic_energy(const Tets8& t, const DescentStep& step, const Matrix8& f, Float8 growth) {
  const Float8 half(0.5f);
  return t.volume * (Float8(step.mu) * (half * (dot(f, f) - Float8(3.0f)) - growth) +
                     half * Float8(step.stiffness) * growth * growth);
}

PLIANT_SIMD_INLINE Float8 elastic_energy(const Tets8& t, const DescentStep& step, const Matrix8& f) {
  return elastic_energy(t, step, f, dot(f.x, cross(f.y, f.z)) - Float8(1.0f));
}

PLIANT_SIMD_INLINE void add_lanes(double* sum, Float8 values) {
  float lane[kEight];
  simd::store(lane, values);
  for (std::size_t l = 0; l < kEight; ++l) sum[l] += lane[l];
}

// V P b to each corner.
PLIANT_SIMD_INLINE void scatter(float* rows, const std::uint32_t* corners, const Tets8& t, const Matrix8& piola) {
  const Float8 zero(0.0f);
  const Matrix8 p = t.volume * piola;
  const Vector8 f1 = p * t.b[0], f2 = p * t.b[1], f3 = p * t.b[2];
  const Vector8 all = f1 + f2 + f3;
  const Vector8 f0{zero - all.x, zero - all.y, zero - all.z};
  const Vector8* const forces[4] = {&f0, &f1, &f2, &f3};
  for (std::size_t c = 0; c < 4; ++c) {
    float own[4 * kEight];
    simd::store_rows(own, {forces[c]->x, forces[c]->y, forces[c]->z, zero});
    for (std::size_t l = 0; l < kEight; ++l) {
      float* const to = rows + 4 * std::size_t{corners[c * kEight + l]};
      simd::Float4 sum, add;
      __builtin_memcpy(&sum, to, sizeof sum);
      __builtin_memcpy(&add, own + 4 * l, sizeof add);
      sum += add;
      __builtin_memcpy(to, &sum, sizeof sum);
    }
  }
}

// The factor of the second derivative of J, clamped.
PLIANT_SIMD_INLINE Float8 clamped_factor(const DescentStep& step, const Matrix8& f, const Matrix8& cofactor,
                                         Float8 factor) {
  // Columns of F.
  const Vector8 u{f.x.x, f.y.x, f.z.x}, v{f.x.y, f.y.y, f.z.y}, w{f.x.z, f.y.z, f.z.z};
  const Float8 uv = abs(dot(u, v)), uw = abs(dot(u, w)), vw = abs(dot(v, w));
  const Float8 s_sq = max(max(dot(u, u) + uv + uw, dot(v, v) + uv + vw), dot(w, w) + uw + vw);
  const Float8 half(0.5f), one(1.0f), mu(step.mu);
  const Float8 help = min(one, Float8(step.stiffness) * dot(cofactor, cofactor) / (Float8(3.0f) * mu));
  const Float8 bound = mu / sqrt(max(s_sq, Float8(1e-12f))) * (half + half * help);
  return max(Float8(0.0f) - bound, min(bound, factor));
}

PLIANT_SIMD_INLINE void store_matrix(float* to, const Matrix8& m) {
  const Float8 entries[9] = {m.x.x, m.x.y, m.x.z, m.y.x, m.y.y, m.y.z, m.z.x, m.z.y, m.z.z};
  for (std::size_t k = 0; k < 9; ++k) simd::store(to + k * kEight, entries[k]);
}
PLIANT_SIMD_INLINE Matrix8 load_matrix(const float* p) {
  return {load_vector(p), load_vector(p + 3 * kEight), load_vector(p + 6 * kEight)};
}

PLIANT_SIMD_INLINE Matrix8 derivative_of_cofactors(const Matrix8& f, const Matrix8& d) {
  return {cross(d.y, f.z) + cross(f.y, d.z), cross(d.z, f.x) + cross(f.z, d.x), cross(d.x, f.y) + cross(f.x, d.y)};
}

PLIANT_SIMD_INLINE bool is_viscous(const DescentStep& step) { return step.phi > 0 || step.psi > 0; }

}  // namespace

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
void add_potential(const TetBlocks& tets, const DescentStep& step, double* energy) {
  const Float8 half(0.5f);
  for (std::size_t block = 0; block < tets.blocks; ++block) {
    Tets8 t;
    load_tets(&t, tets, step, block);
    const Matrix8 change = gradient_of(t, step.moved, tets.corners + 4 * kEight * block);
    add_lanes(energy, elastic_energy(t, step, t.start + change));
    if (step.recovering) {
      const Matrix8 off = t.start + change - uniform_matrix(step.pose);
      add_lanes(energy, half * t.volume * t.weight * Float8(step.mu) * dot(off, off));
    }
    if (is_viscous(step)) add_lanes(energy, half * t.volume * dot(viscous_stress(t, step, change), change));
  }
}

void add_elastic_energies(const TetBlocks& tets, const DescentStep& step, double* start, double* end) {
  for (std::size_t block = 0; block < tets.blocks; ++block) {
    Tets8 t;
    load_tets(&t, tets, step, block);
    const Matrix8 change = gradient_of(t, step.moved, tets.corners + 4 * kEight * block);
    add_lanes(start, elastic_energy(t, step, t.start));
    add_lanes(end, elastic_energy(t, step, t.start + change));
  }
}

void add_gradient(const TetBlocks& tets, const DescentStep& step, float* gradient, float* tangent, double* energy) {
  const Float8 half(0.5f);
  for (std::size_t block = 0; block < tets.blocks; ++block) {
    const std::uint32_t* corners = tets.corners + 4 * kEight * block;
    Tets8 t;
    load_tets(&t, tets, step, block);
    const Matrix8 change = gradient_of(t, step.moved, corners);
    const Matrix8 f = t.start + change, cofactor = cofactors(f);
    const Float8 growth = dot(f.x, cofactor.x) - Float8(1.0f);
    const Float8 factor = Float8(step.stiffness) * growth - Float8(step.mu);
    Matrix8 piola = Float8(step.mu) * f + factor * cofactor;
    add_lanes(energy, elastic_energy(t, step, f, growth));
    if (step.recovering) {
      const Matrix8 off = f - uniform_matrix(step.pose);
      piola = piola + (t.weight * Float8(step.mu)) * off;
      add_lanes(energy, half * t.volume * t.weight * Float8(step.mu) * dot(off, off));
    }
    if (is_viscous(step)) {
      const Matrix8 viscous = viscous_stress(t, step, change);
      piola = piola + viscous;
      add_lanes(energy, half * t.volume * dot(viscous, change));
    }
    scatter(gradient, corners, t, piola);
    float* const kept = tangent + kTangentSize * kEight * block;
    store_matrix(kept, f);
    simd::store(kept + 9 * kEight, clamped_factor(step, f, cofactor, factor));
    store_matrix(kept + 10 * kEight, t.start);
  }
}

void add_product(const TetBlocks& tets, const DescentStep& step, const float* tangent, const float* direction,
                 float* product) {
  for (std::size_t block = 0; block < tets.blocks; ++block) {
    const std::uint32_t* corners = tets.corners + 4 * kEight * block;
    const float* kept = tangent + kTangentSize * kEight * block;
    Tets8 t;
    load_shapes(&t, tets, step, block);
    const Matrix8 d = gradient_of(t, direction, corners);
    const Matrix8 f = load_matrix(kept);
    const Matrix8 cofactor = cofactors(f);
    Matrix8 stress = Float8(step.mu) * d + (Float8(step.stiffness) * dot(cofactor, d)) * cofactor;
    stress = stress + simd::load(kept + 9 * kEight) * derivative_of_cofactors(f, d);
    if (step.recovering) stress = stress + (t.weight * Float8(step.mu)) * d;
    if (is_viscous(step)) {
      t.start = load_matrix(kept + 10 * kEight);
      stress = stress + viscous_stress(t, step, d);
    }
    scatter(product, corners, t, stress);
  }
}
// NOLINTEND(misc-definitions-in-headers)

}  // namespace pliant::fem::PLIANT_SIMD_TARGET
