// The same calls in a native program, to compare bits with: reads requests, one a line; prints answers, one a line,
// with the hash of each array in its place ({"$array": n} is the n-th of the list "arrays").
#include <cstdio>
#include <iostream>

#include "pliant/io/decimal.h"
#include "web/wasm/session.h"

namespace {

std::uint32_t hash_of(const void* bytes, std::size_t size) {  // FNV-1a
  std::uint32_t hash = 2166136261U;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 16777619U;
  return hash;
}

void print(pliant::web::Reply& reply) {
  std::string line = "{\"answer\":" + reply.text() + ",\"arrays\":[";
  for (const pliant::web::Numbers& array : reply.arrays()) {
    if (line.back() != '[') line += ',';
    std::visit(
        [&](const auto& numbers) {
          line += "\"" + std::to_string(numbers.size()) + ":" +
                  std::to_string(hash_of(numbers.data(), numbers.size() * sizeof(numbers[0]))) + "\"";
        },
        array);
  }
  std::puts((line + "]}").c_str());
  std::fflush(stdout);
}

}  // namespace

int main() {
  pliant::web::Session session;
  for (std::string request; std::getline(std::cin, request);) print(*session.call(request));
}
