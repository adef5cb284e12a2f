// Bodies on the machine of kinetic-events, for tests that look inside.
#pragma once

#include <set>

#include "pliant/detect/kinetic/event_machine.h"
#include "tests/detect/motions.h"

namespace pliant::testing {

// One segment of some bodies on a machine.
class Machine {
 public:
  explicit Machine(const std::vector<Mover>& movers) {
    query_.swept.segment = {0, 1};
    query_.swept.wants_bodies = [](BodyId, BodyId) { return true; };
    for (std::size_t i = 0; i < movers.size(); ++i) {
      bodies_.push_back(std::make_unique<Body>(Body{movers[i].mesh, movers[i].motion, 0}));
      query_.swept.bodies.push_back(sweep_body(BodyId(i), *bodies_.back(), movers[i].motion.positions_at(0),
                                               movers[i].motion.positions_at(1), true));
    }
    query_.changed.assign(movers.size(), 1);
    machine.begin(query_, meter);
    machine.release_hits();
  }

  const std::vector<SweptBody>& bodies() const { return query_.swept.bodies; }
  // The machine stops at whatever it finds.
  bool advance(double t) {
    do {
      if (!machine.advance(t, meter)) return false;
    } while (!machine.release_hits().empty());
    return true;
  }

  kinetic::EventMachine machine;

 private:
  std::vector<std::unique_ptr<Body>> bodies_;
  kinetic::StreamQuery query_;
  BudgetState state_{Budget{}};
  BudgetMeter meter{state_};
};

inline Vec3 position(const SweptBody& body, std::uint32_t v, double t) {
  return body.x_t0.positions()[v] + (body.x_t1.positions()[v] - body.x_t0.positions()[v]) * t;
}

// Vertices of everything below a node.
inline std::vector<std::uint32_t> vertices_below(const kinetic::KineticTree& tree, const SweptBody& body,
                                                 std::uint32_t node) {
  if (!tree.is_leaf(node)) {
    auto all = vertices_below(tree, body, tree.left(node));
    const auto right = vertices_below(tree, body, tree.left(node) + 1);
    all.insert(all.end(), right.begin(), right.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  std::vector<std::uint32_t> corners;
  for (const VertexId v : body.mesh->triangle(tree.face(node))) corners.push_back(v.value);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

using Listed = std::set<std::tuple<std::uint32_t, std::uint32_t, bool>>;  // nodes, overlapping

inline Listed listed_in(const kinetic::SeparationList& list) {
  Listed listed;
  for (const kinetic::SeparationList::Pair& pair : list.pairs())
    if (!pair.vacant && pair.listed) listed.emplace(pair.nodes.a, pair.nodes.b, pair.open);
  return listed;
}

inline std::vector<Mover> tie_heavy_movers(Dice& dice) {
  std::vector<Mover> movers;
  const std::uint32_t side = 1 + dice.below(4);
  for (std::uint32_t b = 0; b < 1 + dice.below(2); ++b)
    movers.push_back(hopping(dice, grid_soup(dice, 3 + dice.below(8), 1 + dice.below(8), side), 2, side));
  // Identical bodies now and then: everything is a tie.
  if (movers.size() == 2 && dice.below(4) == 0) movers[1] = movers[0];
  return movers;
}

}  // namespace pliant::testing
