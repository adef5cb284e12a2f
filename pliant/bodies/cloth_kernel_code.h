// The kernel of cloth_kernel.h, compiled for each target.
#pragma once

#include "pliant/bodies/cloth_kernel.h"
#include "pliant/bodies/cloth_lanes.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::sheet::PLIANT_SIMD_TARGET {
namespace {

// Threads and hinges that are shorter have no direction.
constexpr float kCollapsedSq = 1e-12f;
// Of the last change, where a solve starts: in stiff directions, above a half, waves would grow; a direction is soft
// if inertia is more than kSoft of the stiffness of a vertex.
constexpr float kStiffStart = 0.5f, kSoft = 0.18f;

// Gradient and Hessian of the terms of a lane's own vertex.
struct Terms {
  Vector g;
  Float8 xx, yy, zz, yz, xz, xy;

  PLIANT_SIMD_INLINE void add_diagonal(Float8 s) {
    xx = xx + s;
    yy = yy + s;
    zz = zz + s;
  }
  // s v v^T
  PLIANT_SIMD_INLINE void add_square(Float8 s, const Vector& v) {
    const Vector sv = s * v;
    xx = xx + sv.x * v.x;
    yy = yy + sv.y * v.y;
    zz = zz + sv.z * v.z;
    yz = yz + sv.y * v.z;
    xz = xz + sv.x * v.z;
    xy = xy + sv.x * v.y;
  }
};

// F_u, F_v of a face, and what depends on them.
struct Face {
  Vector u, v;
  Float8 length_u, length_v;
  Float8 inverse_u, inverse_v;
  Float8 a0, b0;  // weights of the own vertex
};

PLIANT_SIMD_INLINE void find_face(Face* face, const RingSlot& slot, const Vector& first, const Vector& second) {
  const Float8 a1 = simd::load(slot.a1), a2 = simd::load(slot.a2);
  const Float8 b1 = simd::load(slot.b1), b2 = simd::load(slot.b2);
  face->u = a1 * first + a2 * second;
  face->v = b1 * first + b2 * second;
  face->a0 = Float8(0.0f) - a1 - a2;
  face->b0 = Float8(0.0f) - b1 - b2;
  face->length_u = sqrt(max(dot(face->u, face->u), Float8(kCollapsedSq)));
  face->length_v = sqrt(max(dot(face->v, face->v), Float8(kCollapsedSq)));
  const Float8 inverse = Float8(1.0f) / (face->length_u * face->length_v);
  face->inverse_u = inverse * face->length_v;
  face->inverse_v = inverse * face->length_u;
}

// Without 2 shear s a0 b0 I, which is not always positive. In a fold, where threads are pressed together, the Hessian
// across them is that of unpressed ones, plus `fold`.
template <bool kHessian, bool kDamped>
PLIANT_SIMD_INLINE void add_face(Terms* t, const Face& face, Float8 area, const StepArrays& step, float shear,
                                 const float* rest) {
  const Float8 rest_u = kDamped ? simd::load(rest) : Float8(1.0f);
  const Float8 rest_v = kDamped ? simd::load(rest + kLanes) : Float8(1.0f);
  Float8 sheared = dot(face.u, face.v);
  if constexpr (kDamped) sheared = sheared - simd::load(rest + 2 * kLanes);
  const Float8 c_u = Float8(1.0f) - rest_u * face.inverse_u, c_v = Float8(1.0f) - rest_v * face.inverse_v;
  const Float8 area_a = area * face.a0, area_b = area * face.b0, pull = Float8(shear) * sheared;
  t->g = t->g + (area_a * c_u + area_b * pull) * face.u + (area_b * c_v + area_a * pull) * face.v;
  if constexpr (kHessian) {
    const Float8 k_u = area_a * face.a0, k_v = area_b * face.b0, one(1.0f), zero(0.0f);
    const Float8 fold(step.fold), press(step.press);
    const Float8 across_u = k_u * min(one, max(c_u, press * (zero - c_u)) + fold);
    const Float8 across_v = k_v * min(one, max(c_v, press * (zero - c_v)) + fold);
    t->add_diagonal(across_u + across_v);
    t->add_square((k_u - across_u) * face.inverse_u * face.inverse_u, face.u);
    t->add_square((k_v - across_v) * face.inverse_v * face.inverse_v, face.v);
    t->add_square(Float8(shear) * area, face.a0 * face.v + face.b0 * face.u);
  }
}

template <bool kHessian, bool kDamped>
PLIANT_SIMD_INLINE void add_ring(Terms* t, const SheetArrays& sheet, const StepArrays& step, const Block& block,
                                 const Vector& own) {
  if (block.ring == block.ring_end) return;
  const RingSlot* slot = sheet.ring + block.ring;
  Vector first = rows_at(step.x, slot->vertex) - own;
  t->g = t->g + simd::load(slot->bend) * first;
  for (std::uint32_t s = block.ring; s + 1 < block.ring_end; ++s, ++slot) {
    const Vector second = rows_at(step.x, slot[1].vertex) - own;
    t->g = t->g + simd::load(slot[1].bend) * second;
    Face face;
    find_face(&face, *slot, first, second);
    add_face<kHessian, kDamped>(t, face, simd::load(slot->area), step, sheet.shear,
                                kDamped ? step.rest->faces + std::size_t{s} * 3 * kLanes : nullptr);
    first = second;
  }
}

PLIANT_SIMD_INLINE Vector bend_of(const HingeSlot& hinge, const float* x, const Vector& own) {
  Vector b = simd::load(hinge.weight[0]) * (rows_at(x, hinge.vertex[0]) - own);
  b = b + simd::load(hinge.weight[1]) * (rows_at(x, hinge.vertex[1]) - own);
  return b + simd::load(hinge.weight[2]) * (rows_at(x, hinge.vertex[2]) - own);
}

template <bool kHessian, bool kDamped>
PLIANT_SIMD_INLINE void add_hinge(Terms* t, const HingeSlot& hinge, const StepArrays& step, const Vector& own,
                                  const float* damped_rest) {
  const Vector b = bend_of(hinge, step.x, own);
  const Float8 w0 =
      Float8(0.0f) - simd::load(hinge.weight[0]) - simd::load(hinge.weight[1]) - simd::load(hinge.weight[2]);
  const Float8 rest = kDamped ? simd::load(damped_rest) : simd::load(hinge.rest);
  const Float8 length_sq = max(dot(b, b), Float8(kCollapsedSq * kCollapsedSq));
  const Float8 c = Float8(1.0f) - rest / sqrt(length_sq);
  const Float8 k = simd::load(hinge.stiffness) * w0;
  t->g = t->g + (k * c) * b;
  if constexpr (kHessian) {
    const Float8 along = k * w0, across = along * max(c, Float8(step.fold));
    t->add_diagonal(across);
    t->add_square((along - across) / length_sq, b);
  }
}

template <bool kHessian, bool kDamped>
PLIANT_SIMD_INLINE void find_terms(Terms* t, const SheetArrays& sheet, const StepArrays& step, std::size_t index,
                                   const Vector& own) {
  const Block& block = sheet.blocks[index];
  const Float8 inertia = Float8(step.inertia) * simd::load(block.mass);
  t->g = inertia * (own - lanes_of(step.y, index));
  t->xx = t->yy = t->zz = inertia + simd::load(block.bend);
  t->yz = t->xz = t->xy = Float8(0.0f);
  add_ring<kHessian, kDamped>(t, sheet, step, block, own);
  for (std::uint32_t s = block.far; s < block.far_end; ++s)
    t->g = t->g + simd::load(sheet.far[s].bend) * (rows_at(step.x, sheet.far[s].vertex) - own);
  for (std::uint32_t s = block.hinge; s < block.hinge_end; ++s)
    add_hinge<kHessian, kDamped>(t, sheet.hinges[s], step, own,
                                 kDamped ? step.rest->hinges + std::size_t{s} * kLanes : nullptr);
}

// A symmetric matrix.
struct Symmetric {
  Float8 xx, yy, zz, yz, xz, xy;
};
PLIANT_SIMD_INLINE Vector operator*(const Symmetric& m, const Vector& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
// By cofactors, of a positive definite one.
PLIANT_SIMD_INLINE Symmetric inverse_of(const Symmetric& m) {
  const Float8 xx = m.yy * m.zz - m.yz * m.yz, xy = m.xz * m.yz - m.xy * m.zz, xz = m.xy * m.yz - m.xz * m.yy;
  const Float8 yy = m.xx * m.zz - m.xz * m.xz, yz = m.xy * m.xz - m.xx * m.yz, zz = m.xx * m.yy - m.xy * m.xy;
  const Float8 scale = Float8(1.0f) / (m.xx * xx + m.xy * xy + m.xz * xz);
  return {scale * xx, scale * yy, scale * zz, scale * yz, scale * xz, scale * xy};
}

PLIANT_SIMD_INLINE Symmetric square_of(const Symmetric& m) {
  return {m.xx * m.xx + m.xy * m.xy + m.xz * m.xz, m.xy * m.xy + m.yy * m.yy + m.yz * m.yz,
          m.xz * m.xz + m.yz * m.yz + m.zz * m.zz, m.xy * m.xz + m.yy * m.yz + m.yz * m.zz,
          m.xx * m.xz + m.xy * m.yz + m.xz * m.zz, m.xx * m.xy + m.xy * m.yy + m.xz * m.yz};
}

// Q^4 (Q^4 + kSoft^4)^-1 v, Q being the part of inertia in a vertex's stiffness: all of v in directions in which it is
// soft, nothing of it in stiff ones.
PLIANT_SIMD_INLINE Vector soft_part(const Symmetric& inverse, Float8 inertia, const Vector& v) {
  const Symmetric part{inertia * inverse.xx, inertia * inverse.yy, inertia * inverse.zz,
                       inertia * inverse.yz, inertia * inverse.xz, inertia * inverse.xy};
  const Symmetric fourth = square_of(square_of(part));
  const Float8 soft(kSoft * kSoft * kSoft * kSoft);
  return inverse_of({fourth.xx + soft, fourth.yy + soft, fourth.zz + soft, fourth.yz, fourth.xz, fourth.xy}) *
         (fourth * v);
}

template <bool kDamped>
PLIANT_SIMD_INLINE void move_block(const SheetArrays& sheet, const StepArrays& step, std::size_t block,
                                   float* entries) {
  const Vector own = own_rows(step.x, block);
  Terms t;
  find_terms<true, kDamped>(&t, sheet, step, block, own);
  const Symmetric inverse = inverse_of({t.xx, t.yy, t.zz, t.yz, t.xz, t.xy});
  const Vector moved = own - inverse * t.g;
  simd::store_rows(step.x + block * 4 * kLanes, {moved.x, moved.y, moved.z, Float8(0.0f)});
  if (entries) {
    const Float8 all[6] = {inverse.xx, inverse.xy, inverse.xz, inverse.yy, inverse.yz, inverse.zz};
    for (std::size_t k = 0; k < 6; ++k) simd::store(entries + k * kLanes, all[k]);
  }
  if (step.start) {
    const Vector change = moved - lanes_of(step.y, block);
    const Float8 inertia = Float8(step.inertia) * simd::load(sheet.blocks[block].mass);
    store_lanes(step.start, block,
                Float8(kStiffStart) * change + Float8(1 - kStiffStart) * soft_part(inverse, inertia, change));
  }
}

template <bool kDamped>
void sweep_blocks(const SheetArrays& sheet, const StepArrays& step, BlockRange range) {
  for (std::size_t i = range.first; i < range.last; ++i)
    move_block<kDamped>(sheet, step, range.backward ? range.first + range.last - 1 - i : i, nullptr);
}

template <bool kDamped>
void find_gradients(const SheetArrays& sheet, const StepArrays& step, BlockRange range, float* gradient) {
  for (std::size_t block = range.first; block < range.last; ++block) {
    Terms t;
    find_terms<false, kDamped>(&t, sheet, step, block, own_rows(step.x, block));
    simd::store_rows(gradient + block * 4 * kLanes, {t.g.x, t.g.y, t.g.z, Float8(0.0f)});
  }
}

// 1 if a row is owned by a block, else 0.
PLIANT_SIMD_INLINE Float8 moves(const SheetArrays& sheet, const std::uint32_t* rows) {
  return select(simd::load(rows) < simd::Index8(sheet.free_rows), Float8(1.0f), Float8(0.0f));
}

// Shared between the vertices of an element that move.
PLIANT_SIMD_INLINE Float8 twice_energy(const SheetArrays& sheet, const float* x, std::size_t index) {
  const Block& block = sheet.blocks[index];
  const Vector own = own_rows(x, index);
  const Float8 one(1.0f);
  Float8 sum(0.0f);
  // x^T Q x = - sum over pairs of Q_ij |x_i - x_j|^2.
  const auto add_bend = [&](const Vector& edge, const float* bend, Float8 moving) PLIANT_SIMD_INLINE_LAMBDA {
    sum = sum - simd::load(bend) * dot(edge, edge) / (one + moving);
  };
  if (block.ring < block.ring_end) {
    const RingSlot* slot = sheet.ring + block.ring;
    Vector first = rows_at(x, slot->vertex) - own;
    Float8 first_moves = moves(sheet, slot->vertex);
    add_bend(first, slot->bend, first_moves);
    for (std::uint32_t s = block.ring; s + 1 < block.ring_end; ++s, ++slot) {
      const Vector second = rows_at(x, slot[1].vertex) - own;
      const Float8 second_moves = moves(sheet, slot[1].vertex);
      add_bend(second, slot[1].bend, second_moves);
      Face face;
      find_face(&face, *slot, first, second);
      const Float8 u = face.length_u - one, v = face.length_v - one, sheared = dot(face.u, face.v);
      sum = sum + simd::load(slot->area) * (u * u + v * v + Float8(sheet.shear) * sheared * sheared) /
                      (one + first_moves + second_moves);
      first = second;
      first_moves = second_moves;
    }
  }
  for (std::uint32_t s = block.far; s < block.far_end; ++s)
    add_bend(rows_at(x, sheet.far[s].vertex) - own, sheet.far[s].bend, moves(sheet, sheet.far[s].vertex));
  for (std::uint32_t s = block.hinge; s < block.hinge_end; ++s) {
    const HingeSlot& hinge = sheet.hinges[s];
    const Vector b = bend_of(hinge, x, own);
    const Float8 bent = sqrt(dot(b, b)) - simd::load(hinge.rest);
    const Float8 moving = moves(sheet, hinge.vertex[0]) + moves(sheet, hinge.vertex[1]) + moves(sheet, hinge.vertex[2]);
    sum = sum + simd::load(hinge.stiffness) * bent * bent / (one + moving);
  }
  return sum;
}

struct Flow {
  Vector force;  // over density / 12
  Float8 rate;
};

PLIANT_SIMD_INLINE void add_flow(Flow* flow, const AirArrays& air, const Vector& against, Float8 speed,
                                 const Vector& first, const Vector& second, Float8 area) {
  const Vector twice = cross(first, second);
  const Float8 twice_area = sqrt(dot(twice, twice)), zero(0.0f);
  const Float8 divisor = max(twice_area, Float8(1e-16f));
  const Float8 through = dot(twice, against);  // times twice_area
  const Float8 rate = select(area > zero, abs(through), zero);
  const Float8 sign = select(through < zero, Float8(-1.0f), Float8(1.0f));
  const Vector across = (sign * speed / divisor) * twice - (abs(through) / (divisor * speed)) * against;
  flow->force = flow->force + rate * (Float8(air.drag) * against + Float8(air.lift) * across);
  flow->rate = flow->rate + rate;
}

}  // namespace

void sweep(const SheetArrays& sheet, const StepArrays& step, BlockRange range) {
  if (step.rest) sweep_blocks<true>(sheet, step, range);
  else sweep_blocks<false>(sheet, step, range);
}

void sweep_block(const SheetArrays& sheet, const StepArrays& step, std::size_t block, float* inverse) {
  if (step.rest) move_block<true>(sheet, step, block, inverse);
  else move_block<false>(sheet, step, block, inverse);
}

void find_gradient(const SheetArrays& sheet, const StepArrays& step, BlockRange range, float* gradient) {
  if (step.rest) find_gradients<true>(sheet, step, range, gradient);
  else find_gradients<false>(sheet, step, range, gradient);
}

void guess_start(const SheetArrays& sheet, const StepArrays& step) {
  StepArrays elastic = step;
  elastic.inertia = 0;
  elastic.rest = nullptr;
  for (std::size_t block = 0; block < sheet.block_count; ++block) {
    Terms t;
    find_terms<true, false>(&t, sheet, elastic, block, own_rows(step.x, block));
    const Float8 inertia = Float8(step.inertia) * simd::load(sheet.blocks[block].mass);
    t.add_diagonal(inertia);
    const Symmetric inverse = inverse_of({t.xx, t.yy, t.zz, t.yz, t.xz, t.xy});
    store_lanes(step.start, block, soft_part(inverse, inertia, (Float8(-1.0f) / inertia) * t.g));
  }
}

void find_rest(const SheetArrays& sheet, const float* x, float fraction, const RestLengths& rest) {
  const Float8 old(fraction), unchanged(1.0f - fraction);
  for (std::size_t index = 0; index < sheet.block_count; ++index) {
    const Block& block = sheet.blocks[index];
    const Vector own = own_rows(x, index);
    for (std::uint32_t s = block.ring; s + 1 < block.ring_end; ++s) {
      Face face;
      find_face(&face, sheet.ring[s], rows_at(x, sheet.ring[s].vertex) - own,
                rows_at(x, sheet.ring[s + 1].vertex) - own);
      float* lengths = rest.faces + std::size_t{s} * 3 * kLanes;
      simd::store(lengths, unchanged + old * face.length_u);
      simd::store(lengths + kLanes, unchanged + old * face.length_v);
      simd::store(lengths + 2 * kLanes, old * dot(face.u, face.v));
    }
    for (std::uint32_t s = block.hinge; s < block.hinge_end; ++s) {
      const Vector b = bend_of(sheet.hinges[s], x, own);
      simd::store(rest.hinges + std::size_t{s} * kLanes,
                  unchanged * simd::load(sheet.hinges[s].rest) + old * sqrt(dot(b, b)));
    }
  }
}

double find_energy(const SheetArrays& sheet, const float* x) {
  double sums[kLanes] = {};
  for (std::size_t index = 0; index < sheet.block_count; ++index) {
    float lanes[kLanes];
    simd::store(lanes, twice_energy(sheet, x, index));
    for (std::size_t l = 0; l < kLanes; ++l) sums[l] += static_cast<double>(lanes[l]);
  }
  return total(sums) / 2;
}

void find_air(const SheetArrays& sheet, const AirArrays& air) {
  const Vector wind{Float8(air.wind[0]), Float8(air.wind[1]), Float8(air.wind[2])};
  for (std::size_t index = 0; index < sheet.block_count; ++index) {
    const Block& block = sheet.blocks[index];
    const Vector own = own_rows(air.x, index), against = wind - lanes_of(air.v, index);
    const Float8 speed = max(sqrt(dot(against, against)), Float8(1e-16f));
    Flow flow{{Float8(0.0f), Float8(0.0f), Float8(0.0f)}, Float8(0.0f)};
    if (block.ring < block.ring_end) {
      Vector first = rows_at(air.x, sheet.ring[block.ring].vertex) - own;
      for (std::uint32_t s = block.ring; s + 1 < block.ring_end; ++s) {
        const Vector second = rows_at(air.x, sheet.ring[s + 1].vertex) - own;
        add_flow(&flow, air, against, speed, first, second, simd::load(sheet.ring[s].area));
        first = second;
      }
    }
    // 1/2 density area |cos| speed, area being a third of the face's; twice_area * through = 2 area cos speed.
    const Float8 scale = Float8(air.seconds * air.density / 12) / simd::load(block.mass);
    // Divided so that a strong wind cannot throw a light vertex beyond its own speed.
    const Float8 divisor = Float8(1.0f) + scale * flow.rate * Float8(air.drag + air.lift);
    store_lanes(air.change, index, (scale / divisor) * flow.force);
  }
}

}  // namespace pliant::sheet::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
