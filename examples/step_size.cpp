// How far may a solver go before anything meets?
#include <pliant/detect.h>
#include <cstdio>

int main() try {
  const pliant::MeshPtr cloth = pliant::make_grid({.width = 3, .depth = 3}), ball = pliant::make_icosphere();
  const auto x_t0 = pliant::transformed(cloth->positions(), {.translation = {0, 0, 1.5}});
  const auto x_t1 = pliant::transformed(cloth->positions(), {.translation = {0, 0, 0.5}});
  pliant::SafeStepper stepper({.min_separation = 1e-4});  // self-collision included
  stepper.add_body(ball);
  stepper.set_step(stepper.add_body(cloth), x_t0, x_t1);
  std::printf("free up to %.4f of the step\n", stepper.find().fraction);
} catch (const pliant::Error& error) {
  return std::fprintf(stderr, "error: %s\n", error.what()), 2;
}
