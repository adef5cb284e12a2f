// What is open, and the calls that a page makes: JSON in, JSON and arrays out.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "web/wasm/detector_desk.h"
#include "web/wasm/still_subjects.h"
#include "web/wasm/world_subject.h"

namespace pliant::web {

class Session {
 public:
  // `request` is {"call": name, ...}. What is refused is an answer too: {"error": .., "place": ..}; nothing is thrown,
  // and what is open stays as it was.
  std::unique_ptr<Reply> call(const std::string& request);

 private:
  void answer(const JsonValue& request, Reply& reply);
  bool open(const std::string& name, const JsonValue& request, Reply& reply);
  Subject& subject(const JsonValue& request);
  WorldSubject& world(const JsonValue& request);
  DetectorDesk& desk(const JsonValue& request);
  void close(int id);
  template <class Opened>
  void keep(std::unique_ptr<Opened> opened, Reply& reply);

  struct OpenDesk {
    int subject = 0;
    std::unique_ptr<DetectorDesk> desk;
  };
  int next_ = 1;
  std::map<int, std::unique_ptr<Subject>> subjects_;
  std::map<int, OpenDesk> desks_;
};

}  // namespace pliant::web
