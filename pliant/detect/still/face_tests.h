// Candidates of two bodies gathered some hundred at a time and tested exactly: what methods do with faces whose boxes
// overlap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "pliant/bounds/leaf_boxes.h"
#include "pliant/detect/still/region_kernel.h"
#include "pliant/detect/still/still_detector.h"
#include "pliant/geometry/apart_filter.h"

namespace pliant {

// The faces of a body in an order of the method's own.
struct FaceSlots {
  std::span<const Triangle> corners;  // by identity
  std::span<const std::uint32_t> faces;
};

// Candidates are tested sorted by how many corners they share: the branches of the exact tests are then predictable,
// which they are not in the order in which pairs are found.
class FaceTests {
 public:
  using Candidate = region_kernel::SlotPair;
  static constexpr std::uint32_t kBatch = 1024;

  // `clear` (still/clear_fans.h) is needed if the pair is a body with itself.
  FaceTests(const StillPair& pair, BodyPair bodies, const FaceSlots& a, const FaceSlots& b,
            std::span<const std::uint8_t> clear, TaskFindings& found, BudgetState& state)
      : pair_(pair), bodies_(bodies), a_(a), b_(b), clear_(clear), found_(found), state_(state) {}
  FaceTests(const FaceTests&) = delete;
  FaceTests& operator=(const FaceTests&) = delete;

  const FaceSlots& a() const { return a_; }
  const FaceSlots& b() const { return b_; }
  TaskFindings& found() { return found_; }

  // Slot i of a with slot slot_of(k) of b for every bit k of `columns`, which has no more than LeafBoxes::kLanes.
  template <class SlotOf>
  void gather(std::uint32_t i, unsigned columns, SlotOf&& slot_of) {
    if (gathered_ + LeafBoxes::kLanes > kBatch) test_gathered();
    for (; columns != 0; columns &= columns - 1)
      batch_[gathered_++] = {i, slot_of(static_cast<std::uint32_t>(std::countr_zero(columns)))};
  }
  // The same in two steps: room for at least `least` candidates, no more than kBatch; and how many were written there.
  std::span<Candidate> room(std::uint32_t least) {
    if (gathered_ + least > kBatch) test_gathered();
    return {batch_ + gathered_, kBatch - gathered_};
  }
  void gathered(std::uint32_t count) { gathered_ += count; }

  // To be called at the end.
  void test_gathered() {
    if (pair_.candidates_only()) found_.candidates += gathered_;
    else test_all();
    gathered_ = 0;
  }
  // Whether it was too late for some tests.
  bool is_late() const { return late_; }

 private:
  void test_all() {
    constexpr std::uint32_t kAskEvery = 64;  // exact tests of extreme coordinates take long
    const std::uint32_t unconnected = pair_.is_self() ? sort_gathered() : gathered_;
    for (std::uint32_t k = 0; k < gathered_;) {
      late_ = late_ || (k % kAskEvery == 0 && state_.is_late());
      if (late_) break;
      const std::uint32_t count = k < unconnected ? std::min(4u, unconnected - k) : 1;
      found_.triangle_tests += count;
      if (k < unconnected) test_four(batch_ + k, count);
      else test(batch_[k], equalities_[k]);
      k += count;
    }
  }

  // Of nearly all candidates a few vector operations prove that they are apart or cross.
  void test_four(const Candidate* candidates, std::uint32_t count) {
    FourCorners a, b;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Candidate& c = candidates[std::min(i, count - 1)];
      set(a, i, pair_.a(), a_.corners[c.i]);
      set(b, i, pair_.b(), b_.corners[c.j]);
    }
    const FourDecided decided = filter_(a, b);
    const unsigned wanted = (1u << count) - 1;
    for (unsigned left = ~decided.apart & wanted; left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(left));
      if ((decided.crossing >> i & 1u) != 0) keep(candidates[i], Relation::crossing);
      else test(candidates[i], 0);
    }
  }

  static void set(FourCorners& four, std::size_t i, const StillBody& body, const Triangle& corners) {
    const std::span<const Vec3> x = body.frame.positions();
    four.set(i, x[corners[0].index()].data(), x[corners[1].index()].data(), x[corners[2].index()].data());
  }

  // Drops pairs that share a clear vertex, sorts the others by the number of shared corners; returns how many share
  // none, which come first.
  std::uint32_t sort_gathered() {
    std::array<std::uint32_t, 5> start{};  // start[c + 1]: how many share c corners
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < gathered_; ++k) {
      const Candidate c = batch_[k];
      batch_[kept] = c;
      found_equalities_[kept] = corner_equalities(a_.corners[c.i], b_.corners[c.j]);
      const SharedVertices& shared = kSharedByEqualities[found_equalities_[kept]];
      const std::uint32_t wanted = share_clear_vertex(c, shared) ? 0 : 1;
      start[shared.count + 1u] += wanted;
      kept += wanted;
    }
    gathered_ = kept;
    const std::uint32_t unconnected = start[1];
    for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    for (std::uint32_t k = 0; k < gathered_; ++k) {
      const std::uint32_t slot = start[kSharedByEqualities[found_equalities_[k]].count]++;
      sorted_[slot] = batch_[k];
      equalities_[slot] = found_equalities_[k];
    }
    std::swap(batch_, sorted_);
    return unconnected;
  }

  bool share_clear_vertex(const Candidate& c, const SharedVertices& shared) const {
    const auto clear = [&](std::size_t pair) { return clear_[a_.corners[c.i][shared.pairs[pair][0]].index()]; };
    return (shared.count > 0 && clear(0) != 0) || (shared.count > 1 && clear(1) != 0);
  }

  void test(const Candidate& c, std::uint32_t equalities) {
    const Relation relation = pair_.relation(a_.corners[c.i], b_.corners[c.j], kSharedByEqualities[equalities]);
    if (relation != Relation::none) [[unlikely]]
      keep(c, relation);
  }

  void keep(const Candidate& c, Relation relation) {
    FaceId face_a(a_.faces[c.i]), face_b(b_.faces[c.j]);
    if (pair_.is_self() && face_b < face_a) std::swap(face_a, face_b);
    if (pair_.wants(face_a, face_b)) found_.add({bodies_.a, bodies_.b, face_a, face_b, relation});
  }

  const StillPair& pair_;
  BodyPair bodies_;
  FaceSlots a_;
  FaceSlots b_;
  std::span<const std::uint8_t> clear_;
  TaskFindings& found_;
  BudgetState& state_;
  bool late_ = false;
  std::uint32_t gathered_ = 0;
  DecidedFilter filter_ = decided_filter();
  // Not cleared: a search has hundreds of tasks, most of them short.
  std::array<std::array<Candidate, kBatch>, 2> buffers_;
  Candidate* batch_ = buffers_[0].data();
  Candidate* sorted_ = buffers_[1].data();
  // Of bodies with themselves: before and after sorting.
  std::array<std::uint32_t, kBatch> found_equalities_, equalities_;
};

}  // namespace pliant
