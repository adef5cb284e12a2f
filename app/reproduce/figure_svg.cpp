#include "app/reproduce/figure_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant::app {
namespace {

constexpr double kWidth = 640, kHeight = 360, kLeft = 70, kRight = 20, kTop = 40, kBottom = 50;
constexpr double kLegend = 18;  // px, of one line
// Told apart by people who see few colours, too (after P. Tol's bright scheme).
constexpr const char* kColours[]{"#4477aa", "#ee6677", "#228833", "#aa3377", "#66ccee", "#ccbb44"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

// One axis: numbers to places, and the numbers that are written beside it.
class Axis {
 public:
  Axis(bool is_log, double least, double most, double from, double to) : is_log_(is_log), from_(from), to_(to) {
    if (is_log) {
      add_log_ticks(least, most);
      return;
    }
    least_ = std::min(0.0, least);
    const double step = nice_step((std::max(most, least_ + 1e-9) - least_) / 5);
    most_ = step * std::ceil(most / step);
    if (most_ <= least_) most_ = least_ + step;
    for (double tick = least_; tick <= most_ + step / 2; tick += step) ticks_.push_back(tick);
  }
  double place(double value) const {
    const double position = is_log_ ? std::log10(value) : value;
    return from_ + (to_ - from_) * (position - least_) / (most_ - least_);
  }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  // 1, 2 and 5 of each power of ten, from the last that is not above the least to the first that is not below the most;
  // over many powers only these.
  void add_log_ticks(double least, double most) {
    const bool many = most > 300 * least;
    for (double power = std::pow(10, std::floor(std::log10(least))); ticks_.empty() || ticks_.back() < most;
         power *= 10)
      for (const double factor : {1.0, 2.0, 5.0}) {
        if (many && factor != 1) continue;
        const double tick = factor * power;
        if (tick * (1 + 1e-12) <= least) ticks_.clear();
        if (ticks_.empty() || ticks_.back() < most || ticks_.size() < 2) ticks_.push_back(tick);
      }
    least_ = std::log10(ticks_.front());
    most_ = std::log10(ticks_.back());
  }
  static double nice_step(double rough) {
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= rough) return factor * power;
    return 10 * power;
  }
  bool is_log_;
  double from_, to_, least_ = 0, most_ = 1;
  std::vector<double> ticks_;
};

Axis axis_of(const Figure& figure, std::size_t k, double from, double to) {
  const bool is_log = k == 0 ? figure.log_x : figure.log_y;
  double least = 1e300, most = -1e300;
  for (const Series& series : figure.series)
    for (const auto& point : series.points) {
      if (is_log && !(point[k] > 0)) continue;
      least = std::min(least, point[k]);
      most = std::max(most, point[k]);
    }
  if (least > most) least = most = 1;
  return {is_log, least, most, from, to};
}

std::string grid(const Figure& figure, const Axis& x, const Axis& y) {
  std::string text;
  for (const double tick : x.ticks())
    text += fmt::format(
        "<path class=\"g\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
        x.place(tick), kTop, kHeight - kBottom, kHeight - kBottom + 18, tick);
  for (const double tick : y.ticks())
    text += fmt::format(
        "<path class=\"g\" d=\"M{1} {0:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        y.place(tick), kLeft, kWidth - kRight, kLeft - 6, y.place(tick) + 4, tick);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (kLeft + kWidth - kRight) / 2,
                      kHeight - 10, escaped(figure.x));
  text += fmt::format("<text transform=\"rotate(-90)\" x=\"{}\" y=\"16\" text-anchor=\"middle\">{}</text>\n",
                      -(kTop + kHeight - kBottom) / 2, escaped(figure.y));
  return text;
}

std::string curve(const Figure& figure, std::size_t number, const Axis& x, const Axis& y) {
  const Series& series = figure.series[number];
  const char* colour = kColours[number % std::size(kColours)];
  std::string path, dots;
  for (const auto& point : series.points) {
    if ((figure.log_x && !(point[0] > 0)) || (figure.log_y && !(point[1] > 0))) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.place(point[0]), y.place(point[1]));
    if (series.points.size() <= 30)
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", x.place(point[0]),
                          y.place(point[1]), colour);
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>{}\n", path, colour,
                     series.is_published ? " stroke-dasharray=\"6 4\"" : "", dots);
}

std::string legend(const Figure& figure) {
  std::string text;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const double y = kHeight + 12 + kLegend * static_cast<double>(i);
    text += fmt::format("<path d=\"M{} {}h24\" stroke=\"{}\" stroke-width=\"3\"{}/><text x=\"{}\" y=\"{}\">{}</text>\n",
                        kLeft, y, kColours[i % std::size(kColours)],
                        figure.series[i].is_published ? " stroke-dasharray=\"6 4\"" : "", kLeft + 32, y + 4,
                        escaped(figure.series[i].name));
  }
  return text;
}

}  // namespace

std::string figure_svg(const Figure& figure) {
  const Axis x = axis_of(figure, 0, kLeft, kWidth - kRight), y = axis_of(figure, 1, kHeight - kBottom, kTop);
  const double height = kHeight + 12 + kLegend * static_cast<double>(figure.series.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2}\">\n",
      kWidth, height, escaped(figure.title));
  text +=
      "<style>text{font:12px "
      "system-ui,sans-serif;fill:#222}.g{stroke:#ddd;fill:none}.t{font-weight:600;font-size:14px}</style>\n";
  text += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", kWidth, height);
  text += fmt::format("<text class=\"t\" x=\"{}\" y=\"22\">{}</text>\n", kLeft, escaped(figure.title));
  text += grid(figure, x, y);
  for (std::size_t i = 0; i < figure.series.size(); ++i) text += curve(figure, i, x, y);
  return text + legend(figure) + "</svg>\n";
}

}  // namespace pliant::app
