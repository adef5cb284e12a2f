// The target of `pliant check --html`: the report as a page.
#pragma once

#include <memory>

#include "app/check_options.h"
#include "pliant/io/check_page.h"

namespace pliant::app {

class HtmlReport {
 public:
  HtmlReport(const CheckOptions& options, const FrameClock& clock);
  CheckSink& sink() { return sink_; }
  // Says where it is, unless it is to be quiet.
  void write(const CheckReport& report, const CheckSeconds& seconds, bool quiet);

 private:
  std::string path_;
  PageTemplate page_;
  CheckPage sink_;
};

// Null if none is asked for. Throws Error if there is no page to put it into.
std::unique_ptr<HtmlReport> open_html_report(const CheckOptions& options, const FrameClock& clock);

}  // namespace pliant::app
