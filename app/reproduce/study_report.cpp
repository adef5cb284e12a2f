#include "app/reproduce/study_report.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/bench.h"
#include "app/reproduce/figure_svg.h"
#include "app/terminal.h"

namespace pliant::app {
namespace {

std::string escaped(const std::string& text, bool is_html) {
  std::string out;
  for (const char c : text) {
    if (is_html && c == '<') out += "&lt;";
    else if (is_html && c == '&') out += "&amp;";
    else if (!is_html && c == '|') out += "\\|";
    else out += c;
  }
  return out;
}

std::size_t count(const std::vector<Study>& studies, Judgement judgement) {
  std::size_t number = 0;
  for (const Study& study : studies)
    for (const Claim& claim : study.claims) number += claim.judgement == judgement;
  return number;
}

std::string summary(const std::vector<Study>& studies) {
  return fmt::format("{} claims hold, {} do not, {} cannot be compared, {} are not covered",
                     count(studies, Judgement::holds), count(studies, Judgement::does_not_hold),
                     count(studies, Judgement::not_comparable), count(studies, Judgement::not_covered));
}

constexpr const char* kQuick =
    "Small scenes and few frames: this shows that everything runs, not what is true of the papers' sizes.";

void write_claim(JsonWriter& json, const Claim& claim) {
  json.new_line().begin_object().field("id", claim.id).field("claim", claim.claim).field("published", claim.published);
  json.field("measured", claim.measured).field("conditions", claim.conditions);
  json.field("verdict", to_string(claim.judgement)).field("why", claim.why).end_object();
}

void write_figure(JsonWriter& json, const Figure& figure) {
  json.new_line()
      .begin_object()
      .field("id", figure.id)
      .field("title", figure.title)
      .field("x", figure.x)
      .field("y", figure.y);
  json.key("series").begin_array();
  for (const Series& series : figure.series) {
    json.begin_object().field("name", series.name).field("published", series.is_published).key("points").begin_array();
    for (const auto& [x, y] : series.points) json.begin_array().value(x).value(y).end_array();
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

constexpr const char* kStyle =
    "body{max-width:70rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}"
    "table{border-collapse:collapse;font-size:.9rem}th,td{padding:.35rem .6rem;border-bottom:1px solid "
    "#8886;text-align:left;vertical-align:top}"
    ".wide{overflow-x:auto}svg,img{max-width:100%;height:auto;margin:.6rem "
    "0}b.holds{color:#197a2e}b.fails{color:#c22a1f}"
    "@media(prefers-color-scheme:dark){b.holds{color:#6fd28a}b.fails{color:#ff8a80}}small{opacity:.8}";

std::string claim_row(const Claim& claim) {
  const char* colour = claim.judgement == Judgement::holds           ? "holds"
                       : claim.judgement == Judgement::does_not_hold ? "fails"
                                                                     : "";
  return fmt::format(
      "<tr><td>{}<br><small>{}</small></td><td>{}</td><td>{}<br><small>{}</small></td><td><b "
      "class=\"{}\">{}</b><br><small>{}</small></td></tr>\n",
      escaped(claim.claim, true), escaped(claim.id, true), escaped(claim.published, true),
      escaped(claim.measured, true), escaped(claim.conditions, true), colour, to_string(claim.judgement),
      escaped(claim.why, true));
}

std::string markdown_row(const Claim& claim) {
  const auto cell = [](const std::string& text) { return escaped(text, false); };
  return fmt::format("| `{}` | {} | {} | {} | {} | **{}** {} |\n", claim.id, cell(claim.claim), cell(claim.published),
                     cell(claim.measured), cell(claim.conditions), to_string(claim.judgement), cell(claim.why));
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void print_studies(const std::vector<Study>& studies) {
  Table table({"claim", "published", "measured", "verdict"});
  for (const Study& study : studies)
    for (const Claim& claim : study.claims)
      table.add_row({claim.id, claim.published, claim.measured, to_string(claim.judgement)});
  table.print(stdout);
  fmt::print("\n{}.\n", summary(studies));
}

void write_json(JsonWriter& json, const std::vector<Study>& studies, bool quick) {
  json.begin_object().field("schema", "pliant.reproduce/1").field("quick", quick);
  write_machine(json);
  json.new_line().key("rows").begin_array();
  for (const Study& study : studies)
    for (const Claim& claim : study.claims) write_claim(json, claim);
  json.end_array().new_line().key("figures").begin_array();
  for (const Study& study : studies)
    for (const Figure& figure : study.figures) write_figure(json, figure);
  json.end_array().end_object().new_line();
}

std::string studies_html(const std::vector<Study>& studies, bool quick) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>What the papers claim, measured</title><style>{}</style>\n<h1>What the "
      "papers claim, measured</h1>\n<p>{}.{}</p>\n",
      kStyle, summary(studies), quick ? std::string(" ") + kQuick : "");
  for (const Study& study : studies) {
    text += fmt::format(
        "<h2>{}</h2>\n<p>{}</p>\n<div "
        "class=\"wide\"><table><tr><th>claim</th><th>published</th><th>measured</th><th>verdict</th></tr>\n",
        escaped(study.method, true), escaped(study.paper, true));
    for (const Claim& claim : study.claims) text += claim_row(claim);
    text += "</table></div>\n";
    for (const Figure& figure : study.figures) text += figure_svg(figure);
  }
  return text + "</html>\n";
}

void write_docs(const std::string& folder, const std::vector<Study>& studies, bool quick) {
  std::string text =
      fmt::format("# What the papers claim, measured\n\nWritten by `pliant reproduce all --docs docs`. {}.{}\n",
                  summary(studies), quick ? std::string(" ") + kQuick : "");
  std::filesystem::create_directories(folder + "/plots");
  for (const Study& study : studies) {
    text += fmt::format(
        "\n## {}\n\n{}.\n\n| | claim | published | measured | conditions | verdict |\n| --- | --- | --- | --- | --- | "
        "--- |\n",
        study.method, study.paper);
    for (const Claim& claim : study.claims) text += markdown_row(claim);
    for (const Figure& figure : study.figures) {
      write_file(folder + "/plots/" + figure.id + ".svg", figure_svg(figure));
      text += fmt::format("\n![{}](plots/{}.svg)\n", figure.title, figure.id);
    }
  }
  write_file(folder + "/reproduction.md", text);
}

}  // namespace pliant::app
