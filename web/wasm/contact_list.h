// Contacts side by side, as `Contacts` of the page (web/src/engine/api.ts).
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/detect/contact.h"
#include "pliant/mesh/triangle_mesh.h"
#include "web/wasm/reply.h"

namespace pliant::web {

inline constexpr std::size_t kListed = 20'000;

// A face that the feature belongs to; invalid of a region, and of what the mesh does not have.
FaceId face_of(const Feature& feature, const TriangleMesh& mesh);

inline bool is_regions(const Contact& contact) { return contact.kind() == ContactKind::region_region; }

class ContactList {
 public:
  explicit ContactList(std::size_t limit = kListed) : limit_(limit) {}

  void add(const Contact& contact, FaceId face_a, FaceId face_b);
  void add(const Contact& contact, FaceId face_a, FaceId face_b, const Vec3& force);
  std::size_t count() const { return count_; }
  // Leaves the list empty.
  void write(Reply& reply);

 private:
  bool is_full() const { return time_.size() >= limit_; }

  std::size_t limit_;
  std::size_t count_ = 0;
  std::vector<double> time_;
  std::vector<float> point_, normal_, depth_, force_;
  std::vector<std::uint8_t> kind_, relation_, initial_;
  std::vector<std::uint32_t> body_a_, feature_a_, body_b_, feature_b_, face_a_, face_b_;
};

}  // namespace pliant::web
