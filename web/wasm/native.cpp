// The same session in a native program, to compare bits with, and to make what the module cannot.
//
//   pliant-session                   reads requests, one a line, and prints answers, one a line: {"answer": ..,
//   "arrays": [..]},
//                                    with the number and hash of the numbers of each array
//   pliant-session --prepare FOLDER  writes the assets that the library's scenes are made of
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "pliant/asset/asset_file.h"
#include "pliant/asset/asset_shelf.h"
#include "pliant/scene/scene_library.h"
#include "web/wasm/session.h"

namespace {

std::uint32_t hash_of(const void* bytes, std::size_t size) {  // FNV-1a
  std::uint32_t hash = 2166136261U;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 16777619U;
  return hash;
}

std::string in_short(const pliant::web::Numbers& array) {
  return std::visit(
      [](const auto& numbers) {
        const std::uint32_t hash = hash_of(numbers.data(), numbers.size() * sizeof(numbers[0]));
        return "\"" + std::to_string(numbers.size()) + ":" + std::to_string(hash) + "\"";
      },
      array);
}

void print(pliant::web::Reply& reply) {
  std::string line = "{\"answer\":" + reply.text() + ",\"arrays\":[";
  for (std::size_t i = 0; i < reply.arrays().size(); ++i) line += (i > 0 ? "," : "") + in_short(reply.arrays()[i]);
  std::puts((line + "]}").c_str());
  std::fflush(stdout);
}

void serve() {
  pliant::web::Session session;
  for (std::string request; std::getline(std::cin, request);) print(*session.call(request));
}

void prepare_assets(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const pliant::LibraryScene& entry : pliant::library_scenes()) {
    const pliant::SceneDescription scene = pliant::library_scene(entry.name);
    const auto is_prepared = [](const pliant::BodyDescription& body) { return body.coarse > 0; };
    if (!std::any_of(scene.bodies.begin(), scene.bodies.end(), is_prepared)) continue;
    pliant::build_world(scene);
    for (const auto& [name, asset] : pliant::all_prepared())
      pliant::write_asset((folder / (name + ".pliant")).string(), asset);
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count == 3 && std::string_view(words[1]) == "--prepare") prepare_assets(words[2]);
    else serve();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pliant-session: %s\n", error.what());
    return 2;
  }
}
