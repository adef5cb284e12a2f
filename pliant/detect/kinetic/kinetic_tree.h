// The kinetic tree of boxes: which vertex is outermost in each box, at every instant of a segment of time.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/core/vec3.h"
#include "pliant/detect/kinetic/event_queue.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant::kinetic {

// Sides of a box: 0 to 2 are the lower bounds of x, y, z, 3 to 5 the upper ones.
inline constexpr std::uint32_t kSides = 6;
inline constexpr std::uint32_t opposite(std::uint32_t side) { return side < 3 ? side + 3 : side - 3; }

// How far out a bound is, seen along its side (the coordinate or its negative), and how fast it goes outward.
struct Outward {
  double position;
  double speed;
};

// Straight flight from x_t0 at time t0 to x_t1 at t1, times within the segment [0, 1]. All places and speeds are those
// of the positions times `scale`, a power of two: the largest numbers have differences that overflow.
struct FlightPlan {
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;
  double t0 = 0;
  double t1 = 1;
  double scale = 1;
};

// After Zachmann and Weller, "Kinetic Bounding Volume Hierarchies for Deformable Objects": a tournament. Every leaf
// (one triangle) has for each side the outermost of its vertices, every inner node the outer one of its children's. A
// certificate of each node and side says who will overtake whom, and when.
//
// With straight flights the winner's outward speed only ever grows at such an event: an event makes the faster of two
// the winner without asking where rounding puts them. Hence each vertex wins at a node and side at most once, whatever
// the rounding, ties included: no more changes than vertices, no event twice, no endless loop. Rounding makes an event
// late or early by so little that the two are within 8u M of each other then (u = 2^-53, M the largest coordinate); up
// a tree of depth d that adds up to 8 d u M, which the separation list's padding (separation_list.h) exceeds by far.
class KineticTree {
 public:
  // Median splits over the positions, one triangle per leaf.
  KineticTree(const TriangleMesh& mesh, std::span<const Vec3> positions, Threads threads, std::uint32_t owner);

  // Starts the flight at time plan.t0: selects all winners and schedules all certificates. Positions must outlive it.
  void fly(const FlightPlan& plan, EventQueue& queue);

  // A leaf or tree event. Nodes and sides whose winner changed are added to changed(), nearest to the leaves first.
  // False if the event does not count any more.
  bool handle(const Event& event, EventQueue& queue);
  // Whether it still counts.
  bool is_current(const Event& event) const { return event.stamp == stamp_[event.subject]; }
  struct Change {
    std::uint32_t node;
    std::uint32_t side;
  };
  const std::vector<Change>& changed() const { return changed_; }
  void clear_changed() { changed_.clear(); }

  // ---- shape ----
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  bool is_leaf(std::uint32_t node) const { return nodes_[node].left == kNone; }
  std::uint32_t left(std::uint32_t node) const { return nodes_[node].left; }  // the right child is the next
  std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  FaceId face(std::uint32_t leaf) const { return FaceId(nodes_[leaf].face); }
  static constexpr std::uint32_t kNone = 0xffff'ffffu;

  // ---- boxes ----
  std::uint32_t winner(std::uint32_t node, std::uint32_t side) const { return winner_[node * kSides + side]; }
  Outward bound(std::uint32_t node, std::uint32_t side, double now) const {
    return outward(winner(node, side), side, now);
  }
  // Where a vertex is along a side.
  Outward outward(std::uint32_t vertex, std::uint32_t side, double now) const {
    const std::uint32_t axis = side < 3 ? side : side - 3;
    const double speed = velocity_[vertex][axis];
    const double position = scale_ * x_t0_[vertex][axis] + speed * (now - t0_);
    return side < 3 ? Outward{-position, -speed} : Outward{position, speed};
  }

  struct Counts {
    std::uint64_t leaf_events = 0;
    std::uint64_t tree_events = 0;
    std::uint64_t changes = 0;
  };
  const Counts& counts() const { return counts_; }
  std::size_t bytes() const;

 private:
  struct Node {
    std::uint32_t left = kNone;
    std::uint32_t parent = kNone;
    std::uint32_t face = kNone;
    std::uint8_t height = 0;
  };
  struct Overtaking {
    double time;
    std::uint32_t vertex;
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  void select(std::uint32_t node);
  double overtaking_time(std::uint32_t challenger, std::uint32_t winner, std::uint32_t side) const;
  Overtaking next_in_leaf(std::uint32_t node, std::uint32_t side) const;
  std::uint32_t challenger(std::uint32_t node, std::uint32_t side) const;
  bool is_further(std::uint32_t u, std::uint32_t v, std::uint32_t side) const;
  void schedule(std::uint32_t node, std::uint32_t side, EventQueue& queue);
  void set_winner(std::uint32_t node, std::uint32_t side, std::uint32_t vertex);
  void propagate(std::uint32_t node, std::uint32_t side, EventQueue& queue);

  std::uint32_t owner_;
  std::vector<Node> nodes_;
  std::vector<std::array<std::uint32_t, 3>> corners_;  // by face
  std::vector<std::uint32_t> winner_;                  // by node and side
  std::vector<std::uint8_t> right_wins_;               // by node: a bit a side
  std::vector<std::uint32_t> stamp_;                   // by node and side
  std::span<const Vec3> x_t0_;
  std::vector<Vec3> velocity_;
  double t0_ = 0;
  double t1_ = 1;
  double scale_ = 1;
  double now_ = 0;
  std::vector<Change> changed_;
  Counts counts_;
};

}  // namespace pliant::kinetic
