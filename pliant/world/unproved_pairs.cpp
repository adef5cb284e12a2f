#include "pliant/world/unproved_pairs.h"

#include "pliant/core/error.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/registry.h"
#include "pliant/response/pair_response.h"
#include "pliant/response/step.h"
#include "pliant/world/step_search.h"

namespace pliant {
namespace {

class RuleFilter : public ContactFilter {
 public:
  RuleFilter(PairTable pairs, std::uint8_t rule, const ContactFilter* inner)
      : pairs_(std::move(pairs)), rule_(rule), inner_(inner) {}
  bool bodies(BodyId a, BodyId b) const override { return pairs_(a, b) == rule_; }
  bool features(const Feature& a, const Feature& b) const override { return !inner_ || inner_->features(a, b); }
  bool filters_features() const override { return inner_ && inner_->filters_features(); }

 private:
  PairTable pairs_;
  std::uint8_t rule_;
  const ContactFilter* inner_;
};

std::unique_ptr<Detector> still_detector(const PairRule& rule, const UnprovedSettings& settings,
                                         std::span<const MeshPtr> meshes) {
  DetectorSettings own;
  own.threads = settings.threads;
  if (const auto chosen = settings.method_settings.find(rule.method); chosen != settings.method_settings.end())
    own.method = chosen->second;
  auto detector = make_detector(rule.method, own);
  for (const MeshPtr& mesh : meshes) detector->add_body(mesh);
  return detector;
}

}  // namespace

void require_fits(const PairRule& rule) {
  require_valid(rule.response);
  if (rule.response.kind == ResponseKind::proof) return require_continuous_method(rule.method);
  if (rule.method == "auto" || !method_info(rule.method).still)
    throw Error("the response " + std::string(to_string(rule.response.kind)) + " looks at instants, the method " +
                    rule.method + " at motion only",
                "choose a method that answers at instants: bvh");
}

// One rule: its detector on the pairs that the table gives it.
class UnprovedPairs::Search {
 public:
  Search(std::uint8_t number, const PairRule& rule, const UnprovedSettings& settings, std::span<const MeshPtr> meshes)
      : number_(number),
        response_(make_response(rule.response)),
        detector_(still_detector(rule, settings, meshes)),
        filter_(settings.filter) {}

  const Response& response() const { return *response_; }

  void set_pairs(const PairTable& pairs) {
    if (pairs == pairs_) return;
    pairs_ = pairs;
    detector_->set_filter(std::make_shared<const RuleFilter>(pairs, number_, filter_.get()));
  }

  Report find(const Step& step, const FlatStep& flat, const std::vector<Vec3>& x, const Budget& budget) {
    for (const StepBody& body : step.bodies)
      detector_->set_positions(body.id, std::span(x).subspan(flat.first[body.id.index()], body.x_t1.size()));
    return detector_->detect({0, 0}, budget);
  }

 private:
  std::uint8_t number_;
  std::unique_ptr<Response> response_;
  std::unique_ptr<Detector> detector_;
  std::shared_ptr<const ContactFilter> filter_;
  PairTable pairs_;
};

UnprovedPairs::UnprovedPairs(std::span<const PairRule> rules, const UnprovedSettings& settings,
                             std::span<const MeshPtr> meshes) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].response.kind != ResponseKind::proof)
      searches_.push_back(std::make_unique<Search>(static_cast<std::uint8_t>(i), rules[i], settings, meshes));
}
UnprovedPairs::~UnprovedPairs() = default;

void UnprovedPairs::set_pairs(const PairTable& pairs) {
  for (const auto& search : searches_) search->set_pairs(pairs);
}

bool UnprovedPairs::add_forces(const Step& step, const FlatStep& flat, std::span<Vec3> forces,
                               std::vector<Impact>& impacts, const Budget& budget) {
  for (const auto& search : searches_) {
    if (!search->response().adds_forces()) continue;
    const Report found = search->find(step, flat, flat.x_t0, budget);
    if (!found.complete) return false;
    search->response().add_forces(step, flat, found.contacts, forces, impacts);
  }
  return true;
}

bool UnprovedPairs::move_ends(const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget) {
  for (const auto& search : searches_) {
    if (!search->response().moves_ends()) continue;
    const Report found = search->find(step, flat, flat.x_t1, budget);
    if (!found.complete) return false;
    search->response().move_ends(step, flat, found.contacts, impacts);
  }
  return true;
}

}  // namespace pliant
