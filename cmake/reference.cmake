# Builds the files named reference.json below src/ into the binary, as the list that api/reference.h declares. CMake runs
# again when a file comes, goes or changes.
file(GLOB_RECURSE reference_files CONFIGURE_DEPENDS src/*/reference.json)
list(SORT reference_files)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reference_files})

set(reference_code "// Made by cmake/reference.cmake.\n#include \"api/reference.h\"\n\nnamespace guildhall::api {\nnamespace {\n\nconstexpr std::string_view all[] = {\n")
foreach(file IN LISTS reference_files)
  file(READ ${file} text)
  string(APPEND reference_code "    R\"reference(${text})reference\",\n")
endforeach()
string(APPEND reference_code "};\n\n}  // namespace\n\nstd::span<const std::string_view> reference_files() {\n  return all;\n}\n\n}  // namespace guildhall::api\n")

set(reference_cpp ${CMAKE_BINARY_DIR}/generated/reference_files.cpp)
set(reference_old "")
if(EXISTS ${reference_cpp})
  file(READ ${reference_cpp} reference_old)
endif()
if(NOT reference_old STREQUAL reference_code)
  file(WRITE ${reference_cpp} "${reference_code}")
endif()
target_sources(guildhall_api PRIVATE ${reference_cpp})
