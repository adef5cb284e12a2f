# Into an empty folder: what an earlier build put there must not help.  cmake -DBUILD=FOLDER -DPREFIX=FOLDER -P install.cmake
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
