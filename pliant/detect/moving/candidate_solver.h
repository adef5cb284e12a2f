// Gathers candidate pairs of features, some thousand at a time, and has them decided.
#pragma once

#include <vector>

#include "pliant/detect/moving/swept_tasks.h"

namespace pliant {

// Candidates between two bodies, or within one. Which features are candidates is up to the caller: each pair once, none
// incident. One for each task. Call flush() at the end.
class CandidateSolver {
 public:
  CandidateSolver(const SweptScene& scene, BodyPair pair, EarliestTime& earliest, SweptTaskHits& found);

  // One kind of pair: features of one body against features of another.
  class Stream {
   public:
    // Corners by identity: v f0 f1 f2, or a0 a1 b0 b1.
    void add(const CcdPair& corners, std::uint32_t a, std::uint32_t b) {
      if (filter_ && !wanted(a, b)) return;
      corners_.push_back(corners);
      features_.push_back({a, b});
      if (corners_.size() == kBlock) owner_->solve(*this);
    }
    const SweptBody& first() const { return *first_; }
    const SweptBody& second() const { return *second_; }

   private:
    friend class CandidateSolver;
    static constexpr std::size_t kBlock = 2048;
    bool wanted(std::uint32_t a, std::uint32_t b) const;
    Feature feature_a(std::uint32_t id) const;
    Feature feature_b(std::uint32_t id) const;

    CandidateSolver* owner_ = nullptr;
    const ContactFilter* filter_ = nullptr;
    CcdKind kind_ = CcdKind::vertex_face;
    const SweptBody* first_ = nullptr;
    const SweptBody* second_ = nullptr;
    std::vector<CcdPair> corners_;
    std::vector<std::array<std::uint32_t, 2>> features_;
  };

  bool is_self() const { return pair_.a == pair_.b; }
  Stream& vertices_a_faces_b() { return streams_[0]; }
  Stream& vertices_b_faces_a() { return streams_[is_self() ? 0 : 1]; }
  // Of two edges of one body the smaller goes first.
  Stream& edges() { return streams_[2]; }

  void flush();

 private:
  void open(Stream& stream, CcdKind kind, std::uint32_t first, std::uint32_t second);
  void solve(Stream& stream);
  void take(const Stream& stream, const CcdHit& hit, bool restricted);
  bool belongs_to_next_segment(const Stream& stream, const CcdHit& hit, const CcdResult& result) const;
  void keep(const SweptHit& hit);

  const SweptScene& scene_;
  BodyPair pair_;
  EarliestTime& earliest_;
  SweptTaskHits& found_;
  CcdBatchSolver solver_;
  std::array<Stream, 3> streams_;
};

}  // namespace pliant
