#include <fstream>
#include <thread>

#include "app/bench.h"
#include "pliant/core/cpu.h"
#include "pliant/version.h"

namespace pliant::app {
namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

}  // namespace

void write_machine(JsonWriter& json) {
  json.new_line().key("machine").begin_object().field("processor", processor_name());
  json.field("cores", std::thread::hardware_concurrency()).field("avx2", use_avx2());
  json.field("compiler", PLIANT_COMPILER).field("flags", PLIANT_FLAGS).end_object();
  json.field("version", PLIANT_VERSION).field("commit", PLIANT_COMMIT);
}

}  // namespace pliant::app
