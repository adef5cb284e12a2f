// Files: surface and tetrahedral meshes, motions, contacts, reports of checks. docs/files.md lists the formats.
//
// Readers throw pliant::Error, naming file, line or byte and remedy. Files appear complete or not at all.
#pragma once

#include "pliant/core/error.h"
#include "pliant/io/check_json.h"
#include "pliant/io/check_page.h"
#include "pliant/io/contact_files.h"
#include "pliant/io/contact_json.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/region_files.h"
#include "pliant/io/tet_file.h"
#include "pliant/version.h"
