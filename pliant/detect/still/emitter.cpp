#include "pliant/detect/still/emitter.h"

#include <algorithm>
#include <tuple>

namespace pliant {
namespace {

constexpr std::size_t kBlock = 1 << 13;

auto order_of(const FaceHit& hit) { return std::tuple(hit.body_a, hit.face_a, hit.body_b, hit.face_b); }

// Takes contacts where they are wanted.
class Delivery {
 public:
  Delivery(Report& report, ContactSink* sink) : report_(report), sink_(sink) {}
  Flow operator()(const Contact& contact) {
    if (sink_) return sink_->contact(contact);
    report_.contacts.push_back(contact);
    return Flow::go_on;
  }

 private:
  Report& report_;
  ContactSink* sink_;
};

}  // namespace

StillEmitter::StillEmitter(const StillScene& scene, StillFindings findings, Threads threads)
    : scene_(scene), findings_(std::move(findings)), threads_(threads) {
  parallel_sort(threads_, findings_.hits.begin(), findings_.hits.end(),
                [](const FaceHit& x, const FaceHit& y) { return order_of(x) < order_of(y); });
}

std::vector<Contact> StillEmitter::block(std::size_t begin, std::size_t end) const {
  std::vector<Contact> contacts(end - begin);
  parallel_for(threads_, contacts.size(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const FaceHit& hit = findings_.hits[begin + i];
      contacts[i] = scene_.pair(hit.body_a, hit.body_b).contact(hit.face_a, hit.face_b, hit.relation, scene_.time);
    }
  });
  return contacts;
}

Flow StillEmitter::emit(Report& report, ContactSink* sink) {
  Delivery deliver(report, sink);
  const std::vector<Contact> possible = possible_contacts(findings_.unresolved, scene_.time);
  auto next_possible = possible.begin();
  if (!sink) report.contacts.reserve(findings_.hits.size() + possible.size());
  for (std::size_t begin = 0; begin < findings_.hits.size(); begin += kBlock) {
    for (const Contact& contact : block(begin, std::min(findings_.hits.size(), begin + kBlock))) {
      for (; next_possible != possible.end() && earlier(*next_possible, contact); ++next_possible)
        if (deliver(*next_possible) == Flow::stop) return Flow::stop;
      if (deliver(contact) == Flow::stop) return Flow::stop;
    }
  }
  for (; next_possible != possible.end(); ++next_possible)
    if (deliver(*next_possible) == Flow::stop) return Flow::stop;
  return Flow::go_on;
}

}  // namespace pliant
