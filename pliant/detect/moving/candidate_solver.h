// Gathers candidate pairs of features, some thousand at a time, and has them decided.
#pragma once

#include <memory>
#include <span>

#include "pliant/core/budget_meter.h"
#include "pliant/detect/moving/pair_buffer.h"
#include "pliant/detect/moving/task_hits.h"

namespace pliant {

// Candidates between two bodies, or within one. Which features are candidates is up to the caller: each pair once, none
// incident. One for each task. Call flush() at the end. What was gathered is decided even when the operations are
// spent, since it was paid for; but not after the deadline (SweptTaskHits::late).
class CandidateSolver {
 public:
  CandidateSolver(const SweptQuery& query, BodyPair pair, EarliestTime& earliest, SweptTaskHits& found,
                  BudgetState& state);
  ~CandidateSolver();
  CandidateSolver(const CandidateSolver&) = delete;
  CandidateSolver& operator=(const CandidateSolver&) = delete;

  struct Memory {
    std::unique_ptr<CcdPair[]> corners;
    std::unique_ptr<std::uint32_t[]> features;
  };

  // One kind of pair: features of one body against features of another.
  class Stream {
   public:
    // Corners by identity: v f0 f1 f2, or a0 a1 b0 b1.
    void add(const CcdPair& corners, std::uint32_t a, std::uint32_t b) {
      if (filter_ && !wanted(a, b)) return;
      for (std::size_t i = 0; i < 4; ++i) buffer_.corners[buffer_.count][i] = corners[i];
      buffer_.features[buffer_.count][0] = a;
      buffer_.features[buffer_.count][1] = b;
      ++buffer_.count;
      if (buffer_.count >= kBlock) owner_->solve(*this);
    }
    // Room for kRoom more, to be appended to straight away; call appended() afterwards.
    PairBuffer& buffer() { return buffer_; }
    void appended() {
      if (filter_) drop_unwanted();
      if (buffer_.count >= kBlock) owner_->solve(*this);
    }
    const SweptBody& first() const { return *first_; }
    const SweptBody& second() const { return *second_; }

   private:
    friend class CandidateSolver;
    static constexpr std::size_t kBlock = 2048;
    bool wanted(std::uint32_t a, std::uint32_t b) const;
    void drop_unwanted();
    Feature feature_a(std::uint32_t id) const;
    Feature feature_b(std::uint32_t id) const;

    CandidateSolver* owner_ = nullptr;
    const ContactFilter* filter_ = nullptr;
    CcdKind kind_ = CcdKind::vertex_face;
    const SweptBody* first_ = nullptr;
    const SweptBody* second_ = nullptr;
    Memory memory_;
    PairBuffer buffer_;
    std::size_t checked_ = 0;  // by the filter
  };
  static constexpr std::size_t kRoom = 2312;

  bool is_self() const { return pair_.a == pair_.b; }
  Stream& vertices_a_faces_b() { return streams_[0]; }
  Stream& vertices_b_faces_a() { return streams_[is_self() ? 0 : 1]; }
  // Of two edges of one body the smaller goes first.
  Stream& edges() { return streams_[2]; }

  void flush();

 private:
  void open(Stream& stream, CcdKind kind, std::uint32_t first, std::uint32_t second);
  void solve(Stream& stream);
  void keep(const Stream& stream, const CcdHit& found, bool restricted);
  void keep(const SweptHit& hit);

  const SweptQuery& query_;
  BodyPair pair_;
  EarliestTime& earliest_;
  SweptTaskHits& found_;
  BudgetState& state_;
  CcdBatchSolver solver_;
  std::array<Stream, 3> streams_;
};

}  // namespace pliant
