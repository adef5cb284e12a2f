#include "pliant/mesh/mesh_hash.h"

#include "pliant/core/bit_cast.h"
#include "pliant/core/random.h"

namespace pliant {
namespace {

// Every word goes through the mixing function of the generator, after all before it.
class WordHash {
 public:
  void add(std::uint64_t word) { state_ = Random(state_ ^ word).bits(); }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

std::uint64_t mesh_hash(const TriangleMesh& mesh) {
  WordHash hash;
  hash.add(mesh.vertex_count());
  hash.add(mesh.face_count());
  for (const Vec3& p : mesh.positions())
    for (int i = 0; i < 3; ++i) hash.add(pliant::bit_cast<std::uint64_t>(p[i] + 0.0));
  for (const Triangle& t : mesh.triangles()) {
    hash.add(std::uint64_t{t[0].value} << 32 | t[1].value);
    hash.add(t[2].value);
  }
  return hash.value();
}

}  // namespace pliant
