// What the moving methods share: all bodies over one linear segment of time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "pliant/ccd/batch.h"
#include "pliant/detect/body_pairs.h"
#include "pliant/detect/detector.h"
#include "pliant/mesh/topology.h"

namespace pliant {

// A body over one segment. Valid while its Detector keeps the body.
struct SweptBody {
  BodyId id;
  const TriangleMesh* mesh = nullptr;
  const MeshTopology* topology = nullptr;
  Frame x_t0;
  Frame x_t1;
  // Which vertices are one and the same: welded at rest and at equal positions at both ends of the segment, hence all
  // the way. (A seam that opens is no longer shared, so nothing is missed.) Empty: every vertex is itself only.
  std::vector<VertexId> identity;
  CcdVertices vertices;  // of the frames above

  std::uint32_t corner(VertexId v) const { return identity.empty() ? v.value : identity[v.index()].value; }
  // Vertices by identity; their positions are those of the feature's own vertices.
  std::array<std::uint32_t, 3> corners(FaceId f) const {
    const Triangle& t = mesh->triangle(f);
    return {corner(t[0]), corner(t[1]), corner(t[2])};
  }
  std::array<std::uint32_t, 2> ends(EdgeId e) const {
    const Edge& edge = topology->edge(e);
    return {corner(edge[0]), corner(edge[1])};
  }
};

// The next segment of a body, reusing memory.
void move_on(SweptBody& swept, const Body& body, Frame x_t1, bool weld, Threads threads);
SweptBody sweep_body(BodyId id, const Body& body, Frame x_t0, Frame x_t1, bool weld);

// What a search is for.
enum class SweptGoal : std::uint8_t {
  all,           // every contact
  earliest,      // the first in the order of reports
  earliest_new,  // those already there at the start, and the first of the others
  any,           // whether there is one
  candidates,    // none: how many pairs there are to be solved
};

// Of detect().
inline SweptGoal goal_of(const DetectorSettings& settings) {
  if (settings.candidates_only) return SweptGoal::candidates;
  return settings.earliest ? SweptGoal::earliest : SweptGoal::all;
}

// All bodies over one segment [t0, t1] of time, in which everything moves linearly.
struct SweptQuery {
  Interval segment;
  bool last = true;  // the end belongs to the segment; otherwise it belongs to the next one
  SweptGoal goal = SweptGoal::all;
  double min_separation = 0;
  bool initial_suffices = false;  // what is as near at the start is not asked whether it touches later
  Threads threads;
  std::vector<SweptBody> bodies;
  const ContactFilter* filter = nullptr;  // of features; null: all
  std::function<bool(BodyId, BodyId)> wants_bodies;

  bool wants_first_only() const { return goal == SweptGoal::earliest || goal == SweptGoal::earliest_new; }
  bool wants(BodyPair pair) const { return wants_bodies(bodies[pair.a].id, bodies[pair.b].id); }
  // A time within the segment (0 to 1) as time of the motion, rounded down: never later than the true one.
  double time_at(double fraction) const;
};

// The first keyframe after t; infinity if there is none.
double next_keyframe(const Motion& motion, double t);

// Where linear segments begin and end: the interval's ends and all keyframes between. Ascending.
std::vector<double> segment_borders(std::span<const Motion* const> motions, const Interval& interval);

}  // namespace pliant
