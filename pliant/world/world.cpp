#include "pliant/world/world.h"

#include "pliant/world/world_loop.h"

namespace pliant {

World::World(const WorldSettings& settings) : loop_(std::make_unique<Loop>(settings)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings) {
  return loop_->add(std::move(model), settings);
}
void World::ignore(BodyId a, BodyId b) { loop_->bodies().ignore(a, b); }
void World::set_method(BodyId a, BodyId b, const std::string& method) { loop_->bodies().set_method(a, b, method); }
void World::set_response(BodyId a, BodyId b, const ResponseSettings& response, const std::string& method) {
  loop_->bodies().set_response(a, b, response, method);
}
void World::follow(BodyId body, std::vector<VertexId> pins, BodyId leader) {
  loop_->bodies().follow(body, std::move(pins), leader);
}
std::vector<World::FollowedBy> World::following() const {
  std::vector<FollowedBy> all;
  for (const FollowingPins& pins : loop_->bodies().following())
    all.push_back({pins.following().body, pins.following().leader, pins.following().pins});
  return all;
}
std::vector<World::UnprovedPair> World::unproved_pairs() const { return loop_->bodies().unproved_pairs(); }
void World::set_filter(std::shared_ptr<const ContactFilter> filter) { loop_->bodies().set_filter(std::move(filter)); }
std::size_t World::body_count() const { return loop_->bodies().count(); }
const BodyModel& World::body(BodyId body) const { return *loop_->bodies().at(body).model; }
BodyModel& World::body(BodyId body) { return *loop_->bodies().at(body).model; }
const std::string& World::name(BodyId body) const { return loop_->bodies().at(body).settings.name; }
const DenseSurface& World::dense(BodyId body) const { return loop_->bodies().at(body).settings.dense; }
bool World::asleep(BodyId body) const {
  loop_->bodies().at(body);  // throws if there is none
  return loop_->sleep().asleep(body);
}
const WorldSettings& World::settings() const { return loop_->settings(); }
double World::separation() const { return loop_->bodies().separation(); }
std::string World::method_in_use() const { return loop_->method(); }
std::vector<StartOverlap> World::overlaps() const { return loop_->bodies().overlaps(); }
std::vector<StartOverlap> World::resolve_overlaps() { return loop_->resolve_overlaps(); }
FrameReport World::step(const Budget& budget, WorldObserver* observer) { return loop_->step(*this, budget, observer); }
double World::frame() const { return loop_->frame(); }
WorldState World::snapshot() const { return loop_->snapshot(); }
void World::restore(const WorldState& state) { loop_->restore(state); }

}  // namespace pliant
