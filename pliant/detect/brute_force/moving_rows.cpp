#include "pliant/detect/brute_force/moving_rows.h"

#include <algorithm>

#include "pliant/detect/moving/candidate_solver.h"

namespace pliant {
namespace {

enum class RowKind : std::uint8_t { vertices_a_faces_b, vertices_b_faces_a, edges };

// Some vertices against all faces, or some edges against all edges, of a pair of bodies.
struct MovingRows {
  BodyPair pair;
  RowKind kind;
  std::uint32_t begin;
  std::uint32_t end;
};

void cut_into_rows(BodyPair pair, RowKind kind, std::size_t count, std::vector<MovingRows>& rows) {
  constexpr std::size_t kRowsPerTask = 64;
  for (std::size_t begin = 0; begin < count; begin += kRowsPerTask)
    rows.push_back({pair, kind, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(std::min(count, begin + kRowsPerTask))});
}

std::vector<MovingRows> all_rows(const SweptQuery& query) {
  std::vector<MovingRows> rows;
  const auto count = static_cast<std::uint32_t>(query.bodies.size());
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a; b < count; ++b) {
      if (!query.wants({a, b})) continue;
      cut_into_rows({a, b}, RowKind::vertices_a_faces_b, query.bodies[a].mesh->vertex_count(), rows);
      if (a != b) cut_into_rows({a, b}, RowKind::vertices_b_faces_a, query.bodies[b].mesh->vertex_count(), rows);
      cut_into_rows({a, b}, RowKind::edges, query.bodies[a].topology->edges().size(), rows);
    }
  }
  return rows;
}

// A vertex on no face is no part of the surface.
bool test_vertex_row(CandidateSolver::Stream& stream, VertexId v, BudgetMeter& meter) {
  const SweptBody& a = stream.first();
  const SweptBody& b = stream.second();
  if (!a.topology->owner(v).valid()) return true;
  const std::uint32_t corner = a.corner(v);
  for (std::size_t f = 0; f < b.mesh->face_count(); ++f) {
    if (!meter.spend()) return false;
    const auto t = b.corners(FaceId(f));
    if (&a == &b && std::find(t.begin(), t.end(), corner) != t.end()) continue;
    stream.add({corner, t[0], t[1], t[2]}, v.value, static_cast<std::uint32_t>(f));
  }
  return true;
}

bool test_edge_row(CandidateSolver::Stream& stream, EdgeId e, BudgetMeter& meter) {
  const SweptBody& a = stream.first();
  const SweptBody& b = stream.second();
  const auto p = a.ends(e);
  for (std::size_t i = &a == &b ? e.index() + 1 : 0; i < b.topology->edges().size(); ++i) {
    if (!meter.spend()) return false;
    const auto q = b.ends(EdgeId(i));
    if (&a == &b && (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1])) continue;
    stream.add({p[0], p[1], q[0], q[1]}, e.value, static_cast<std::uint32_t>(i));
  }
  return true;
}

SweptTaskHits test_rows(const SweptQuery& query, const MovingRows& rows, EarliestTime& earliest, BudgetMeter& meter) {
  SweptTaskHits found;
  CandidateSolver solver(query, rows.pair, earliest, found, meter.state());
  found.finished = true;
  for (std::uint32_t i = rows.begin; i < rows.end && found.finished; ++i) {
    if (rows.kind == RowKind::edges) found.finished = test_edge_row(solver.edges(), EdgeId(i), meter);
    else if (rows.kind == RowKind::vertices_a_faces_b)
      found.finished = test_vertex_row(solver.vertices_a_faces_b(), VertexId(i), meter);
    else found.finished = test_vertex_row(solver.vertices_b_faces_a(), VertexId(i), meter);
  }
  solver.flush();
  found.finished = found.finished && !found.late;
  return found;
}

}  // namespace

SweptFindings search_moving_rows(const SweptQuery& query, SearchTasks& tasks) {
  const std::vector<MovingRows> rows = all_rows(query);
  EarliestTime earliest;
  const bool any = query.goal == SweptGoal::any;
  auto found = tasks.run(rows.size(), any,
                         [&](std::size_t i, BudgetMeter& meter) { return test_rows(query, rows[i], earliest, meter); });
  SweptFindings findings;
  std::vector<BodyPair> unfinished;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!found[i].finished && (unfinished.empty() || unfinished.back() != rows[i].pair))
      unfinished.push_back(rows[i].pair);
    findings.add(std::move(found[i]));
  }
  if (any && findings.certain) return findings;
  for (const BodyPair pair : unfinished)
    findings.unresolved.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
  return findings;
}

}  // namespace pliant
