# Writes several test sources into one, so that what they include is read and instantiated once for all of them.
# Names in anonymous namespaces may clash: each file gets a namespace of its own within.
#   cmake -DOUTPUT=FILE -DSOURCES=FILE,FILE... -P batch_tests.cmake
string(REPLACE "," ";" sources "${SOURCES}")
set(text "")
foreach(source IN LISTS sources)
  get_filename_component(name "${source}" NAME_WE)
  file(READ "${source}" content)
  string(REPLACE "\nnamespace {\n" "\nnamespace { namespace ${name} {\n" content "${content}")
  string(REPLACE "\n}  // namespace\n" "\n}} using namespace ${name};  // namespace\n" content "${content}")
  string(APPEND text "#line 1 \"${source}\"\n${content}\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
