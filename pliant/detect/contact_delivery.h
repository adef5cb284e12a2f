// Contacts made of hits, in order and block by block, for a sink or a report, as long as the budget lasts.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <type_traits>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/detect/ordered_hits.h"
#include "pliant/detect/report.h"
#include "pliant/detect/sink.h"

namespace pliant {

// Making a contact is no operation: whoever limits operations gets the contacts of all that was found, no more than one
// for each. Deadline, cancel flag and memory limit hold here as in the search; but the first kAtLeast contacts are
// always delivered, in a millisecond or so, so that an answer that came in the last moment is heard.
class ContactDelivery {
 public:
  static constexpr std::size_t kAtLeast = 512;

  ContactDelivery(Report& report, ContactSink* sink, BudgetState& state, Threads threads)
      : report_(report), sink_(sink), state_(state), threads_(threads) {}

  // `others` are contacts in order that are there already; they are delivered where they belong. make(hit) gives a
  // contact, or make(hits, contacts) several at once, on any thread; noted(hit) is told of each that was delivered.
  // Stops when the sink says so or the budget is spent; what is left stays in `hits`, and what is left of the others is
  // in rest().
  template <class Hits, class Make, class Noted>
  void deliver(Hits& hits, std::vector<Contact> others, const Make& make, const Noted& noted) {
    others_ = std::move(others);
    next_other_ = 0;
    if (!sink_) reserve(hits.size() + others_.size());
    while (!hits.empty() && !stopped_ && may_deliver_more(hits.size())) deliver_block(hits, make, noted);
    if (hits.empty() && !stopped_) deliver_others(nullptr);
  }

  // Puts contacts at the end that come after all others, budget or not.
  void finish(std::vector<Contact> contacts) {
    contacts.insert(contacts.end(), others_.begin() + static_cast<std::ptrdiff_t>(next_other_), others_.end());
    next_other_ = others_.size();
    std::sort(contacts.begin(), contacts.end(), earlier);
    for (const Contact& contact : contacts)
      if (!give(contact)) return;
  }

  bool stopped_by_sink() const { return stopped_; }
  std::size_t delivered() const { return delivered_; }  // of the hits

 private:
  static constexpr std::size_t kBlock = 256;

  bool may_deliver_more(std::size_t left) {
    if (delivered_ < kAtLeast) return true;
    if (state_.is_late()) return false;
    return sink_ || state_.may_hold((report_.contacts.size() + std::min(left, kBlock)) * sizeof(Contact));
  }

  void reserve(std::size_t count) {
    if (const auto limit = state_.budget().memory_limit())
      count = std::min<std::size_t>(count, kAtLeast + *limit / sizeof(Contact));
    std::vector<Contact>& contacts = report_.contacts;
    if (contacts.size() + count > contacts.capacity())
      contacts.reserve(std::max(contacts.size() + count, 2 * contacts.capacity()));
  }

  template <class Hits, class Make, class Noted>
  void deliver_block(Hits& hits, const Make& make, const Noted& noted) {
    const std::size_t count = std::min(hits.size(), kBlock);
    using Hit = std::decay_t<decltype(hits.next())>;
    std::vector<Hit> block;
    for (std::size_t i = 0; i < count; ++i) block.push_back(hits.next());
    std::vector<Contact> contacts(count);
    parallel_for(threads_, count, kBlock / 2, [&](std::size_t begin, std::size_t end) {
      if constexpr (std::is_invocable_v<const Make&, std::span<const Hit>, std::span<Contact>>)
        make(std::span<const Hit>(block).subspan(begin, end - begin), std::span(contacts).subspan(begin, end - begin));
      else
        for (std::size_t i = begin; i < end; ++i) contacts[i] = make(block[i]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (!deliver_others(&contacts[i]) || !give(contacts[i])) return;
      noted(block[i]);
      ++delivered_;
    }
  }

  // Those before a contact, or all. False if the sink stopped it.
  bool deliver_others(const Contact* before) {
    while (next_other_ < others_.size() && (!before || earlier(others_[next_other_], *before)))
      if (!give(others_[next_other_++])) return false;
    return true;
  }

  bool give(const Contact& contact) {
    if (!sink_) {
      report_.contacts.push_back(contact);
      return true;
    }
    stopped_ = sink_->contact(contact) == Flow::stop;
    return !stopped_;
  }

  Report& report_;
  ContactSink* sink_;
  BudgetState& state_;
  Threads threads_;
  std::vector<Contact> others_;
  std::size_t next_other_ = 0;
  std::size_t delivered_ = 0;
  bool stopped_ = false;
};

}  // namespace pliant
