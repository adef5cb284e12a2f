// Cotton that hangs still at three resolutions: against static equilibrium of the same mesh (99th percentile of stretch
// within 0.1 points, sag within 3 percent), and against each other (sag, outline, energy within 4 percent).
//
//   pliant-soak-cloth [ACROSS...]     vertices along each side; default 46 91 182 (the last without Newton: too large)
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/bodies/hanging_cloth.h"

namespace pliant {
namespace {

constexpr int kLargestForNewton = 100;

struct Figures {
  double stretch = 0, sag = 0, outline = 0, energy = 0;
};

double off(double got, double wanted) { return std::abs(got / wanted - 1); }

Figures measure(const ClothElements& elements, std::span<const Vec3> x, double top, int across) {
  return {elements.stretch(x), top - lowest(x), outline(x, across), elements.energy(x)};
}

void print(const char* what, int across, const Figures& f) {
  std::printf("%-8s %6d vertices: p99 of stretch %.3f %%, sag %.4f m, outline %.4f m, energy %.6f J\n", what,
              across * across, 100 * f.stretch, f.sag, f.outline, f.energy);
  std::fflush(stdout);
}

bool compare(Hanging by, std::span<const int> sizes) {
  const double top = by == Hanging::by_an_edge ? 0.5 : 0;
  std::puts(by == Hanging::by_corners ? "four corners pinned" : "one edge pinned");
  bool is_right = true;
  Figures first;
  for (const int across : sizes) {
    const HangingCloth cloth = hanging_cloth(by, across);
    const ClothElements elements(*cloth.mesh, cloth.settings.material, cloth.settings.along);
    ClothBody body(cloth.mesh, cloth.settings);
    const std::clock_t begin = std::clock();
    const double seconds = 6;
    settle(body, seconds);
    const double ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / (60 * seconds);
    const Figures now = measure(elements, body.positions(), top, across);
    print("stepped", across, now);
    std::printf("         %.2f ms of processor time a frame\n", ms);
    if (across == sizes.front()) first = now;
    is_right = is_right && off(now.sag, first.sag) < 0.04 && off(now.outline, first.outline) < 0.04;
    if (by == Hanging::by_corners) is_right = is_right && off(now.energy, first.energy) < 0.04;
    if (across > kLargestForNewton) continue;
    const StaticCloth truth = static_cloth(elements, {body.masses()}, body.positions(), 1e-6, 150);
    const Figures wanted = measure(elements, truth.x, top, across);
    print("truth", across, wanted);
    std::printf("         residual %.1e N after %d steps\n", truth.residual, truth.steps);
    is_right = is_right && std::abs(now.stretch - wanted.stretch) < 0.001 && off(now.sag, wanted.sag) < 0.03;
  }
  return is_right;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
  if (sizes.empty()) sizes = {46, 91, 182};
  const bool by_corners = pliant::compare(pliant::Hanging::by_corners, sizes);
  const bool by_an_edge = pliant::compare(pliant::Hanging::by_an_edge, sizes);
  std::puts(by_corners && by_an_edge ? "all within bounds" : "OUT OF BOUNDS");
  return by_corners && by_an_edge ? 0 : 1;
}
