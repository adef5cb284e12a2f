// Figures as pictures that any browser shows, dark or light.
#pragma once

#include <string>

#include "app/reproduce/study.h"

namespace pliant::app {

std::string figure_svg(const Figure& figure);

// A page of nothing but a heading and figures. The file appears complete or not at all.
void write_svg_page(const std::string& path, const std::string& title, const std::vector<Figure>& figures);

}  // namespace pliant::app
