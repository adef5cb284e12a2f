// What there is: scenes, methods, materials, as `Catalogue` of the page.
#pragma once

#include "web/wasm/reply.h"

namespace pliant::web {

void write_catalogue(Reply& reply);

}  // namespace pliant::web
