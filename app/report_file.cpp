#include "app/report_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace pliant::app {

ReportFile::ReportFile(const std::string& path) : standard_output_(path == "-") {
  if (!path.empty() && !standard_output_) file_ = std::make_unique<OutputFile>(path);
}

JsonWriter::Output ReportFile::output() {
  return [this](std::string_view text) {
    if (file_) file_->write(text);
    else if (standard_output_) write_standard_output(text);
  };
}

void ReportFile::commit() {
  if (file_) file_->commit();
}

StandardOutputError::StandardOutputError(int error)
    : std::runtime_error(std::string("the standard output cannot be written") +
                         (error != 0 ? std::string(": ") + std::strerror(error) : "")) {}

void write_standard_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw StandardOutputError(errno);
}

void finish_standard_output() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed || std::ferror(stdout) != 0) throw StandardOutputError(flushed ? 0 : errno);
}

}  // namespace pliant::app
