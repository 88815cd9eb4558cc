# Builds web applications (script/build-web) beside the C++ files, and puts their files into a binary, as the tables that
# features/console/embedded_files.h and sandbox/page_files.h declare. The bytes come in through the assembler's .incbin, which is
# far faster than compiling arrays.
enable_language(ASM)

# embed_web_files(TARGET NAME LIBRARY APPLICATION…): the library gets the applications' files, in generated sources that begin
# with the name.
function(embed_web_files target name library)
  set(outputs ${CMAKE_BINARY_DIR}/generated/${name}_files.cpp ${CMAKE_BINARY_DIR}/generated/${name}_bytes.S)
  string(JOIN "," applications ${ARGN})
  add_custom_target(${target}
    COMMAND ${CMAKE_SOURCE_DIR}/script/build-web ${ARGN}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${CMAKE_BINARY_DIR}/generated -DNAME=${name}
      -DAPPLICATIONS=${applications} -P ${CMAKE_SOURCE_DIR}/cmake/embed_web.cmake
    BYPRODUCTS ${outputs}
    COMMENT "Web applications: ${applications}" VERBATIM)
  set_source_files_properties(${outputs} PROPERTIES GENERATED ON)
  set_source_files_properties(${CMAKE_BINARY_DIR}/generated/${name}_bytes.S PROPERTIES
    COMPILE_OPTIONS "-Wno-unused-command-line-argument")
  add_dependencies(${library} ${target})
  target_sources(${library} PRIVATE ${outputs})
endfunction()
