// Names and sizes that the reader and the writer of asset files share. Internal to asset/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pliant::asset_layout {

// A high byte and a line feed: a file that went through a text filter is no longer one.
inline constexpr std::string_view kMagic = "\x89PLIANT\n";
inline constexpr std::size_t kHeaderSize = 16;  // magic, version, number of sections
inline constexpr std::size_t kNameSize = 16;
inline constexpr std::size_t kEntrySize = 40;  // name, offset, size, checksum, flags
inline constexpr std::size_t kAlignment = 8;
inline constexpr std::uint32_t kMostSections = 4096;
inline constexpr std::uint32_t kNeededFlag = 1;

inline constexpr std::string_view kDense = "dense";
inline constexpr std::string_view kCoarse = "coarse";
inline constexpr std::string_view kTets = "tets";
inline constexpr std::string_view kLinks = "rigid-links";
inline constexpr std::string_view kEmbedding = "embedding";
inline constexpr std::string_view kReport = "report";
inline constexpr std::array kOwnSections = {kDense, kCoarse, kTets, kLinks, kEmbedding, kReport};

inline constexpr std::uint32_t kFileVerticesFlag = 1;  // of a surface: vertex numbers of its file follow

inline constexpr bool is_own_section(std::string_view name) {
  for (const std::string_view own : kOwnSections)
    if (own == name) return true;
  return false;
}

inline constexpr bool is_section_name(std::string_view name) {
  if (name.empty() || name.size() > kNameSize) return false;
  for (const char c : name)
    if (c <= ' ' || c > '~') return false;
  return true;
}

inline constexpr std::size_t aligned(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace pliant::asset_layout
