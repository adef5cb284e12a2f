// FCL on the meshes of the anytime method, one thread: it says nothing before it has everything, so that its curve is
// one step. Trees are refitted for every frame, as ours are.
//
//   pliant-bench-anytime-peers OUT.json BUNNY.ply ARMADILLO.ply
#include <fcl/fcl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "bench/anytime_scenes.h"
#include "bench/bench_context.h"
#include "pliant/io/json_writer.h"

namespace pliant::bench {
namespace {

using Clock = std::chrono::steady_clock;
double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}
double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<fcl::Vector3d> fcl_points(const std::vector<Vec3>& x) { return {x.begin(), x.end()}; }

template <class Model>
std::shared_ptr<Model> fcl_model(const TriangleMesh& mesh, const std::vector<Vec3>& x) {
  std::vector<fcl::Triangle> triangles;
  for (const Triangle& t : mesh.triangles()) triangles.emplace_back(t[0].value, t[1].value, t[2].value);
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(mesh.face_count()), static_cast<int>(mesh.vertex_count()));
  model->addSubModel(fcl_points(x), triangles);
  model->endModel();
  return model;
}

template <class Model>
void refit(Model& model, const std::vector<fcl::Vector3d>& points) {
  model.beginUpdateModel();
  model.updateSubModel(points);
  model.endUpdateModel(true, true);
}

template <class Model>
void measure(JsonWriter& json, const Scene& scene, const char* name) {
  const auto a = fcl_model<Model>(*scene.a.mesh, scene.a.dense[0]),
             b = fcl_model<Model>(*scene.b.mesh, scene.b.dense[0]);
  const fcl::CollisionRequestd request(10'000'000, true);
  std::vector<double> refits, whole;
  std::size_t pairs = 0;
  for (int k = 0; k < 2 * scene.frames() + 1; ++k) {
    const auto i = static_cast<std::size_t>(k % scene.frames());
    const auto points_a = fcl_points(scene.a.dense[i]), points_b = fcl_points(scene.b.dense[i]);
    fcl::CollisionResultd result;
    const auto start = Clock::now();
    refit(*a, points_a);
    refit(*b, points_b);
    refits.push_back(us_since(start));
    const fcl::Transform3d here = fcl::Transform3d::Identity();
    fcl::collide(a.get(), here, b.get(), here, request, result);
    whole.push_back(us_since(start));
    std::vector<fcl::Contactd> contacts;
    result.getContacts(contacts);
    std::set<std::pair<std::intptr_t, std::intptr_t>> distinct;
    for (const auto& c : contacts) distinct.emplace(c.b1, c.b2);
    if (i == 0) pairs = distinct.size();
  }
  json.new_line().begin_object().field("scene", scene.name).field("method", name).field("pairs", pairs);
  json.field("refit_us", middle(refits)).field("whole_us", middle(whole)).end_object();
  std::fprintf(stderr, "%s %s: %zu pairs, refit %.0f us, all %.0f us\n", scene.name.c_str(), name, pairs,
               middle(refits), middle(whole));
}

int run(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "pliant-bench-anytime-peers OUT.json BUNNY ARMADILLO\n"), 2;
  std::ofstream out(argv[1]);
  JsonWriter json([&](std::string_view text) { out << text; });
  json.begin_object().field("schema", "pliant.bench.anytime-peers/1");
  for (const auto& [name, value] : bench_context()) json.field(name, value);
  json.field("fcl", FCL_VERSION).key("rows").begin_array();
  for (const Scene& scene : anytime_scenes(argv[2], argv[3], true)) {
    measure<fcl::BVHModel<fcl::AABBd>>(json, scene, "FCL, AABB");
    measure<fcl::BVHModel<fcl::OBBRSSd>>(json, scene, "FCL, OBBRSS");
  }
  json.end_array().end_object().new_line().flush();
  return 0;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) { return pliant::bench::run(argc, argv); }
