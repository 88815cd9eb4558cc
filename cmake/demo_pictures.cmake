# Builds the pictures of the demo shop (demo/pictures/NAME.webp and NAME-small.webp) into guildhall-sandbox, as the table that
# sandbox/demo/pictures.h declares. Like web_files.cmake, it uses the assembler's .incbin.
file(GLOB demo_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/demo/pictures/*-small.webp)
list(SORT demo_files)
set(demo_asm "")
set(demo_declarations "")
set(demo_rows "")
set(demo_paths "")
set(demo_number 0)
foreach(small IN LISTS demo_files)
  get_filename_component(name ${small} NAME)
  string(REPLACE "-small.webp" "" name ${name})
  string(REPLACE "-small.webp" ".webp" large ${small})
  list(APPEND demo_paths ${large} ${small})
  set(row "      {\"${name}\"")
  foreach(size large small)
    set(symbol guildhall_demo_${demo_number}_${size})
    string(APPEND demo_asm ".globl ${symbol}\n.globl ${symbol}_end\n${symbol}:\n.incbin \"${${size}}\"\n${symbol}_end:\n")
    string(APPEND demo_declarations "extern const char ${symbol}[], ${symbol}_end[];\n")
    string(APPEND row ", {${symbol}, ${symbol}_end}")
  endforeach()
  string(APPEND demo_rows "${row}},\n")
  math(EXPR demo_number "${demo_number} + 1")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/demo_pictures.S @ONLY CONTENT
  ".section .rodata\n${demo_asm}.section .note.GNU-stack,\"\",%progbits\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/demo_pictures.cpp @ONLY CONTENT
  "// Made by cmake/demo_pictures.cmake.\n#include <vector>\n\n#include \"sandbox/demo/pictures.h\"\n\nextern \"C\" {\n${demo_declarations}}\n\nnamespace guildhall::demo {\n\nstd::span<const EmbeddedPicture> embedded_pictures() {\n  static const std::vector<EmbeddedPicture> pictures{\n${demo_rows}  };\n  return pictures;\n}\n\n}  // namespace guildhall::demo\n")
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/demo_pictures.S PROPERTIES
  COMPILE_OPTIONS "-Wno-unused-command-line-argument"
  OBJECT_DEPENDS "${demo_paths}")
target_sources(guildhall_sandbox PRIVATE
  ${CMAKE_BINARY_DIR}/generated/demo_pictures.cpp ${CMAKE_BINARY_DIR}/generated/demo_pictures.S)
