#include "pliant/detect/kinetic/kinetic_tree.h"

#include "pliant/bounds/face_tree.h"

namespace pliant::kinetic {

KineticTree::KineticTree(const TriangleMesh& mesh, std::span<const Vec3> positions, Threads threads,
                         std::uint32_t owner)
    : owner_(owner) {
  const FaceTree faces(mesh, positions, {.build = TreeBuild::median, .leaf_size = 1, .threads = threads});
  const AabbTree& tree = faces.tree();
  if (tree.empty()) return;
  // The unused node 1 is kept, so that children stand at even slots.
  nodes_.resize(tree.nodes().size());
  for (std::uint32_t i = node_count(); i-- > 0;) {
    if (i == 1) continue;
    const AabbNode& from = tree.node(i);
    if (from.is_leaf()) {
      nodes_[i].face = tree.order()[from.first];
      continue;
    }
    nodes_[i].left = from.first;
    for (std::uint32_t child = from.first; child < from.first + 2; ++child) {
      nodes_[child].parent = i;
      nodes_[i].height = std::max<std::uint8_t>(nodes_[i].height, static_cast<std::uint8_t>(nodes_[child].height + 1));
    }
  }
  for (const Triangle& t : mesh.triangles()) corners_.push_back({t[0].value, t[1].value, t[2].value});
  winner_.assign(nodes_.size() * kSides, 0);
  right_wins_.assign(nodes_.size(), 0);
  stamp_.assign(nodes_.size() * kSides, 0);
}

void KineticTree::fly(const FlightPlan& plan, EventQueue& queue) {
  x_t0_ = plan.x_t0;
  t0_ = now_ = plan.t0;
  t1_ = plan.t1;
  scale_ = plan.scale;
  velocity_.resize(x_t0_.size());
  const double span = t1_ - t0_;
  for (std::size_t v = 0; v < velocity_.size(); ++v) velocity_[v] = (scale_ * plan.x_t1[v] - scale_ * x_t0_[v]) / span;
  changed_.clear();
  for (std::uint32_t i = node_count(); i-- > 0;)
    if (i != 1) select(i);
  for (std::uint32_t i = 0; i < node_count(); ++i)
    for (std::uint32_t side = 0; i != 1 && side < kSides; ++side) schedule(i, side, queue);
}

// Further out now, or just after; then the smaller number, so that equals have one winner.
bool KineticTree::is_further(std::uint32_t u, std::uint32_t v, std::uint32_t side) const {
  const Outward x = outward(u, side, now_), y = outward(v, side, now_);
  if (x.position != y.position) return x.position > y.position;
  if (x.speed != y.speed) return x.speed > y.speed;
  return u < v;
}

void KineticTree::select(std::uint32_t node) {
  for (std::uint32_t side = 0; side < kSides; ++side) {
    std::uint32_t& best = winner_[node * kSides + side];
    if (is_leaf(node)) {
      const auto& corners = corners_[nodes_[node].face];
      best = corners[0];
      for (std::size_t i = 1; i < 3; ++i)
        if (is_further(corners[i], best, side)) best = corners[i];
      continue;
    }
    const std::uint32_t left_best = winner(left(node), side), right_best = winner(left(node) + 1, side);
    const bool right = is_further(right_best, left_best, side);
    best = right ? right_best : left_best;
    right_wins_[node] = static_cast<std::uint8_t>((right_wins_[node] & ~(1u << side)) | (unsigned{right} << side));
  }
}

double KineticTree::overtaking_time(std::uint32_t c, std::uint32_t w, std::uint32_t side) const {
  if (c == w) return kNever;
  const Outward challenger_now = outward(c, side, now_), winner_now = outward(w, side, now_);
  const double faster = challenger_now.speed - winner_now.speed;
  if (!(faster > 0)) return kNever;
  const double behind = winner_now.position - challenger_now.position;
  return behind > 0 ? now_ + behind / faster : now_;
}

KineticTree::Overtaking KineticTree::next_in_leaf(std::uint32_t node, std::uint32_t side) const {
  Overtaking first{kNever, kNone};
  for (const std::uint32_t v : corners_[nodes_[node].face]) {
    const double time = overtaking_time(v, winner(node, side), side);
    // Of two at once the faster one: the other one has lost already.
    const bool better = time < first.time || (time == first.time && time != kNever &&
                                              outward(v, side, now_).speed > outward(first.vertex, side, now_).speed);
    if (better) first = {time, v};
  }
  return first;
}

std::uint32_t KineticTree::challenger(std::uint32_t node, std::uint32_t side) const {
  const bool right = (right_wins_[node] >> side) & 1u;
  return winner(left(node) + (right ? 0 : 1), side);
}

void KineticTree::schedule(std::uint32_t node, std::uint32_t side, EventQueue& queue) {
  const std::uint32_t certificate = node * kSides + side;
  const double time =
      is_leaf(node) ? next_in_leaf(node, side).time : overtaking_time(challenger(node, side), winner(node, side), side);
  ++stamp_[certificate];
  if (time <= t1_) queue.push({time, EventKind::box, nodes_[node].height, owner_, certificate, stamp_[certificate]});
}

void KineticTree::set_winner(std::uint32_t node, std::uint32_t side, std::uint32_t vertex) {
  winner_[node * kSides + side] = vertex;
  changed_.push_back({node, side});
  ++counts_.changes;
}

bool KineticTree::handle(const Event& event, EventQueue& queue) {
  if (!is_current(event)) return false;
  now_ = event.time;
  const std::uint32_t node = event.subject / kSides, side = event.subject % kSides;
  if (is_leaf(node)) {
    ++counts_.leaf_events;
    const Overtaking next = next_in_leaf(node, side);
    if (next.vertex != kNone) set_winner(node, side, next.vertex);
  } else {
    ++counts_.tree_events;
    const std::uint32_t vertex = challenger(node, side);
    right_wins_[node] ^= static_cast<std::uint8_t>(1u << side);
    set_winner(node, side, vertex);
  }
  schedule(node, side, queue);
  propagate(node, side, queue);
  return true;
}

// Up to the first ancestor that another child wins: there only the challenger is new.
void KineticTree::propagate(std::uint32_t node, std::uint32_t side, EventQueue& queue) {
  for (std::uint32_t child = node, up = parent(node); up != kNone; child = up, up = parent(up)) {
    const bool right_wins = (right_wins_[up] >> side) & 1u;
    const bool is_right = child != left(up);
    if (right_wins != is_right) {
      schedule(up, side, queue);
      return;
    }
    set_winner(up, side, winner(child, side));
    schedule(up, side, queue);
  }
}

std::size_t KineticTree::bytes() const {
  return nodes_.size() * sizeof(Node) + corners_.size() * sizeof(corners_[0]) +
         (winner_.size() + stamp_.size()) * sizeof(std::uint32_t) + right_wins_.size() +
         velocity_.size() * sizeof(Vec3);
}

}  // namespace pliant::kinetic
