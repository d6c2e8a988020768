# Runs generate_rows (cmake/generate_rows.c says what it writes to gen/) over all families. Sets kernel_c_sources and
# kernel_cu_sources. A family is a folder of kernels/ that contains a .def file of the same name.
set(gen ${CMAKE_BINARY_DIR}/gen)
set(kernels ${CMAKE_SOURCE_DIR}/kernels)

file(GLOB kernel_files CONFIGURE_DEPENDS ${kernels}/*/*.def ${kernels}/*/*.h ${kernels}/*/cpu/*.h ${kernels}/*/cuda/*.cuh)
set(families)
foreach(file ${kernel_files})
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(family ${folder} NAME)
  if(file STREQUAL ${folder}/${family}.def) # language/contracts.def belongs to no family
    list(APPEND families ${family})
  endif()
endforeach()
list(SORT families)

set(generator cmake/generate_rows.c src/compile/parse.c src/compile/reader.c src/compile/tokens.c src/compile/row_words.c
    src/compile/kernel_text.c src/core/mem.c src/core/error.c src/core/escape.c src/core/nearest.c src/core/types.c
    src/core/embedded.c src/core/string_builder.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_files} ${generator} src/run/launch/row.h)
separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_FLAGS}")
set(new ${gen}/new)
file(REMOVE_RECURSE ${new})
file(MAKE_DIRECTORY ${new})
file(TOUCH ${gen}/family_contracts.h) # included by row.h; the generator has its own list of contracts
execute_process(COMMAND ${CMAKE_C_COMPILER} ${flags} -w -std=gnu11 -D_GNU_SOURCE -Isrc -Ikernels -I${gen} ${generator}
                        -o ${gen}/generate_rows
                WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT failed)
  execute_process(COMMAND ${gen}/generate_rows ${kernels} ${new} ${families} RESULT_VARIABLE failed ERROR_VARIABLE said)
endif()
if(failed)
  message(FATAL_ERROR " ${said}") # a space: CMake does not wrap it
endif()
file(GLOB written RELATIVE ${new} ${new}/*)
foreach(name ${written}) # so that nothing is recompiled needlessly
  file(COPY_FILE ${new}/${name} ${gen}/${name} ONLY_IF_DIFFERENT)
endforeach()
include(${gen}/sources.cmake)
list(TRANSFORM kernel_c_sources PREPEND ${gen}/)
list(TRANSFORM kernel_cu_sources PREPEND ${gen}/)
