// Turns findings into contacts, in order, block by block, so that a sink sees millions without all being held.
#pragma once

#include "pliant/detect/still/still_detector.h"

namespace pliant {

class StillEmitter {
 public:
  StillEmitter(const StillScene& scene, StillFindings findings, Threads threads);

  // Into the sink if there is one, else into the report. Flow::stop if the sink stopped it.
  Flow emit(Report& report, ContactSink* sink);

 private:
  std::vector<Contact> block(std::size_t begin, std::size_t end) const;

  const StillScene& scene_;
  StillFindings findings_;
  Threads threads_;
};

}  // namespace pliant
