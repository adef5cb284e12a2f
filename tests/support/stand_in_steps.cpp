#include "tests/support/stand_in_steps.h"

#include <algorithm>
#include <limits>

#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/topology.h"
#include "tests/ccd/planted.h"
#include "tests/oracle/ccd_oracle.h"
#include "tests/support/soups.h"
#include "tests/support/stand_in_data.h"

namespace pliant::testing {
namespace {

namespace fs = std::filesystem;

// The exact time lies within 2^-80 of the middle.
CcdTruth truth_of(CcdKind kind, const CcdQuery& query) {
  const auto contact = oracle::first_contact(kind, query);
  if (!contact) return {false, std::numeric_limits<double>::quiet_NaN()};
  if (contact->lo <= 0) return {true, 0};
  return {true, oracle::Rational((contact->lo + contact->hi) / 2).convert_to<double>()};
}

void append_truth(std::string& bytes, const std::vector<CcdTruth>& truth) {
  for (const CcdTruth& t : truth) bytes += static_cast<char>(t.collides ? 1 : 0);
  for (const CcdTruth& t : truth) append_little(bytes, t.time);
}

std::string header(const char* magic, CcdKind kind, std::size_t count) {
  std::string bytes = magic;
  append_little(bytes, std::uint32_t{kind == CcdKind::vertex_face ? 1u : 0u});
  append_little(bytes, static_cast<std::uint32_t>(count));
  return bytes;
}

void write_queries(const fs::path& file, CcdKind kind, const std::vector<CcdQuery>& queries) {
  std::string bytes = header("CCDQ0001", kind, queries.size());
  std::vector<CcdTruth> truth;
  for (const CcdQuery& query : queries) {
    for (const auto& points : {query.x_t0, query.x_t1})
      for (const Vec3& p : points)
        for (int axis = 0; axis < 3; ++axis) append_little(bytes, p[axis]);
    truth.push_back(truth_of(kind, query));
  }
  append_truth(bytes, truth);
  write_file(file.string(), bytes);
}

// All pairs whose swept boxes touch, those that do not meet among them.
void write_pairs(const fs::path& file, CcdKind kind, const CcdStep& step) {
  const std::vector<CcdPair> pairs = swept_box_pairs(step, kind);
  std::string bytes = header("CCDP0001", kind, pairs.size());
  std::vector<CcdTruth> truth;
  for (const CcdPair& pair : pairs) {
    CcdQuery query;
    for (std::size_t k = 0; k < 4; ++k) {
      append_little(bytes, static_cast<std::int32_t>(pair[k]));
      query.x_t0[k] = step.x_t0[pair[k]];
      query.x_t1[k] = step.x_t1[pair[k]];
    }
    truth.push_back(truth_of(kind, query));
  }
  append_truth(bytes, truth);
  write_file(file.string(), bytes);
}

CcdStep step_of(const TriangleMesh& mesh, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  CcdStep step{.name = "", .x_t0 = x_t0, .x_t1 = x_t1, .faces = {}, .edges = {}, .vf_truth = {}, .ee_truth = {}};
  for (const Triangle& t : mesh.triangles()) step.faces.push_back({t[0].value, t[1].value, t[2].value});
  for (const Edge& e : mesh.topology().edges())
    step.edges.push_back({std::min(e[0].value, e[1].value), std::max(e[0].value, e[1].value)});
  std::sort(step.edges.begin(), step.edges.end());
  return step;
}

void write_scene(const fs::path& folder, const TriangleMesh& mesh, const std::vector<Vec3>& x_t0,
                 const std::vector<Vec3>& x_t1) {
  fs::create_directories(folder);
  write_mesh((folder / "t0.ply").string(), *with_positions(mesh, x_t0));
  write_mesh((folder / "t1.ply").string(), *with_positions(mesh, x_t1));
  const CcdStep step = step_of(mesh, x_t0, x_t1);
  write_pairs(folder / "vf.ccdp", CcdKind::vertex_face, step);
  write_pairs(folder / "ee.ccdp", CcdKind::edge_edge, step);
}

std::vector<Vec3> on_grid(Dice& dice, std::size_t count, std::uint32_t side) {
  std::vector<Vec3> positions;
  for (std::size_t i = 0; i < count; ++i)
    positions.emplace_back(dice.below(side + 1), dice.below(side + 1), dice.below(side + 1));
  return positions;
}

// Sheets of eight faces, thrown about: whole numbers, with which the oracle takes milliseconds per query.
void write_steps(const fs::path& folder) {
  Dice dice(2);
  const MeshPtr sheet = crumpled_sheet(dice, 2, 0);
  const auto thrown = [&](std::uint32_t side) { return on_grid(dice, sheet->vertex_count(), side); };
  for (const auto& [name, side] : {std::pair{"coarse", 3u}, {"fine", 60u}})
    write_scene(folder / "ccd-scenes" / name, *sheet, thrown(side), thrown(side));

  const fs::path sequence = folder / "sequences/flutter";
  fs::create_directories(sequence);
  const std::vector<std::vector<Vec3>> frames = {thrown(40), thrown(40), thrown(40)};
  write_mesh((sequence / "base.ply").string(), *with_positions(*sheet, frames[0]));
  write_pc2(sequence / "anim.pc2", frames);
  const CcdStep step = step_of(*sheet, frames[1], frames[2]);
  write_pairs(sequence / "step_1_vf.ccdp", CcdKind::vertex_face, step);
  write_pairs(sequence / "step_1_ee.ccdp", CcdKind::edge_edge, step);
}

CcdQuery any_query(Dice& dice) {
  CcdQuery query;
  for (auto* points : {&query.x_t0, &query.x_t1})
    for (Vec3& p : *points) p = Vec3(dice.below(100), dice.below(100), dice.below(100));
  return query;
}

// plain_*: random places; degenerate_*: what was planted at the edge of things.
void write_query_files(const fs::path& folder) {
  fs::create_directories(folder);
  PlantRandom random(5);
  Dice dice(7);
  for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
    const std::string end = kind == CcdKind::vertex_face ? "_vf.ccdq" : "_ee.ccdq";
    std::vector<CcdQuery> plain, degenerate;
    for (int i = 0; i < 60; ++i) plain.push_back(any_query(dice));
    for (int family = 0; family < kPlantFamilies; ++family)
      for (int i = 0; i < 10; ++i) degenerate.push_back(plant(kind, static_cast<PlantFamily>(family), random).query);
    write_queries(folder / ("plain" + end), kind, plain);
    write_queries(folder / ("degenerate" + end), kind, degenerate);
  }
}

}  // namespace

std::vector<CcdStep> all_ccd_steps() {
  static const TemporaryFolder folder;  // read again by those who use the steps
  if (fs::is_empty(folder.path())) write_steps(folder.path());
  std::vector<CcdStep> steps = load_ccd_steps(folder.path());
  for (CcdStep& step : load_ccd_steps(PLIANT_TEST_DATA)) steps.push_back(std::move(step));
  return steps;
}

std::vector<fs::path> query_folders() {
  static const TemporaryFolder folder;
  if (fs::is_empty(folder.path())) write_query_files(folder.path());
  std::vector<fs::path> folders = {folder.path()};
  const fs::path real = fs::path(PLIANT_TEST_DATA) / "ccd-queries";
  if (fs::is_directory(real)) folders.push_back(real);
  return folders;
}

}  // namespace pliant::testing
