#include "pliant/asset/asset_file.h"
#include "tests/fuzz/fuzz_mesh.h"

// Either an Error, or an asset that is sound and reads back the same after it is written. Checksums are not looked at:
// the fuzzer would never get past them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  try {
    const Asset asset =
        parse_asset({reinterpret_cast<const char*>(data), size}, "fuzz", {.checksums = false, .known = {}});
    require(asset.dense->face_count() > 0 && asset.coarse->face_count() > 0 && asset.tets->tet_count() > 0);
    require(asset.tets->flat_count() == 0 && asset.tets->flipped_count() == 0);
    const std::string bytes = format_asset(asset);
    require(format_asset(parse_asset(bytes, "back")) == bytes);
  } catch (const Error&) {
  }
  return 0;
}
