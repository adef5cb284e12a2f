// How measured times lie.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/io/json_writer.h"

namespace pliant::app {

struct Spread {
  double mean = 0;
  double median = 0;
  double p99 = 0;
  double max = 0;
};

inline Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += v;
  // The least of the values that so large a fraction of them does not exceed.
  const auto at = [&](double fraction) {
    const auto count = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(count, 1) - 1];
  };
  return {sum / static_cast<double>(values.size()), at(0.5), at(0.99), values.back()};
}

inline void write_json(JsonWriter& json, std::string_view name, const Spread& spread) {
  json.key(name).begin_object().field("mean", spread.mean).field("median", spread.median);
  json.field("p99", spread.p99).field("max", spread.max).end_object();
}

}  // namespace pliant::app
