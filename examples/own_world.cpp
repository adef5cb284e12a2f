// A world of one's own: a sheet falls onto a ball, and no step ends with an intersection.
#include <pliant/detect.h>
#include <pliant/simulate.h>
#include <cstdio>

int main() try {
  using namespace pliant;
  World world;
  world.add(std::make_unique<FixedBody>(make_icosphere({.radius = 0.3})), {.name = "ball"});
  const MeshPtr sheet = make_grid({.width = 1, .depth = 1, .columns = 12, .rows = 12});
  const MeshPtr above = with_positions(*sheet, transformed(sheet->positions(), {.translation = {0, 0, 0.35}}));
  const BodyId cloth = world.add(std::make_unique<ClothBody>(above), {.name = "cloth"});
  for (int frame = 1; frame <= 20; ++frame) {
    const FrameReport report = world.step();
    if (!report.ok()) throw Error(report.message);
    std::printf("frame %d: %zu impacts\n", frame, report.impacts);
  }
  std::printf("cloth and ball intersect in %zu places\n",
              intersections(world.body(BodyId(0)).mesh(), {above, world.body(cloth).positions()}).size());
} catch (const pliant::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
