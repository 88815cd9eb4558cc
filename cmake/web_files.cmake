# Builds the files of web/console/dist, web/docs/dist and web/sandbox/dist into the binary, as the tables that
# features/console/embedded_files.h declares. The bytes come in through the assembler's .incbin, which is far faster than
# compiling arrays. CMake runs again when a file comes, goes or changes. Without built applications (script/build makes
# them) the tables are empty.
enable_language(ASM)

set(web_asm "")
set(web_declarations "")
set(web_tables "")
set(web_number 0)
set(web_paths "")

function(add_web_bytes symbol path)
  if(EXISTS ${path})
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    set(web_paths "${web_paths};${path}" PARENT_SCOPE)
    set(web_asm "${web_asm}.globl ${symbol}\n.globl ${symbol}_end\n${symbol}:\n.incbin \"${path}\"\n${symbol}_end:\n" PARENT_SCOPE)
    set(web_declarations "${web_declarations}extern const char ${symbol}[], ${symbol}_end[];\n" PARENT_SCOPE)
    set(bytes "{${symbol}, ${symbol}_end}" PARENT_SCOPE)
  else()
    set(bytes "{}" PARENT_SCOPE)
  endif()
endfunction()

foreach(application console docs sandbox)
  set(web_dist ${CMAKE_SOURCE_DIR}/web/${application}/dist)
  file(GLOB_RECURSE web_files CONFIGURE_DEPENDS RELATIVE ${web_dist} ${web_dist}/*)
  list(FILTER web_files EXCLUDE REGEX "\\.(br|gz)$")
  list(SORT web_files)
  set(web_rows "")
  foreach(file IN LISTS web_files)
    set(row "      {\"${file}\"")
    foreach(ending "" ".gz" ".br")
      string(REPLACE "." "_" variant "${ending}")
      add_web_bytes(guildhall_web_${web_number}${variant} ${web_dist}/${file}${ending})
      string(APPEND row ", ${bytes}")
    endforeach()
    string(APPEND web_rows "${row}},\n")
    math(EXPR web_number "${web_number} + 1")
  endforeach()
  string(APPEND web_tables "std::span<const EmbeddedFile> ${application}_files() {\n  static const std::vector<EmbeddedFile> files{\n${web_rows}  };\n  return files;\n}\n\n")
endforeach()

set(web_asm ".section .rodata\n${web_asm}.section .note.GNU-stack,\"\",%progbits\n")
set(web_code "// Made by cmake/web_files.cmake.\n#include <vector>\n\n#include \"features/console/embedded_files.h\"\n\nextern \"C\" {\n${web_declarations}}\n\nnamespace guildhall {\n\n${web_tables}}  // namespace guildhall\n")

function(write_if_changed path text)
  set(old "")
  if(EXISTS ${path})
    file(READ ${path} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${path} "${text}")
  endif()
endfunction()
write_if_changed(${CMAKE_BINARY_DIR}/generated/web_files.cpp "${web_code}")
write_if_changed(${CMAKE_BINARY_DIR}/generated/web_bytes.S "${web_asm}")
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/web_bytes.S PROPERTIES
  COMPILE_OPTIONS "-Wno-unused-command-line-argument"
  OBJECT_DEPENDS "${web_paths}")
target_sources(guildhall_features PRIVATE
  ${CMAKE_BINARY_DIR}/generated/web_files.cpp ${CMAKE_BINARY_DIR}/generated/web_bytes.S)
