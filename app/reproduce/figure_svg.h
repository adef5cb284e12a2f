// Figures as pictures that any browser shows, dark or light.
#pragma once

#include <string>

#include "app/reproduce/study.h"

namespace pliant::app {

std::string figure_svg(const Figure& figure);

}  // namespace pliant::app
