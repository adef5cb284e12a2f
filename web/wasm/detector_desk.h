// Questions to a detector that looks at a subject, beside the answer of an exact one.
#pragma once

#include "web/wasm/subject.h"

namespace pliant::web {

class DetectorDesk {
 public:
  // `choice` is a DetectorChoice of the page. The subject must outlive the desk.
  DetectorDesk(const Subject& subject, const JsonValue& choice);

  void write_opened(Reply& reply, int id, int subject) const;
  // `question` is a Question of the page; writes a Detection.
  void detect(const JsonValue& question, Reply& reply);

 private:
  Look make_look(std::string_view method, DetectorSettings settings) const;
  std::size_t write_contacts(const Report& report, std::size_t limit, Reply& reply) const;
  void write_regions(const Report& report, std::size_t limit, Reply& reply) const;
  void write_overlay(const Report& report, Reply& reply) const;
  void write_division(Reply& reply, double time) const;
  void write_oracle(const Report& report, double time, std::size_t limit, Reply& reply);

  const Subject& subject_;
  Look look_;
  Look oracle_;  // made at the first question for it
};

}  // namespace pliant::web
