# What a program may include: PLIANT_DOORS and what these include, nothing else. Only that is installed.
#
# As a script it prints the list, one header a line:  cmake -DROOT=FOLDER -P cmake/PliantPublicHeaders.cmake
cmake_policy(VERSION 3.25)

set(PLIANT_DOORS detect.h simulate.h io.h pliant.h version.h)

# pliant_public_headers(VARIABLE ROOT): all headers that the doors of ROOT/pliant lead to, as "core/vec3.h", sorted.
function(pliant_public_headers variable root)
  set(found "")
  set(open "")
  foreach(door IN LISTS PLIANT_DOORS)
    if(EXISTS "${root}/pliant/${door}")
      list(APPEND open ${door})
    endif()
  endforeach()
  while(open)
    list(POP_FRONT open header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    file(STRINGS "${root}/pliant/${header}" lines REGEX "^ *# *include *[<\"]pliant/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*[<\"]pliant/([^>\"]+)[>\"].*" "\\1" included "${line}")
      list(APPEND open ${included})
    endforeach()
  endwhile()
  list(SORT found)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  pliant_public_headers(headers "${ROOT}")
  list(JOIN headers "\n" text)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${text}")
endif()
