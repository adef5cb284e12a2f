#include "pliant/io/gltf_movie.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/io/gltf_writer.h"

namespace pliant {
namespace {

// Of one that moves this is told at its second frame.
bool moves(const Motion& motion) {
  const Frame first = motion.frame(0);
  for (std::size_t k = 1; k < motion.frame_count(); ++k) {
    const Frame other = motion.frame(k);
    if (!std::equal(other.positions().begin(), other.positions().end(), first.positions().begin())) return true;
  }
  return false;
}

void require_fit(const std::string& path, const MovieBody& body, std::size_t frames) {
  const ErrorPlace place{.file = path, .element = "body '" + body.name + "'"};
  if (body.motion.vertex_count() != body.mesh->vertex_count())
    throw Error(place, "the motion has another number of vertices than the mesh", "give a motion of this mesh");
  if (body.motion.frame_count() != 1 && body.motion.frame_count() != frames)
    throw Error(place, "has " + std::to_string(body.motion.frame_count()) + " frames, others " + std::to_string(frames),
                "give all bodies the same number");
}

}  // namespace

void write_gltf_movie(const std::string& path, std::span<const MovieBody> bodies, double frames_per_second) {
  std::size_t frames = 1;
  for (const MovieBody& body : bodies) frames = std::max(frames, body.motion.frame_count());
  std::vector<GltfPart> parts;
  for (const MovieBody& body : bodies) {
    require_fit(path, body, frames);
    parts.push_back({body.name, body.mesh, moves(body.motion) ? frames : 1});
  }
  GltfWriter writer(path, parts, {.frames_per_second = frames_per_second, .for_eyes = true});
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t k = 0; k < parts[b].frames; ++k) writer.add(bodies[b].motion.frame(k).positions());
  writer.finish();
}

}  // namespace pliant
