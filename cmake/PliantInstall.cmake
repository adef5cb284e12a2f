# Install, export and version files: find_package(pliant) gives pliant::pliant.
include(CMakePackageConfigHelpers)

install(TARGETS pliant EXPORT pliant-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/pliant/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pliant
        FILES_MATCHING PATTERN "*.h")
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)

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
if(PLIANT_COMMAND)
  install(TARGETS pliant-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET pliant-netgen)
    install(TARGETS pliant-netgen RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/pliant)
  endif()
endif()
