#include "pliant/response/response.h"

#include <array>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/response/penalty.h"
#include "pliant/response/pull_back.h"

namespace pliant {
namespace {

constexpr std::array<std::string_view, 3> kResponseKinds = {"proof", "penalty", "pull-back"};

}  // namespace

std::string_view to_string(ResponseKind kind) { return kResponseKinds[static_cast<std::size_t>(kind)]; }
std::span<const std::string_view> response_kinds() { return kResponseKinds; }

void require_valid(const ResponseSettings& settings) {
  const PenaltySettings& penalty = settings.penalty;
  if (!(penalty.seconds > 0) || !std::isfinite(penalty.seconds))
    throw Error("penalty springs of " + std::to_string(penalty.seconds) + " s",
                "give a positive time, a few short steps long");
  if (!(penalty.damping >= 0 && penalty.damping <= 1))
    throw Error("a damping of penalty springs of " + std::to_string(penalty.damping), "give 0 to 1 of the critical");
  if (settings.pull_back.passes < 1)
    throw Error(std::to_string(settings.pull_back.passes) + " passes of pulling back", "give 1 or more");
}

std::unique_ptr<ContactForces> Response::forces(const Step&, const FlatStep&, const FoundAtInstant&) const {
  return nullptr;
}
void Response::move_ends(const Step&, FlatStep&, std::span<const Contact>, std::vector<Impact>&) const {}
void Response::move_paths(const Step&, FlatStep&, std::span<const Contact>, std::vector<Impact>&) const {}
void Response::move_dense_ends(const DenseStep&, FlatStep&, std::span<const Contact>, std::vector<Impact>&) const {}
void Response::move_dense_paths(const DenseStep&, FlatStep&, std::span<const Contact>, std::vector<Impact>&) const {}

std::unique_ptr<Response> make_response(const ResponseSettings& settings) {
  require_valid(settings);
  if (settings.kind == ResponseKind::penalty) return std::make_unique<Penalty>(settings.penalty);
  if (settings.kind == ResponseKind::pull_back) return std::make_unique<PullBack>(settings.pull_back);
  return nullptr;
}

}  // namespace pliant
