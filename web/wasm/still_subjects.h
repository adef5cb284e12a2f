// Subjects that nothing is simulated of: motions that are made, and meshes from files.
#pragma once

#include "pliant/io/mesh_file.h"
#include "pliant/scene/scene.h"
#include "web/wasm/subject.h"

namespace pliant::web {

class MotionSubject : public Subject {
 public:
  // `choice` is a MotionChoice of the page. Throws Error for a scene that is simulated.
  explicit MotionSubject(const JsonValue& choice);

  std::size_t body_count() const override { return scene_.bodies.size(); }
  const MeshPtr& mesh(std::size_t body) const override { return scene_.bodies[body].mesh; }
  std::vector<Vec3> positions(std::size_t body, double time) const override;
  void add_bodies(Look& look) const override;
  Interval place_bodies(Look& look, double time) const override;
  void write_opened(Reply& reply, int id) const;

 private:
  MovingScene scene_;
};

class MeshSubject : public Subject {
 public:
  // `files`: as bytes_of() takes them.
  explicit MeshSubject(const JsonValue& files);

  std::size_t body_count() const override { return files_.size(); }
  const MeshPtr& mesh(std::size_t body) const override { return files_[body].mesh; }
  std::vector<Vec3> positions(std::size_t body, double time) const override;
  void add_bodies(Look& look) const override;
  Interval place_bodies(Look& look, double time) const override;
  void move(std::size_t body, const Vec3& by);
  void write_opened(Reply& reply, int id) const;

 private:
  std::vector<MeshFile> files_;
  std::vector<Vec3> moved_;
  std::vector<std::vector<Vec3>> x_t0_;  // by body: before the last move
  std::uint64_t version_ = 1;
};

}  // namespace pliant::web
