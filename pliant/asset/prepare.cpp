#include "pliant/asset/prepare.h"

#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"

namespace pliant {
namespace {

// Runs the stages one after the other, with their progress and times.
class Stages {
 public:
  explicit Stages(const PrepareSettings& settings) : settings_(settings) {}

  template <class Call>
  auto run(std::string_view name, double& seconds, Call&& call) {
    tell(name, 0);
    const Stopwatch watch;
    auto result = call();
    seconds = watch.seconds();
    tell(name, 1);
    return result;
  }
  void tell(std::string_view name, double fraction) const {
    if (settings_.progress) settings_.progress(name, fraction);
  }

 private:
  const PrepareSettings& settings_;
};

MeshPtr copy_of(const TriangleMesh& mesh) {
  return std::make_shared<const TriangleMesh>(
      std::vector<Vec3>(mesh.positions().begin(), mesh.positions().end()),
      std::vector<Triangle>(mesh.triangles().begin(), mesh.triangles().end()),
      MeshOrigin{.name = mesh.origin().name, .vertex_in_file = mesh.origin().vertex_in_file});
}

std::string stored_report(const Asset& asset, const PrepareReport& report) {
  std::string text;
  JsonWriter json([&](std::string_view piece) { text += piece; });
  write_report(json, asset, report, WithSeconds::no);
  json.flush();
  return text;
}

}  // namespace

PreparedAsset prepare_asset(const TriangleMesh& mesh, const PrepareSettings& settings) {
  if (mesh.face_count() == 0)
    throw Error(ErrorPlace{.file = mesh.origin().name}, "the mesh has no faces", "give a surface");
  PreparedAsset prepared;
  Asset& asset = prepared.asset;
  PrepareReport& report = prepared.report;
  Stages stages(settings);
  asset.dense = stages.run("repairing", report.seconds.repair, [&] {
    report.before = find_defects(mesh);
    report.repaired = settings.repair;
    if (!settings.repair) return copy_of(mesh);
    RepairedMesh repaired = repair_mesh(mesh, settings.repairs);
    report.repair = repaired.report;
    return repaired.mesh;
  });
  report.after = find_defects(*asset.dense);
  asset.coarse = stages.run("simplifying", report.seconds.coarse, [&] {
    const CoarseSurface coarse =
        make_coarse_surface(asset.dense, {.faces = settings.coarse_faces,
                                          .wrap_sheets = settings.wrap_sheets,
                                          .threads = settings.threads,
                                          .progress = [&](double fraction) { stages.tell("simplifying", fraction); }});
    report.coarse_kind = coarse.kind;
    report.coarse_tries = coarse.tries;
    return coarse.mesh;
  });
  asset.tets = stages.run("tetrahedra", report.seconds.tets, [&] {
    TetSettings tets = settings.tets;
    tets.faces = settings.coarse_faces;
    tets.threads = settings.threads;
    tets.progress = [&](double fraction) { stages.tell("tetrahedra", fraction); };
    TetBody body = tetrahedralise(asset.coarse, asset.dense, tets);
    report.tet_way = body.way;
    report.netgen_refused = body.refused;
    report.cell = body.cell;
    report.fills_dense = body.fills_dense;
    report.warnings = body.warnings;
    return body.mesh;
  });
  stages.run("linking", report.seconds.links, [&] {
    link_dense(asset, settings.threads);
    return true;
  });
  report.quality =
      stages.run("measuring", report.seconds.quality, [&] { return measure_asset(asset, settings.threads); });
  asset.report = stored_report(asset, report);
  return prepared;
}

}  // namespace pliant
