#include <pliant/detect.h>
#include <pliant/io.h>
#include <cstdio>

int main(int argc, char** argv) try {
  const auto detector = pliant::make_detector("bvh");
  for (int i = 1; i < argc; ++i) detector->add_body(pliant::read_mesh(argv[i]));

  const pliant::Report report = detector->detect(pliant::Interval::instant(0));

  for (const pliant::Contact& c : report.contacts)
    std::printf("body %u triangle %u meets body %u triangle %u, depth %g\n", c.a.body.value, c.a.id, c.b.body.value,
                c.b.id, c.depth);
  std::printf("%zu contacts, %s\n", report.contacts.size(), pliant::to_string(report.guarantee));
} catch (const pliant::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());  // place, what is wrong, what to do
  return 2;
}
