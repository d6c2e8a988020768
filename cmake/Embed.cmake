# Puts every lua/*.lua into the program as ls_embedded_lua[] (src/core/embedded.h), in the order in which the files
# are run: prelude.lua and algorithm.lua, which the others use, then the others by name. Included, this sets
# embedded_sources; run as a script (cmake -DOUT=... -DIN=a.lua,b.lua -P Embed.cmake), it writes the C file.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(arrays "")
  set(table "")
  set(index 0)
  string(REPLACE "," ";" files "${IN}")
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(APPEND arrays "static const char text_${index}[] = {\n${hex}0};\n")
    string(APPEND table "    {\"${name}\", text_${index}, ${bytes}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  # A byte above 0x7f does not fit a signed char; the texts are compared and printed as bytes only.
  string(REGEX REPLACE "0x([89a-f][0-9a-f])," "(char)0x\\1," arrays "${arrays}")
  file(WRITE ${OUT} "#include \"core/embedded.h\"\n\n${arrays}\nconst ls_embedded ls_embedded_lua[] = {\n${table}    {NULL, NULL, 0},\n};\n")
  return()
endif()

file(GLOB embedded_lua CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lua/*.lua)
list(SORT embedded_lua)
set(embedded_first ${CMAKE_SOURCE_DIR}/lua/prelude.lua ${CMAKE_SOURCE_DIR}/lua/algorithm.lua)
list(REMOVE_ITEM embedded_lua ${embedded_first})
list(PREPEND embedded_lua ${embedded_first})
string(REPLACE ";" "," embedded_names "${embedded_lua}")
set(embedded_sources ${CMAKE_BINARY_DIR}/gen/embedded_lua.c)
add_custom_command(
  OUTPUT ${embedded_sources}
  COMMAND ${CMAKE_COMMAND} -DOUT=${embedded_sources} "-DIN=${embedded_names}" -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
  DEPENDS ${embedded_lua} ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
  COMMENT "Embedding lua/"
  VERBATIM)
