// What is written of studies: a table, JSON, a page, and the page of the docs.
#pragma once

#include <string>
#include <vector>

#include "app/report_file.h"
#include "app/reproduce/study.h"

namespace pliant::app {

void print_studies(const std::vector<Study>& studies);
// pliant.reproduce/1
void write_json(JsonWriter& json, const std::vector<Study>& studies, bool quick);
// One HTML file with its figures in it.
std::string studies_html(const std::vector<Study>& studies, bool quick);
// FOLDER/reproduction.md, and FOLDER/plots/*.svg beside it.
void write_docs(const std::string& folder, const std::vector<Study>& studies, bool quick);

}  // namespace pliant::app
