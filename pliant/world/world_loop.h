// What is behind World: its bodies and pairs (world_bodies.cpp), and one frame after the other (world_loop.cpp).
// Internal to world/.
#pragma once

#include <map>
#include <set>

#include "pliant/core/error.h"
#include "pliant/world/overlaps.h"
#include "pliant/world/step_search.h"
#include "pliant/world/world.h"

namespace pliant {

class World::Loop {
 public:
  explicit Loop(const WorldSettings& settings);  // throws Error for settings out of range

  BodyId add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings);
  void choose_channel(BodyId a, BodyId b, std::uint8_t channel);
  std::uint8_t channel_of(const std::string& method);

  void set_filter(std::shared_ptr<const ContactFilter> filter);

  std::vector<StartOverlap> overlaps() const { return find_overlaps(placed(), table(), {settings_.threads, filter_}); }
  std::vector<StartOverlap> resolve_overlaps();
  FrameReport step(const Budget& budget, WorldObserver* observer);
  WorldState snapshot() const;
  void restore(const WorldState& state);

  struct Member {
    std::unique_ptr<BodyModel> model;
    WorldBodySettings settings;
    bool obstacle = false;  // of infinite masses only
    bool pinned = false;    // some masses are infinite
    Frame positions;        // committed
  };
  const Member& member(BodyId body) const {
    if (body.index() >= members_.size())
      throw Error(ErrorPlace{.element = body.valid() ? "body " + std::to_string(body.value) : "no body"},
                  "the world has no such body", "use an id that add() gave");
    return members_[body.index()];
  }
  std::size_t body_count() const { return members_.size(); }
  const WorldSettings& settings() const { return settings_; }
  double separation() const;
  std::string method() const { return search_ ? search_->method() : settings_.method; }
  double frame() const { return static_cast<double>(frame_) + fraction_; }
  const Sleep& sleep() const { return sleep_; }

  const World* world = nullptr;

 private:
  void start();
  PairTable table() const;
  std::vector<PlacedBody> placed() const;
  void shift(BodyId body, const Vec3& by);

  bool advance_to(double target, const Budget& budget, WorldObserver* observer);
  std::optional<Resolution> attempt(double fraction, const Budget& budget);
  std::optional<Resolution> out_of_budget();
  Report find_near(const Budget& budget);
  bool guess();
  bool predict(const Budget& budget);
  bool step_with(std::span<const Contact> contacts, std::vector<Impact>& impacts, const Budget& budget);
  void go_back();
  bool goes_on(BodyId body) const;
  bool accept(const std::vector<StepStatus>& status);
  void commit(const Resolution& resolution, double fraction, WorldObserver* observer);
  void tell(const Resolution& resolution, double fraction, WorldObserver* observer) const;
  void finish_frame();
  void look_for_parted_pairs();
  void fail(StepOutcome outcome, std::vector<BodyId> bodies, const std::string& message);

  WorldSettings settings_;
  std::vector<Member> members_;
  std::vector<std::string> methods_;  // by channel
  std::shared_ptr<const ContactFilter> filter_;
  std::map<std::pair<BodyId, BodyId>, std::uint8_t> chosen_;
  std::unique_ptr<StepSearch> search_;  // from the first step on
  std::unique_ptr<StepResolver> resolver_;
  std::set<std::pair<BodyId, BodyId>> overlapping_;
  std::set<std::pair<BodyId, BodyId>> pushed_;  // in this frame
  bool knows_overlaps_ = false;
  Sleep sleep_;
  std::uint64_t frame_ = 0;
  double fraction_ = 0;
  double separation_ = 0;  // from the first step on
  double share_ = 1;       // of a step that is tried at once: less after a deadline that came too early
  Step step_;
  std::vector<std::optional<BodyState>> before_;  // the committed states while short steps are tried
  FrameReport report_;
};

}  // namespace pliant
