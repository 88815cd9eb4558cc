# Builds the web applications (script/build-web) beside the C++ files, and puts their files into the binary, as the tables
# that features/console/embedded_files.h declares. The bytes come in through the assembler's .incbin, which is far faster than
# compiling arrays.
enable_language(ASM)

set(web_outputs ${CMAKE_BINARY_DIR}/generated/web_files.cpp ${CMAKE_BINARY_DIR}/generated/web_bytes.S)
add_custom_target(web_files
  COMMAND ${CMAKE_SOURCE_DIR}/script/build-web
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${CMAKE_BINARY_DIR}/generated -P ${CMAKE_SOURCE_DIR}/cmake/embed_web.cmake
  BYPRODUCTS ${web_outputs}
  COMMENT "Web applications" VERBATIM)
set_source_files_properties(${web_outputs} PROPERTIES GENERATED ON)
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/web_bytes.S PROPERTIES
  COMPILE_OPTIONS "-Wno-unused-command-line-argument")
add_dependencies(guildhall_features web_files)
target_sources(guildhall_features PRIVATE ${web_outputs})
