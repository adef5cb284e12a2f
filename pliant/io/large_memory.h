// Fewer page faults for large arrays that are filled once: where each small page is cleared and mapped by a trap of its
// own, that takes longer than reading a binary file.
#pragma once

#include <cstddef>
#include <vector>

namespace pliant {

// A hint to back memory that was just allocated, and not yet written, with large pages. Does nothing for small arrays
// and on systems without such a hint.
void prefer_large_pages(void* memory, std::size_t bytes);

// Reserves room in a vector, with that hint.
template <class T>
void reserve_large(std::vector<T>& vector, std::size_t count) {
  if (count <= vector.capacity()) return;
  vector.reserve(count);
  prefer_large_pages(vector.data() + vector.size(), (vector.capacity() - vector.size()) * sizeof(T));
}

}  // namespace pliant
