#include "pliant/check/check_report.h"

namespace pliant {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::collides:
      return "collides";
    case Verdict::not_known:
      break;
  }
  return "not known";
}

const char* to_string(StopReason reason) {
  constexpr const char* kNames[] = {"none", "deadline", "operations", "cancelled", "memory", "sink"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::optional<double> CheckReport::first_time() const {
  const std::optional<NamedContact>& counted = allow_initial ? first_new : first;
  return counted ? std::optional(counted->checked.contact.time) : std::nullopt;
}

Verdict judge(const CheckReport& report) {
  if (report.counting() > 0) return Verdict::collides;
  const bool proved = report.complete && report.possible == 0 && report.guarantee >= Guarantee::conservative;
  return proved ? Verdict::clean : Verdict::not_known;
}

}  // namespace pliant
