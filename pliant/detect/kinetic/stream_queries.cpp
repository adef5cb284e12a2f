#include "pliant/detect/kinetic/stream_queries.h"

#include <algorithm>

namespace pliant::kinetic {

const StreamQuery& StreamQueries::add(StreamQuery query) {
  query.number = ++made_;
  queries_.push_back(std::make_unique<StreamQuery>(std::move(query)));
  return *queries_.back();
}

void StreamQueries::drop_unused(std::vector<const StreamQuery*> needed, std::span<const BodyId> bodies) {
  for (const BodyId id : bodies) {
    const auto is_new = [id](const std::unique_ptr<StreamQuery>& query) {
      for (std::size_t i = 0; i < query->changed.size(); ++i)
        if (query->swept.bodies[i].id == id) return query->changed[i] != 0;
      return false;
    };
    const auto last = std::find_if(queries_.rbegin(), queries_.rend(), is_new);
    if (last != queries_.rend()) needed.push_back(last->get());
  }
  std::sort(needed.begin(), needed.end());
  const auto unused = [&](const std::unique_ptr<StreamQuery>& query) {
    return query != queries_.back() && !std::binary_search(needed.begin(), needed.end(), query.get());
  };
  queries_.erase(std::remove_if(queries_.begin(), queries_.end() - 1, unused), queries_.end() - 1);
}

}  // namespace pliant::kinetic
