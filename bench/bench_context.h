// What result files say of where they come from; bench/run knows it, and passes it in the environment.
#pragma once

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

namespace pliant::bench {

using ContextValue = std::pair<const char*, std::string>;

// commit, flags, compiler, processor, and the load before the run, of COMMIT, FLAGS, ...
inline std::array<ContextValue, 5> bench_context() {
  const auto value = [](const char* variable) -> std::string {
    const char* const found = std::getenv(variable);
    return found ? found : "unknown";
  };
  return {{{"commit", value("COMMIT")},
           {"flags", value("FLAGS")},
           {"compiler", value("COMPILER")},
           {"processor", value("PROCESSOR")},
           {"load", value("LOAD")}}};
}

}  // namespace pliant::bench
