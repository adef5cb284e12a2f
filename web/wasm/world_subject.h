// Worlds, frame by frame.
#pragma once

#include <optional>

#include "pliant/motion/embedding.h"
#include "pliant/scene/scene_builder.h"
#include "web/wasm/subject.h"

namespace pliant::web {

// The scene that `WorldChoice` of the page asks for. Throws Error for what is not there or does not go together.
SceneDescription chosen_scene(const JsonValue& choice);

class WorldSubject : public Subject {
 public:
  explicit WorldSubject(SceneDescription scene);

  std::size_t body_count() const override { return built_.world.body_count(); }
  const MeshPtr& mesh(std::size_t body) const override { return built_.world.body(BodyId(body)).mesh(); }
  std::vector<Vec3> positions(std::size_t body, double time) const override;
  void add_bodies(Look& look) const override;
  Interval place_bodies(Look& look, double time) const override;

  void write_opened(Reply& reply, int id) const;
  void step(const JsonValue& options, Reply& reply);
  // Null: nothing is pulled any more.
  void drag(const JsonValue& pull);
  std::string state_hash() const;

 private:
  struct Grip {
    BodyId body;
    VertexId vertex;
    Vec3 to;
    std::vector<double> weights;  // by vertex: how much it follows the grip's velocity
  };

  bool is_obstacle(std::size_t body) const;
  bool stands(std::size_t body) const { return built_.kinds[body] == "fixed"; }
  FilterPtr pairs_to_look_at() const;
  void remember_start();
  void pull();
  void wake(BodyId body);
  std::vector<double> weights_around(BodyId body, VertexId vertex, double radius) const;
  void write_dense(Reply& reply);

  SceneDescription scene_;
  BuiltScene built_;
  std::vector<std::vector<Vec3>> x_t0_;  // by body, at the start of the frame that is worked on or was last
  std::uint64_t version_ = 0;            // counts calls of step()
  std::uint64_t started_at_ = 0;         // the version when that frame began
  std::optional<Grip> grip_;
  // By body, where there is a fine surface.
  std::vector<std::unique_ptr<RigidLinks>> links_;
  std::vector<std::unique_ptr<LinkFollower>> followers_;
};

}  // namespace pliant::web
