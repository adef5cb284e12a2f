#include <pliant/pliant.h>

#include <cstdio>

int main() {
  const auto detector = pliant::make_detector("bvh");
  detector->add_body(pliant::make_icosphere());
  detector->add_body(pliant::make_box({.size = {1.5, 1.5, 1.5}}));
  std::printf("consumer: %zu contacts\n", detector->detect(pliant::Interval::instant(0)).contacts.size());
}
