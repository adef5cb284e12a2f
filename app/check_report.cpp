#include "app/check_report.h"

#include <algorithm>
#include <cmath>

#include "app/terminal.h"

namespace pliant::app {
namespace {

std::string defect_text(const CheckedBody& body) {
  std::string text;
  for (const auto& [name, count] : body.defects) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + words;
  }
  return text.empty() ? "none" : text;
}

std::string feature_text(const FeatureName& name, const CheckReport& report) {
  const std::string& body = report.bodies[name.body].name;
  switch (name.kind) {
    case FeatureKind::vertex:
      return fmt::format("{} vertex {}", body, name.index[0]);
    case FeatureKind::edge:
      return fmt::format("{} edge {}-{}", body, name.index[0], name.index[1]);
    case FeatureKind::region:
      return fmt::format("{} region {}", body, name.index[0]);
    case FeatureKind::face:
      break;
  }
  const std::string triangle = fmt::format("{} triangle {}", body, name.index[0]);
  return name.face ? fmt::format("{} (face {})", triangle, *name.face) : triangle;
}

std::string point_text(const Vec3& point) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", point.x(), point.y(), point.z());
}

std::string pair_text(const CheckReport& report, std::uint32_t a, std::uint32_t b) {
  const std::string& name = report.bodies[a].name;
  return a == b ? name + " with itself" : name + " with " + report.bodies[b].name;
}

std::string inside_text(const CheckReport& report, const PairTally& pair) {
  if (pair.penetration) return fmt::format("{:.4g} deep in each other", *pair.penetration);
  if (pair.inside == Inside::neither) return "";
  const bool a_inside = pair.inside == Inside::a_in_b;
  return report.bodies[a_inside ? pair.a : pair.b].name + " lies wholly inside " +
         report.bodies[a_inside ? pair.b : pair.a].name;
}

std::string start_text(const CheckReport& report, const PairTally& pair) {
  const std::string more = inside_text(report, pair);
  const std::string start = pair.initial ? "intersects at the start" : pair.near_at_start ? "near at the start" : "";
  return start + (start.empty() || more.empty() ? "" : ", ") + more;
}

void print_bodies(const CheckReport& report) {
  Table table({"", "body", "vertices", "triangles", "defects"});
  for (std::size_t b = 0; b < report.bodies.size(); ++b) {
    const CheckedBody& body = report.bodies[b];
    table.add_row({std::to_string(b), body.name, grouped(body.vertices), grouped(body.triangles), defect_text(body)});
  }
  table.print(stdout);
}

void print_pairs(const CheckReport& report) {
  Table table({"pair", "contacts", "crossing", "touching", "coplanar", "possible", ""});
  for (const PairTally& pair : report.pairs) {
    const auto count = [&pair](Relation r) { return grouped(pair.by_relation[static_cast<std::size_t>(r)]); };
    table.add_row({pair_text(report, pair.a, pair.b), grouped(pair.contacts), count(Relation::crossing),
                   count(Relation::touching), count(Relation::coplanar), count(Relation::possible),
                   inside_text(report, pair)});
  }
  fmt::print("\n");
  table.print(stdout);
}

void print_moving_pairs(const CheckReport& report) {
  Table table({"pair", "contacts", "continued", "first at frame", "frames affected", "longest curve", "at frame",
               "possible", ""});
  for (const PairTally& pair : report.pairs) {
    const bool curve = pair.longest_curve > 0;
    table.add_row({pair_text(report, pair.a, pair.b), grouped(pair.contacts), grouped(pair.continued),
                   pair.first_time ? fmt::format("{:.6g}", *pair.first_time) : "-", grouped(pair.frames_affected),
                   curve ? fmt::format("{:.4g}", pair.longest_curve) : "-",
                   curve ? fmt::format("{:.6g}", pair.longest_curve_time) : "-", grouped(pair.possible),
                   start_text(report, pair)});
  }
  fmt::print("\n");
  table.print(stdout);
}

std::string relation_text(const CheckReport& report, const CheckedContact& checked) {
  std::string text = to_string(checked.contact.relation);
  if (checked.excused) return text + ", allowed";
  return report.moves && checked.contact.initial ? text + ", from the start" : text;
}

void print_first(const CheckReport& report) {
  if (report.first_few.empty()) return;
  Table table({"first contacts", "with", report.moves ? "at frame" : "", "relation", "at"});
  for (const NamedContact& named : report.first_few) {
    const Contact& contact = named.checked.contact;
    table.add_row({feature_text(named.a, report), feature_text(named.b, report),
                   report.moves ? fmt::format("{:.6g}", contact.time) : "", relation_text(report, named.checked),
                   contact.relation == Relation::possible ? "" : point_text(contact.point)});
  }
  fmt::print("\n");
  table.print(stdout);
}

// The answer to "when first?".
void print_first_collision(const CheckReport& report) {
  if (!report.moves || !report.first_new) return;
  const Contact& contact = report.first_new->checked.contact;
  const auto [a, b] = std::minmax(contact.a.body.value, contact.b.body.value);
  fmt::print("\nfirst {}collision: frame {:.6g}, {}, at {}\n", report.from_start > 0 ? "new " : "", contact.time,
             pair_text(report, a, b), point_text(contact.point));
}

// "131 contacts, 40 of them continued"
std::string contacts_text(const CheckReport& report) {
  std::string text = counted(report.contacts, "contact", "contacts");
  if (report.continued > 0) text += ", " + grouped(report.continued) + " of them continued";
  return text;
}

// What the bodies do at the start, in a word: within a separation they need not intersect.
const char* start_word(const CheckReport& report) {
  return report.min_separation > 0 ? "intersects or is near at the start" : "intersects at the start";
}

std::string why_collides(const CheckReport& report) {
  if (report.from_start == 0) return contacts_text(report);
  if (report.from_start == report.contacts) return contacts_text(report) + ", all part of what " + start_word(report);
  return contacts_text(report) + ", " + grouped(report.contacts - report.from_start) + " of them new";
}

std::string why_clean(const CheckReport& report) {
  if (report.contacts == 0) return "nothing collides";
  return contacts_text(report) + ", all part of what " + start_word(report) + ", which is allowed";
}

std::string why_not_known(const CheckReport& report) {
  std::string so_far = report.contacts > 0 ? "; so far " + contacts_text(report) : "";
  if (report.contacts > 0 && report.from_start == report.contacts)
    so_far += std::string(", all part of what ") + start_word(report);
  if (!report.complete) {
    const bool by_user = report.stopped_by == StopReason::cancelled;
    const bool by_search = report.search_seconds && report.stopped_by == StopReason::deadline;
    return (by_search ? "the search budget did not suffice"
                      : std::string("stopped before the end") + (by_user ? " by a signal" : ", the budget is spent")) +
           so_far;
  }
  if (report.guarantee < Guarantee::conservative) return "nothing found, but this method can miss contacts" + so_far;
  return counted(report.possible, "pair", "pairs") + " of features " +
         (report.min_separation > 0 ? "as near as the separation, or as good as" : "not decided") + so_far;
}

// How far off what is reported can be.
std::string bound_text(const CheckReport& report) {
  std::string text = report.complete ? "" : ", incomplete";
  if (std::isinf(report.bound)) return text + ", bound unknown: not all was looked at";
  text += fmt::format(", bound {:.6g}", report.bound);
  if (report.scene_size > 0)
    text += fmt::format(" = {:.3g} times the scene's diagonal", report.bound / report.scene_size);
  if (report.possible > 0) text += ", " + counted(report.possible, "pair", "pairs") + " of regions unresolved";
  return text;
}

std::string why(const CheckReport& report) {
  switch (report.verdict) {
    case Verdict::clean:
      return why_clean(report);
    case Verdict::collides:
      return why_collides(report);
    case Verdict::not_known:
      break;
  }
  return why_not_known(report);
}

}  // namespace

void print_check(const CheckReport& report, const CheckSeconds& seconds) {
  print_bodies(report);
  if (!report.pairs.empty()) {
    if (report.moves) print_moving_pairs(report);
    else print_pairs(report);
    print_first(report);
  }
  print_first_collision(report);
  std::string times;
  for (const auto& [name, passed] : seconds) times += fmt::format(", {} {}", name, duration_text(passed));
  fmt::print("\n{}: {} (method {}, {}{}{})\n", to_string(report.verdict), why(report), report.method,
             to_string(report.guarantee), report.complete && report.bound == 0 ? "" : bound_text(report), times);
}

ExitCode exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return kDone;
    case Verdict::collides:
      return kCollides;
    case Verdict::not_known:
      break;
  }
  return kNotFinished;
}

}  // namespace pliant::app
