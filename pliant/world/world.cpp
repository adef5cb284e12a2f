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
void World::ignore(BodyId a, BodyId b) { loop_->choose_channel(a, b, PairTable::kNone); }
void World::set_method(BodyId a, BodyId b, const std::string& method) {
  loop_->choose_channel(a, b, loop_->channel_of(method));
}
void World::set_filter(std::shared_ptr<const ContactFilter> filter) { loop_->set_filter(std::move(filter)); }
std::size_t World::body_count() const { return loop_->body_count(); }
const BodyModel& World::body(BodyId body) const { return *loop_->member(body).model; }
BodyModel& World::body(BodyId body) { return *loop_->member(body).model; }
const std::string& World::name(BodyId body) const { return loop_->member(body).settings.name; }
bool World::asleep(BodyId body) const {
  loop_->member(body);  // throws for one that is not there
  return loop_->sleep().asleep(body);
}
const WorldSettings& World::settings() const { return loop_->settings(); }
double World::separation() const { return loop_->separation(); }
std::string World::method_in_use() const { return loop_->method(); }
std::vector<StartOverlap> World::overlaps() const { return loop_->overlaps(); }
std::vector<StartOverlap> World::resolve_overlaps() { return loop_->resolve_overlaps(); }
FrameReport World::step(const Budget& budget, WorldObserver* observer) {
  loop_->world = this;
  return loop_->step(budget, observer);
}
double World::frame() const { return loop_->frame(); }
WorldState World::snapshot() const { return loop_->snapshot(); }
void World::restore(const WorldState& state) { loop_->restore(state); }

}  // namespace pliant
