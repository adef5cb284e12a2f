# Install, export and version files: find_package(pliant) gives pliant::pliant, and pkg-config knows pliant.
include(CMakePackageConfigHelpers)

install(TARGETS pliant EXPORT pliant-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)

# Only what programs may include. Asked for at install time: what a header includes is no business of configuring.
install(CODE "
  include(\"${PROJECT_SOURCE_DIR}/cmake/PliantPublicHeaders.cmake\")
  pliant_public_headers(headers \"${PROJECT_SOURCE_DIR}\")
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/pliant/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/pliant/\${folder}\")
  endforeach()")

# Private libraries are named by their CMake targets, which the user's machine resolves: no path of this one is kept.
get_target_property(PLIANT_LIBRARY_TYPE pliant TYPE)
set(PLIANT_NEEDS_PRIVATE OFF)
if(PLIANT_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  set(PLIANT_NEEDS_PRIVATE ON)
endif()
set(PLIANT_NEEDS_TBB OFF)
if(PLIANT_PARALLEL STREQUAL "tbb")
  set(PLIANT_NEEDS_TBB ON)
endif()
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/pliant-config.cmake.in" "${PROJECT_BINARY_DIR}/pliant-config.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/pliant-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/pliant-config.cmake" "${PROJECT_BINARY_DIR}/pliant-config-version.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)

# pkg-config. A static library needs what it uses on the same line; a shared one knows by itself.
set(PLIANT_PC_LIBRARIES "")
if(PLIANT_MESHOPTIMIZER)
  string(APPEND PLIANT_PC_LIBRARIES "-lmeshoptimizer")
endif()
if(PLIANT_NEEDS_TBB)
  string(APPEND PLIANT_PC_LIBRARIES " -ltbb")
endif()
if(PLIANT_QHULL)
  string(APPEND PLIANT_PC_LIBRARIES " -lqhull_r")
endif()
if(PLIANT_ZLIB)
  string(APPEND PLIANT_PC_LIBRARIES " -lz")
endif()
if(NOT PLIANT_NEEDS_PRIVATE)
  set(PLIANT_PC_LIBRARIES "")
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE PLIANT_PC_LIBDIR)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
           OUTPUT_VARIABLE PLIANT_PC_PREFIX)
configure_file("${PROJECT_SOURCE_DIR}/cmake/pliant.pc.in" "${PROJECT_BINARY_DIR}/pliant.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/pliant.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The page of `pliant view`, if `make web` has built it by then.
install(FILES "${PROJECT_SOURCE_DIR}/web/dist/view.html" DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant OPTIONAL)

if(PLIANT_COMMAND)
  install(TARGETS pliant-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Manual page and shell completions, which the command writes itself.
  set(PLIANT_WRITTEN "${PROJECT_BINARY_DIR}/written")
  install(CODE "
    file(MAKE_DIRECTORY \"${PLIANT_WRITTEN}\")
    foreach(words IN ITEMS \"pliant.1 man\" \"pliant completion bash\" \"_pliant completion zsh\" \"pliant.fish completion fish\")
      separate_arguments(words)
      list(POP_FRONT words file)
      execute_process(COMMAND \"$<TARGET_FILE:pliant-command>\" \${words} OUTPUT_FILE \"${PLIANT_WRITTEN}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
  install(FILES "${PLIANT_WRITTEN}/pliant.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES "${PLIANT_WRITTEN}/pliant" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES "${PLIANT_WRITTEN}/_pliant" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES "${PLIANT_WRITTEN}/pliant.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  if(TARGET pliant-netgen)
    install(TARGETS pliant-netgen RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/pliant)
  endif()
endif()
