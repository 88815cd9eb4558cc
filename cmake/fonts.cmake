# Puts the font of documents (Debian's package fonts-noto-core) into the library guildhall_pdf, as the functions that
# pdf/embedded_fonts.h declares. Like web_files.cmake, it uses the assembler's .incbin.
set(fonts_asm "")
set(fonts_declarations "")
set(fonts_functions "")
set(fonts_paths "")
foreach(weight Regular Bold)
  find_file(FONT_${weight} NotoSans-${weight}.ttf PATHS /usr/share/fonts/truetype/noto REQUIRED NO_DEFAULT_PATH)
  list(APPEND fonts_paths ${FONT_${weight}})
  string(TOLOWER ${weight} name)
  set(symbol guildhall_font_${name})
  string(APPEND fonts_asm ".globl ${symbol}\n.globl ${symbol}_end\n${symbol}:\n.incbin \"${FONT_${weight}}\"\n${symbol}_end:\n")
  string(APPEND fonts_declarations "extern const char ${symbol}[], ${symbol}_end[];\n")
  string(APPEND fonts_functions "std::string_view embedded_${name}_font() {\n  return {${symbol}, ${symbol}_end};\n}\n\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/fonts.S @ONLY CONTENT
  ".section .rodata\n${fonts_asm}.section .note.GNU-stack,\"\",%progbits\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/fonts.cpp @ONLY CONTENT
  "// Made by cmake/fonts.cmake.\n#include \"pdf/embedded_fonts.h\"\n\nextern \"C\" {\n${fonts_declarations}}\n\nnamespace guildhall::pdf {\n\n${fonts_functions}}  // namespace guildhall::pdf\n")
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/fonts.S PROPERTIES
  COMPILE_OPTIONS "-Wno-unused-command-line-argument"
  OBJECT_DEPENDS "${fonts_paths}")
target_sources(guildhall_pdf PRIVATE ${CMAKE_BINARY_DIR}/generated/fonts.cpp ${CMAKE_BINARY_DIR}/generated/fonts.S)
