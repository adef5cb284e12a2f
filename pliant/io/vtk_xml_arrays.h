// The arrays of numbers in VTK's XML files. Internal to io/.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/io/text_scanner.h"

namespace pliant {

// How the whole file writes its arrays.
struct VtkXmlEncoding {
  std::endian order = std::endian::little;
  bool long_headers = false;  // 64-bit sizes before binary data
  bool is_compressed = false;
};

// Where one array stands, as its tag says.
struct VtkXmlArray {
  std::string_view type, format;
  std::string_view text;     // between its tags
  std::uint64_t offset = 0;  // into the appended data
  std::size_t place = 0;     // in the file, for errors
};

// Decodes arrays. The numbers of all arrays together, as they lie in memory, are bounded by the size of the file: text
// and base64 shrink; what is compressed may grow kMostGrowth-fold, which real meshes stay far below (deflate itself can
// grow a thousandfold), and no array gives more numbers than its piece has a use for.
class VtkXmlArrays {
 public:
  static constexpr const char* kDamaged = "the file is truncated or damaged: export it again";

  // All three must outlive the object.
  VtkXmlArrays(const VtkXmlEncoding& encoding, const TextScanner& scan, std::size_t file_size)
      : encoding_(encoding), scan_(scan), file_size_(file_size) {}

  void set_appended(std::string_view data, bool is_base64) {
    appended_ = data;
    appended_is_base64_ = is_base64;
  }

  // Files of a few kB may be all zeros, and small whatever they grow to.
  static constexpr std::uint64_t kMostGrowth = 64, kAlwaysAllowed = std::uint64_t{64} << 20;

  // All numbers of an array. Throws Error, before memory is taken, if there are more than `most` of them and they are
  // compressed.
  std::vector<double> read_reals(const VtkXmlArray& array, std::uint64_t most) { return read<double>(array, most); }
  // Those that are not integers become -1.
  std::vector<std::int64_t> read_integers(const VtkXmlArray& array, std::uint64_t most) {
    return read<std::int64_t>(array, most);
  }

  [[noreturn]] void fail(const VtkXmlArray& array, const std::string& problem, const std::string& remedy = kDamaged,
                         const std::string& element = {}) const {
    scan_.fail_at(array.place, problem, remedy, element);
  }

 private:
  template <class T>
  std::vector<T> read(const VtkXmlArray& array, std::uint64_t most);
  template <class T>
  std::vector<T> read_text(const VtkXmlArray& array) const;
  template <class T, class Stored>
  std::vector<T> convert(std::string_view bytes) const;

  std::string read_bytes(const VtkXmlArray& array, std::uint64_t most);
  std::string_view whole_groups(const VtkXmlArray& array, std::string_view encoded) const;
  std::string unpack(const VtkXmlArray& array, std::string_view bytes, std::uint64_t most) const;
  std::string unpack_blocks(const VtkXmlArray& array, std::string_view bytes, std::uint64_t most) const;
  void require_size(const VtkXmlArray& array, std::uint64_t bytes, std::uint64_t most) const;
  std::size_t header_size() const { return encoding_.long_headers ? 8 : 4; }
  std::uint64_t header_word(std::string_view bytes, std::uint64_t index) const;

  const VtkXmlEncoding& encoding_;
  const TextScanner& scan_;
  std::size_t file_size_;
  std::string_view appended_;
  bool appended_is_base64_ = false;
  std::uint64_t decoded_ = 0;  // bytes of numbers so far
};

}  // namespace pliant
