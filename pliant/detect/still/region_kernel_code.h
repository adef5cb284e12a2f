// The loops of region_kernel.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/still/region_kernel.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::region_kernel::PLIANT_SIMD_TARGET {
namespace {

using simd::Float4;
using simd::Float8;
using simd::Index8;
using simd::Mask8;

// Every vertex of the region once, not once for each of the six faces around it: rounded down, then up. Runs under
// RoundingDown.
__attribute__((noinline)) void round_vertices(const FaceFit& fit) {
  float* const up = fit.scratch + 4 * std::size_t{fit.vertex_count};
  for (std::uint32_t v = 0; v < fit.vertex_count; ++v) {
    __builtin_prefetch(fit.positions + fit.vertices[v + kAhead]);
    const simd::Double4 x = simd::load_three(fit.positions + fit.vertices[v]);
    const Float4 lo = simd::narrow_down(x), hi = -simd::narrow_down(-x);
    __builtin_memcpy(fit.scratch + 4 * std::size_t{v}, &lo, sizeof lo);
    __builtin_memcpy(up + 4 * std::size_t{v}, &hi, sizeof hi);
  }
}

constexpr std::uint32_t kBlock = 6 * kLanes;
constexpr float kNowhere = __builtin_nanf("");  // not even a box without ends overlaps it

// Eight faces, of which the lanes of `used` are there.
PLIANT_SIMD_INLINE void fit_eight(const FaceFit& fit, std::uint32_t face, Mask8 used) {
  const float* const up = fit.scratch + 4 * std::size_t{fit.vertex_count};
  simd::Rows8 lo = simd::load_rows(fit.scratch, fit.corners[0] + face);
  simd::Rows8 hi = simd::load_rows(up, fit.corners[0] + face);
  for (int k = 1; k < 3; ++k) {
    const simd::Rows8 l = simd::load_rows(fit.scratch, fit.corners[k] + face);
    const simd::Rows8 h = simd::load_rows(up, fit.corners[k] + face);
    lo.x = simd::min(lo.x, l.x);
    lo.y = simd::min(lo.y, l.y);
    lo.z = simd::min(lo.z, l.z);
    hi.x = simd::max(hi.x, h.x);
    hi.y = simd::max(hi.y, h.y);
    hi.z = simd::max(hi.z, h.z);
  }
  const Float8 nowhere = kNowhere;
  const Float8 bounds[6] = {lo.x, lo.y, lo.z, hi.x, hi.y, hi.z};
  float* const block = fit.blocks + std::size_t{face} / kLanes * kBlock;
  for (std::uint32_t k = 0; k < 6; ++k) simd::store(block + k * kLanes, simd::select(used, bounds[k], nowhere));
}

struct Box {
  Float8 lo[3];
  Float8 hi[3];
};

PLIANT_SIMD_INLINE Mask8 overlap(const Box& a, const Box& b) {
  Mask8 all = (a.hi[0] >= b.lo[0]) & (b.hi[0] >= a.lo[0]);
  for (int k = 1; k < 3; ++k) all = all & (a.hi[k] >= b.lo[k]) & (b.hi[k] >= a.lo[k]);
  return all;
}

PLIANT_SIMD_INLINE Box box_of(const float* lo_hi) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = lo_hi[k];
    box.hi[k] = lo_hi[3 + k];
  }
  return box;
}
PLIANT_SIMD_INLINE Box box_at(const float* blocks, std::uint32_t slot) {
  const float* const bounds = blocks + std::size_t{slot / kLanes} * kBlock + slot % kLanes;
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = bounds[k * kLanes];
    box.hi[k] = bounds[(3 + k) * kLanes];
  }
  return box;
}
PLIANT_SIMD_INLINE Box eight_at(const float* block) {
  Box boxes;
  for (int k = 0; k < 3; ++k) {
    boxes.lo[k] = simd::load(block + k * kLanes);
    boxes.hi[k] = simd::load(block + (3 + k) * kLanes);
  }
  return boxes;
}
PLIANT_SIMD_INLINE Box eight_columns(const Columns& columns, std::uint32_t at) {
  Box boxes;
  for (int k = 0; k < 3; ++k) {
    boxes.lo[k] = simd::load(columns.bounds[k] + at);
    boxes.hi[k] = simd::load(columns.bounds[3 + k] + at);
  }
  return boxes;
}

PLIANT_SIMD_INLINE std::uint32_t count_of(unsigned lanes) {
  return static_cast<std::uint32_t>(__builtin_popcount(lanes));
}

}  // namespace

void fit_faces(const FaceFit& fit) {
  {
    const simd::RoundingDown rounding;
    round_vertices(fit);
  }
  for (std::uint32_t face = 0; face < fit.face_count; face += kLanes)
    fit_eight(fit, face, simd::eight_from(face) < Index8(fit.face_count));
}

// Here and below no branch asks whether any of eight faces is wanted: it could not be foreseen.
std::uint32_t reach(const Region& region, const float* lo_hi, const Reaching& out) {
  const Box box = box_of(lo_hi);
  Box around;
  for (int k = 0; k < 3; ++k) {
    around.lo[k] = __builtin_inff();
    around.hi[k] = -__builtin_inff();
  }
  std::uint32_t found = 0;
  const float* block = region.blocks;
  for (std::uint32_t at = 0; at < region.count; at += kLanes, block += kBlock) {
    const Box eight = eight_at(block);
    const Mask8 lanes = overlap(eight, box);
    const unsigned set = simd::bits(lanes);
    simd::Compressor(set).write(simd::eight_from(region.first + at), out.slots + found);
    found += count_of(set);
    for (int k = 0; k < 3; ++k) {
      around.lo[k] = simd::min(around.lo[k], simd::select(lanes, eight.lo[k], around.lo[k]));
      around.hi[k] = simd::max(around.hi[k], simd::select(lanes, eight.hi[k], around.hi[k]));
    }
  }
  for (int k = 0; k < 3; ++k) {
    out.lo_hi[k] = simd::least(around.lo[k]);
    out.lo_hi[3 + k] = simd::greatest(around.hi[k]);
  }
  return found;
}

std::uint32_t clip(const Region& region, const float* lo_hi, const Clipped& out) {
  const Box box = box_of(lo_hi);
  std::uint32_t found = 0;
  const float* block = region.blocks;
  for (std::uint32_t at = 0; at < region.count; at += kLanes, block += kBlock) {
    const Box eight = eight_at(block);
    const unsigned set = simd::bits(overlap(eight, box));
    const simd::Compressor compressor(set);
    compressor.write(simd::eight_from(region.first + at), out.slots + found);
    for (int k = 0; k < 3; ++k) {
      compressor.write(eight.lo[k], out.bounds[k] + found);
      compressor.write(eight.hi[k], out.bounds[3 + k] + found);
    }
    found += count_of(set);
  }
  for (int k = 0; k < 6; ++k) simd::store(out.bounds[k] + found, Float8(kNowhere));
  return found;
}

// Which columns each row overlaps is found for a block of rows first, a byte for eight columns, without a branch: few
// of these bytes have bits, and which ones cannot be foreseen. Then the bits are listed, eight bytes at a time.
Crossed cross(const Crossing& crossing, SlotPair* out) {
  constexpr std::uint32_t kMasks = 512;
  const std::uint32_t groups = (crossing.column_count + kLanes - 1) / kLanes;
  std::uint32_t shift = 0;  // a row has 2^shift bytes
  while ((1u << shift) < groups) ++shift;
  unsigned char masks[kMasks + kLanes];
  Crossed done{crossing.first_row, 0};
  while (done.rows < crossing.row_count) {
    const std::uint32_t fits = (crossing.room - done.pairs) / crossing.column_count;
    std::uint32_t rows = crossing.row_count - done.rows;
    if (rows > kMasks >> shift) rows = kMasks >> shift;
    if (rows > fits) rows = fits;
    if (rows == 0) break;
    const std::uint32_t* const slots = crossing.row_slots + done.rows;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const Box box = box_at(crossing.row_blocks, slots[row]);
      for (std::uint32_t g = 0; g < groups; ++g)
        masks[(row << shift) + g] =
            static_cast<unsigned char>(simd::bits(overlap(eight_columns(crossing.columns, g * kLanes), box)));
      for (std::uint32_t g = groups; g < 1u << shift; ++g) masks[(row << shift) + g] = 0;
    }
    const std::uint32_t end = rows << shift;
    __builtin_memset(masks + end, 0, kLanes);
    for (std::uint32_t at = 0; at < end; at += kLanes) {
      std::uint64_t set = 0;
      __builtin_memcpy(&set, masks + at, sizeof set);
      for (; set != 0; set &= set - 1) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(set));
        const std::uint32_t byte = at + bit / 8;
        const std::uint32_t column = (byte & ((1u << shift) - 1)) * kLanes + bit % 8;
        out[done.pairs++] = {slots[byte >> shift], crossing.columns.slots[column]};
      }
    }
    done.rows += rows;
  }
  return done;
}

Crossed cross_few(const Region& rows, const float* lo_hi, const Region& columns, SlotPair* out) {
  const Box within = box_of(lo_hi);
  Crossed done;
  for (std::uint32_t at = 0; at < rows.count; at += kLanes) {
    unsigned left = simd::bits(overlap(eight_at(rows.blocks + std::size_t{at} / kLanes * kBlock), within));
    for (; left != 0; left &= left - 1, ++done.rows) {
      const std::uint32_t row = at + static_cast<std::uint32_t>(__builtin_ctz(left));
      const Box box = box_at(rows.blocks, row);
      for (std::uint32_t column = 0; column < columns.count; column += kLanes) {
        const unsigned set = simd::bits(overlap(eight_at(columns.blocks + std::size_t{column} / kLanes * kBlock), box));
        simd::Compressor(set).write(Index8(rows.first + row), simd::eight_from(columns.first + column),
                                    reinterpret_cast<std::uint32_t(*)[2]>(out + done.pairs));
        done.pairs += count_of(set);
      }
    }
  }
  return done;
}

}  // namespace pliant::region_kernel::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
