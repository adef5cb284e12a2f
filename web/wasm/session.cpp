#include "web/wasm/session.h"

#include <new>

#include "pliant/asset/asset_file.h"
#include "pliant/asset/asset_shelf.h"
#include "pliant/core/error.h"
#include "web/wasm/catalogue.h"

namespace pliant::web {
namespace {

std::string place_of(const Error& error) {
  const ErrorPlace& place = error.place();
  std::string text = place.file;
  if (place.line) text += ":" + std::to_string(*place.line);
  if (!place.element.empty()) text += (text.empty() ? "" : ": ") + place.element;
  return text;
}

// `needs`: the name of an asset; with it (addPrepared) the same call would do.
std::unique_ptr<Reply> refusal(const std::string& problem, const std::string& place = {},
                               const std::string& needs = {}) {
  auto reply = std::make_unique<Reply>();
  reply->json().begin_object().field("error", problem).field("place", place).field("needs", needs).end_object();
  return reply;
}

std::string in_words(const Error& error) {
  return error.remedy().empty() ? error.problem() : error.problem() + ": " + error.remedy();
}

void add_prepared(const JsonValue& file) {
  const std::string& name = file.at("name").text();
  put_prepared(name, parse_asset(bytes_of(file), name));
}

void write_positions(const Subject& subject, double time, Reply& reply) {
  reply.json().begin_array();
  for (std::size_t b = 0; b < subject.body_count(); ++b) reply.array(as_floats(subject.positions(b, time)));
  reply.json().end_array();
}

}  // namespace

template <class Opened>
void Session::keep(std::unique_ptr<Opened> opened, Reply& reply) {
  const int id = next_++;
  opened->write_opened(reply, id);
  subjects_[id] = std::move(opened);
}

Subject& Session::subject(const JsonValue& request) {
  const auto found = subjects_.find(request.at("id").get<int>());
  if (found == subjects_.end()) throw Error("nothing of this number is open");
  return *found->second;
}

WorldSubject& Session::world(const JsonValue& request) {
  auto* world = dynamic_cast<WorldSubject*>(&subject(request));
  if (!world) throw Error("only worlds can be stepped");
  return *world;
}

DetectorDesk& Session::desk(const JsonValue& request) {
  const auto found = desks_.find(request.at("id").get<int>());
  if (found == desks_.end()) throw Error("no detector of this number is open");
  return *found->second.desk;
}

void Session::close(int id) {
  if (desks_.erase(id) > 0) return;
  std::erase_if(desks_, [id](const auto& open) { return open.second.subject == id; });
  if (subjects_.erase(id) == 0) throw Error("nothing of this number is open");
}

bool Session::open(const std::string& name, const JsonValue& request, Reply& reply) {
  if (name == "openWorld") keep(std::make_unique<WorldSubject>(chosen_scene(request.at("choice"))), reply);
  else if (name == "openMotion") keep(std::make_unique<MotionSubject>(request.at("choice")), reply);
  else if (name == "openMeshes") keep(std::make_unique<MeshSubject>(request.at("files")), reply);
  else if (name == "openDetector") {
    auto desk = std::make_unique<DetectorDesk>(subject(request), request.at("choice"));
    const int id = next_++, of = request.at("id").get<int>();
    desk->write_opened(reply, id, of);
    desks_[id] = {of, std::move(desk)};
  } else return false;
  return true;
}

void Session::answer(const JsonValue& request, Reply& reply) {
  const std::string& name = request.at("call").text();
  if (open(name, request, reply)) return;
  if (name == "catalogue") write_catalogue(reply);
  else if (name == "step") world(request).step(request.at("options"), reply);
  else if (name == "stateHash") reply.json().value(world(request).state_hash());
  else if (name == "positions") write_positions(subject(request), request.value("time", 0.0), reply);
  else if (name == "detect") desk(request).detect(request.at("question"), reply);
  else {
    if (name == "drag") world(request).drag(request.at("pull"));
    else if (name == "addPrepared") add_prepared(request.at("files").at(0));
    else if (name == "close") close(request.at("id").get<int>());
    else if (name == "move") {
      auto* meshes = dynamic_cast<MeshSubject*>(&subject(request));
      if (!meshes) throw Error("only meshes can be moved");
      meshes->move(body_of(*meshes, request), vector_of(request.at("by")));
    } else throw Error("there is no call '" + name + "'");
    reply.json().null();
  }
}

std::unique_ptr<Reply> Session::call(const std::string& request) {
  try {
    auto reply = std::make_unique<Reply>();
    take_missed_prepared();
    answer(JsonValue::parse(request), *reply);
    return reply;
  } catch (const Error& error) {
    return refusal(in_words(error), place_of(error), take_missed_prepared());
  } catch (const JsonError& error) {
    return refusal(std::string("the request is not understood: ") + error.what());
  } catch (const std::bad_alloc&) {
    return refusal("there is not enough memory for this: choose fewer triangles");
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

}  // namespace pliant::web
