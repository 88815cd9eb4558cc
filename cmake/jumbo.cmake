# Compiles the files of a folder together, GUILDHALL_FILES_PER_UNIT in one unit, because most of the time of compiling a small
# file goes into headers and templates that its neighbours need, too (docs/adr/0016-jumbo-units.md). There is no list of files:
# the units follow from the folders. CMake's own UNITY_BUILD names the files by absolute paths, so that two checkouts could
# not share the compiler cache; these units name them relative to the include folders.

# Boost's sources and the time zone library define macros that other files must not see.
set(compiled_alone src/base/asio.cpp src/base/boost_url.cpp src/base/time_zone.cpp)

# jumbo_units(OUT TARGET ROOT SOURCE…): sets OUT to the units to compile instead of the sources, which are below the folder
# ROOT, an include folder of the target.
function(jumbo_units out target root)
  set(units "")
  set(folders "")
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
    if(GUILDHALL_FILES_PER_UNIT EQUAL 1 OR path IN_LIST compiled_alone OR path IN_LIST replaced_in_tests)
      list(APPEND units ${source})
      continue()
    endif()
    file(RELATIVE_PATH include ${root} ${source})
    get_filename_component(folder ${path} DIRECTORY)
    string(REPLACE "/" "_" folder ${folder})
    list(APPEND folders ${folder})
    list(APPEND files_of_${folder} ${include})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH files_of_${folder} count)
    math(EXPR parts "(${count} + ${GUILDHALL_FILES_PER_UNIT} - 1) / ${GUILDHALL_FILES_PER_UNIT}")
    foreach(part RANGE 1 ${parts})
      math(EXPR first "(${part} - 1) * ${count} / ${parts}")
      math(EXPR length "${part} * ${count} / ${parts} - ${first}")
      list(SUBLIST files_of_${folder} ${first} ${length} files)
      list(TRANSFORM files REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
      string(JOIN "" includes ${includes})
      set(unit ${CMAKE_BINARY_DIR}/units/${target}/${folder}_${part}.cpp)
      file(CONFIGURE OUTPUT ${unit} CONTENT "// Made by cmake/jumbo.cmake.\n${includes}" @ONLY)
      list(APPEND units ${unit})
    endforeach()
  endforeach()
  set(${out} ${units} PARENT_SCOPE)
endfunction()
