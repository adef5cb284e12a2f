// The bodies of a world, and which method keeps which of them apart. Internal to world/.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pliant/world/following.h"
#include "pliant/world/overlaps.h"
#include "pliant/world/pair_rule.h"
#include "pliant/world/pair_table.h"
#include "pliant/world/world.h"

namespace pliant {

struct WorldBody {
  std::unique_ptr<BodyModel> model;
  WorldBodySettings settings;
  bool obstacle = false;     // of infinite masses only
  bool pinned = false;       // some masses are infinite
  bool has_outside = false;  // its surface is closed
  Frame positions;           // committed
};

class WorldBodies {
 public:
  explicit WorldBodies(const WorldSettings& settings);  // throws Error for settings out of range

  // Throw Error after begin().
  BodyId add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings);
  void ignore(BodyId a, BodyId b) { assign(a, b, PairTable::kNone); }
  void set_method(BodyId a, BodyId b, const std::string& method);
  void set_response(BodyId a, BodyId b, const ResponseSettings& response, const std::string& method);
  void set_filter(std::shared_ptr<const ContactFilter> filter);
  void follow(BodyId body, std::vector<VertexId> pins, BodyId leader);
  // From now on bodies, pairs and separation stay as they are.
  void begin();

  std::size_t count() const { return bodies_.size(); }
  std::span<WorldBody> all() { return bodies_; }
  std::span<const WorldBody> all() const { return bodies_; }
  const WorldBody& at(BodyId body) const;  // throws Error if there is none
  std::vector<MeshPtr> meshes() const;
  std::vector<DenseSurface> dense() const;  // by body; none where there is none
  std::span<const PairRule> rules() const { return rules_; }
  std::vector<World::UnprovedPair> unproved_pairs() const;
  FilterPtr filter() const { return filter_ & seams_; }  // null: everything is wanted
  std::span<const FollowingPins> following() const { return following_; }
  PairTable pairs() const;
  double separation() const;  // m

  std::vector<StartOverlap> overlaps() const;
  std::vector<StartOverlap> resolve_overlaps();

  std::vector<BodyState> snapshot() const;
  void restore(std::span<const BodyState> states);  // one for each; throws Error if sizes do not fit

 private:
  void require_not_begun(const char* what, const char* remedy) const;
  void assign(BodyId a, BodyId b, std::uint8_t rule);
  std::uint8_t number_of(const PairRule& rule);
  bool needs_proof_with_itself(const WorldBody& body) const;
  std::vector<PlacedBody> placed() const;
  void shift(BodyId body, const Vec3& by);

  WorldSettings settings_;
  std::vector<WorldBody> bodies_;
  std::vector<PairRule> rules_;  // the world's own first
  FilterPtr filter_;
  FilterPtr seams_;  // leaves out what pins tie to their leaders
  std::vector<FollowingPins> following_;
  std::map<std::pair<BodyId, BodyId>, std::uint8_t> assigned_;  // rules, by number
  double separation_ = 0;                                       // once it has begun
};

}  // namespace pliant
