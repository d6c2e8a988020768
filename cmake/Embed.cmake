# Puts files into the program (src/core/embedded.h): every lua/FAMILY/*.lua as ls_embedded_lua[]; as ls_embedded_headers[]
# the headers that kernels include, for compiling kernels at run time; and samples/patterns/* as ls_embedded_patterns[],
# which the command `new` copies. If included, this sets embedded_sources; run as a
# script (cmake -DOUT=... -DTABLE=NAME -DROOTS=folder,... -DIN=a.lua,b.lua -P Embed.cmake), it writes a C file. Files are
# named relative to their root folder.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(arrays "")
  set(table "")
  set(index 0)
  string(REPLACE "," ";" files "${IN}")
  string(REPLACE "," ";" roots "${ROOTS}")
  foreach(file ${files})
    set(name ${file})
    foreach(root ${roots})
      string(LENGTH "${root}/" length)
      string(SUBSTRING "${file}" 0 ${length} head)
      if(head STREQUAL "${root}/")
        string(SUBSTRING "${file}" ${length} -1 name)
      endif()
    endforeach()
    file(READ ${file} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" hex "${hex}") # a string, because compilers parse arrays of numbers slowly
    string(APPEND arrays "static const char text_${index}[] = \"${hex}\";\n")
    string(APPEND table "    {\"${name}\", text_${index}, ${bytes}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${OUT} "#include \"core/embedded.h\"\n\n${arrays}\nconst ls_embedded ${TABLE}[] = {\n${table}    {NULL, NULL, 0},\n};\n")
  return()
endif()

file(GLOB embedded_lua CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lua/*/*.lua)
list(SORT embedded_lua)
file(GLOB embedded_headers CONFIGURE_DEPENDS ${kernels}/*/*.h ${kernels}/*/*.def
     ${kernels}/driver/*.cuh)
foreach(header core/types.h core/wakeup.h core/counter_random.h core/error.h data/contract.h run/launch/row.h run/launch/launch.h run/devices/device.h
        run/devices/cuda_device.h
        model/dve/flat.h model/dve/code.h model/dve/compiled.h ode/code_ops.h ode/dopri5.h ode/functions.h ode/timed.h)
  list(APPEND embedded_headers ${CMAKE_SOURCE_DIR}/src/${header})
endforeach()
list(APPEND embedded_headers ${gen}/family_contracts.h)

function(embed table files)
  set(out ${CMAKE_BINARY_DIR}/gen/${table}.c)
  string(REPLACE ";" "," names "${files}")
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DTABLE=ls_${table} "-DIN=${names}"
            -DROOTS=${CMAKE_SOURCE_DIR}/lua,${CMAKE_SOURCE_DIR}/samples/patterns,${kernels},${CMAKE_SOURCE_DIR}/src,${gen} -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    COMMENT "Embedding ${table}"
    VERBATIM)
  set(embedded_sources ${embedded_sources} ${out} PARENT_SCOPE)
endfunction()
file(GLOB embedded_patterns CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/samples/patterns/*)
set(embedded_sources)
embed(embedded_lua "${embedded_lua}")
embed(embedded_headers "${embedded_headers}")
embed(embedded_patterns "${embedded_patterns}")

# ls_embedded_code[]: the compiled form of ls_embedded_lua[]. To be called after lockstep_flags is defined.
function(compile_embedded_lua)
  set(out ${CMAKE_BINARY_DIR}/gen/embedded_code.c)
  add_library(embedded_lua OBJECT ${CMAKE_BINARY_DIR}/gen/embedded_lua.c)
  target_link_libraries(embedded_lua PRIVATE lockstep_flags)
  add_executable(compile_lua ${CMAKE_SOURCE_DIR}/cmake/compile_lua.c $<TARGET_OBJECTS:embedded_lua>)
  target_link_libraries(compile_lua PRIVATE lockstep_flags lockstep_dependencies)
  add_custom_command(OUTPUT ${out} COMMAND compile_lua ${out} DEPENDS compile_lua COMMENT "Compiling embedded_lua" VERBATIM)
  list(REMOVE_ITEM embedded_sources ${CMAKE_BINARY_DIR}/gen/embedded_lua.c)
  set(embedded_sources ${embedded_sources} $<TARGET_OBJECTS:embedded_lua> ${out} PARENT_SCOPE)
endfunction()
