// Beside CGAL and FCL, on one thread, same meshes, same minute. Each benchmark first states how many pairs it found and
// how many of them differ from ours (`differs`): a time is worth something only next to an equal result.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <benchmark/benchmark.h>
#include <fcl/fcl.h>

#include <set>

#include "bench/bench_meshes.h"
#include "pliant/bounds/face_tree.h"
#include "pliant/detect/registry.h"

namespace pliant::bench {
namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;
using CgalMesh = CGAL::Surface_mesh<CGAL::Exact_predicates_inexact_constructions_kernel::Point_3>;
using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

constexpr std::size_t kSelf = 100'000;
constexpr std::size_t kPair = 70'000;

DetectorSettings one_thread(bool self) {
  DetectorSettings settings;
  settings.self = self;
  settings.threads = {1};
  return settings;
}

Pairs pairs_of(const Report& report) {
  Pairs pairs;
  for (const Contact& c : report.contacts) pairs.emplace(c.a.id, c.b.id);
  return pairs;
}

std::size_t difference(const Pairs& a, const Pairs& b) {
  std::size_t count = 0;
  for (const auto& pair : a) count += b.count(pair) == 0;
  for (const auto& pair : b) count += a.count(pair) == 0;
  return count;
}

Pairs own_self_pairs(const MeshPtr& mesh) {
  const auto detector = make_detector("bvh", one_thread(true));
  detector->add_body(mesh);
  return pairs_of(detector->detect(Interval::instant(0)));
}

Pairs own_pairs(const MeshPtr& a, const MeshPtr& b) {
  const auto detector = make_detector("bvh", one_thread(false));
  detector->add_body(a);
  detector->add_body(b);
  return pairs_of(detector->detect(Interval::instant(0)));
}

// From the mesh in memory to the list of pairs, tree build included: what CGAL's function does.
void BM_SelfFromScratch_Pliant(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kSelf);
  std::size_t found = 0;
  for (auto _ : state) found = own_self_pairs(mesh).size();
  state.counters["pairs"] = static_cast<double>(found);
  state.counters["triangles"] = static_cast<double>(mesh->face_count());
}
BENCHMARK(BM_SelfFromScratch_Pliant)->Unit(benchmark::kMillisecond);

// A mesh that has moved: refit and query.
void BM_SelfRefit_Pliant(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kSelf);
  const auto detector = make_detector("bvh", one_thread(true));
  const BodyId body = detector->add_body(mesh);
  const Frame frames[2] = {Frame::of_mesh(mesh), Frame::own({mesh->positions().begin(), mesh->positions().end()})};
  std::size_t found = detector->detect(Interval::instant(0)).contacts.size();
  int turn = 0;
  for (auto _ : state) {
    detector->set_motion(body, Motion::at_rest(frames[++turn % 2]));
    found = detector->detect(Interval::instant(0)).contacts.size();
  }
  state.counters["pairs"] = static_cast<double>(found);
}
BENCHMARK(BM_SelfRefit_Pliant)->Unit(benchmark::kMillisecond);

CgalMesh cgal_mesh(const TriangleMesh& mesh) {
  CgalMesh result;
  for (const Vec3& p : mesh.positions()) result.add_vertex({p.x(), p.y(), p.z()});
  for (const Triangle& t : mesh.triangles())
    result.add_face(CgalMesh::Vertex_index(t[0].value), CgalMesh::Vertex_index(t[1].value),
                    CgalMesh::Vertex_index(t[2].value));
  return result;
}

void BM_SelfFromScratch_CGAL(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kSelf);
  const CgalMesh cgal = cgal_mesh(*mesh);
  std::vector<std::pair<CgalMesh::Face_index, CgalMesh::Face_index>> found;
  for (auto _ : state) {
    found.clear();
    CGAL::Polygon_mesh_processing::self_intersections<CGAL::Sequential_tag>(faces(cgal), cgal,
                                                                            std::back_inserter(found));
  }
  Pairs pairs;
  for (const auto& [a, b] : found) pairs.emplace(std::min(a, b), std::max(a, b));
  state.counters["pairs"] = static_cast<double>(pairs.size());
  state.counters["differs"] = static_cast<double>(difference(pairs, own_self_pairs(mesh)));
}
BENCHMARK(BM_SelfFromScratch_CGAL)->Unit(benchmark::kMillisecond);

MeshPtr other_of(const MeshPtr& mesh) { return shifted(*mesh, {1.1, 0.4, 0.3}); }

void BM_PairQuery_Pliant(benchmark::State& state) {
  const MeshPtr a = lumpy_ball(kPair);
  const auto detector = make_detector("bvh", one_thread(false));
  detector->add_body(a);
  detector->add_body(other_of(a));
  std::size_t found = detector->detect(Interval::instant(0)).contacts.size();
  for (auto _ : state) found = detector->detect(Interval::instant(0)).contacts.size();
  state.counters["pairs"] = static_cast<double>(found);
  state.counters["triangles"] = static_cast<double>(a->face_count());
}
BENCHMARK(BM_PairQuery_Pliant)->Unit(benchmark::kMillisecond);

std::vector<fcl::Vector3d> fcl_points(const TriangleMesh& mesh) {
  return {mesh.positions().begin(), mesh.positions().end()};
}

std::shared_ptr<FclModel> fcl_model(const TriangleMesh& mesh) {
  std::vector<fcl::Triangle> triangles;
  for (const Triangle& t : mesh.triangles()) triangles.emplace_back(t[0].value, t[1].value, t[2].value);
  auto model = std::make_shared<FclModel>();
  model->beginModel(static_cast<int>(mesh.face_count()), static_cast<int>(mesh.vertex_count()));
  model->addSubModel(fcl_points(mesh), triangles);
  model->endModel();
  return model;
}

void BM_PairQuery_FCL(benchmark::State& state) {
  const MeshPtr a = lumpy_ball(kPair);
  const MeshPtr b = other_of(a);
  const auto model_a = fcl_model(*a);
  const auto model_b = fcl_model(*b);
  const fcl::CollisionRequestd request(10'000'000, true);
  fcl::CollisionResultd result;
  for (auto _ : state) {
    result.clear();
    fcl::collide(model_a.get(), fcl::Transform3d::Identity(), model_b.get(), fcl::Transform3d::Identity(), request,
                 result);
  }
  std::vector<fcl::Contactd> contacts;
  result.getContacts(contacts);
  Pairs pairs;
  for (const auto& c : contacts) pairs.emplace(c.b1, c.b2);
  state.counters["pairs"] = static_cast<double>(pairs.size());
  state.counters["differs"] = static_cast<double>(difference(pairs, own_pairs(a, b)));
}
BENCHMARK(BM_PairQuery_FCL)->Unit(benchmark::kMillisecond);

void BM_Build_Pliant(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kPair);
  for (auto _ : state) benchmark::DoNotOptimize(FaceTree(*mesh, mesh->positions(), {.threads = {1}}));
}
BENCHMARK(BM_Build_Pliant)->Unit(benchmark::kMillisecond);

void BM_Build_FCL(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kPair);
  for (auto _ : state) benchmark::DoNotOptimize(fcl_model(*mesh));
}
BENCHMARK(BM_Build_FCL)->Unit(benchmark::kMillisecond);

void BM_Refit_Pliant(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kPair);
  FaceTree tree(*mesh, mesh->positions(), {.threads = {1}});
  for (auto _ : state) tree.refit({1}, *mesh, mesh->positions());
}
BENCHMARK(BM_Refit_Pliant)->Unit(benchmark::kMillisecond);

void BM_Refit_FCL(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(kPair);
  const auto model = fcl_model(*mesh);
  const auto points = fcl_points(*mesh);
  for (auto _ : state) {
    model->beginUpdateModel();
    model->updateSubModel(points);
    model->endUpdateModel(true, true);
  }
}
BENCHMARK(BM_Refit_FCL)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
