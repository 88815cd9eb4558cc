# Builds migrations/*.sql into the binary, as the table that storage/migrations.h declares. CMake runs again when a
# file comes, goes or changes.
file(GLOB migration_files CONFIGURE_DEPENDS migrations/*.sql)
list(SORT migration_files)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${migration_files})

set(migrations_code "// Made by cmake/migrations.cmake.\n#include \"storage/migrations.h\"\n\nnamespace guildhall {\nnamespace {\n\nconstexpr Migration all[] = {\n")
foreach(file IN LISTS migration_files)
  get_filename_component(name ${file} NAME_WE)
  if(NOT name MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "${file} is not named like 0001_foundation.sql")
  endif()
  math(EXPR number "${CMAKE_MATCH_1}")  # drops the zeros, which would make it octal
  file(READ ${file} sql)
  string(APPEND migrations_code "    {${number}, \"${name}\", R\"migration(${sql})migration\"},\n")
endforeach()
string(APPEND migrations_code "};\n\n}  // namespace\n\nstd::span<const Migration> migrations() {\n  return all;\n}\n\n}  // namespace guildhall\n")

set(migrations_cpp ${CMAKE_BINARY_DIR}/generated/migrations_table.cpp)
set(migrations_old "")
if(EXISTS ${migrations_cpp})
  file(READ ${migrations_cpp} migrations_old)
endif()
if(NOT migrations_old STREQUAL migrations_code)
  file(WRITE ${migrations_cpp} "${migrations_code}")
endif()
target_sources(guildhall_storage PRIVATE ${migrations_cpp})
