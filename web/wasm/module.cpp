// The border of the module: one call with a request, and what it answers to be read by the page before the next.
#include <emscripten/emscripten.h>

#include <memory>

#include "web/wasm/session.h"

namespace {

pliant::web::Session& session() {
  static pliant::web::Session the_session;
  return the_session;
}
std::unique_ptr<pliant::web::Reply> last;

}  // namespace

extern "C" {

// The answer as text; valid, with its arrays, until the next call.
EMSCRIPTEN_KEEPALIVE const char* pliant_call(const char* request) {
  last.reset();
  last = session().call(request);
  return last->text().c_str();
}

// What kind of numbers array `i` of the answer holds (reply.h), how many, and where.
EMSCRIPTEN_KEEPALIVE std::size_t pliant_array_type(std::size_t i) { return last->arrays()[i].index(); }
EMSCRIPTEN_KEEPALIVE std::size_t pliant_array_count(std::size_t i) {
  return std::visit([](const auto& numbers) { return numbers.size(); }, last->arrays()[i]);
}
EMSCRIPTEN_KEEPALIVE const void* pliant_array_at(std::size_t i) {
  return std::visit([](const auto& numbers) { return static_cast<const void*>(numbers.data()); }, last->arrays()[i]);
}

}  // extern "C"
