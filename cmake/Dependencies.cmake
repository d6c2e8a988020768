# Lua 5.4, Readline 8, ncursesw, zlib, OpenMP and threads, as one target: lockstep_dependencies.
find_package(PkgConfig REQUIRED)
if(LOCKSTEP_STATIC AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT OpenMP_gomp_LIBRARY)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(OpenMP_gomp_LIBRARY ${gomp} CACHE FILEPATH "gcc's OpenMP")
endif()
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)

add_library(lockstep_dependencies INTERFACE)

# One library: by pkg-config where that knows it, with the static archive in place of -lNAME where asked for.
function(lockstep_need target names archives)
  pkg_search_module(found_${target} REQUIRED QUIET ${names})
  target_include_directories(lockstep_dependencies SYSTEM INTERFACE ${found_${target}_INCLUDE_DIRS})
  if(LOCKSTEP_STATIC)
    foreach(archive ${archives})
      find_library(archive_${archive} lib${archive}.a REQUIRED)
      target_link_libraries(lockstep_dependencies INTERFACE ${archive_${archive}})
    endforeach()
  else()
    target_link_libraries(lockstep_dependencies INTERFACE ${found_${target}_LINK_LIBRARIES})
  endif()
endfunction()

lockstep_need(lua "lua5.4;lua-5.4;lua>=5.4" "lua5.4")
lockstep_need(readline "readline" "readline")
lockstep_need(curses "ncursesw" "ncursesw;tinfo")
lockstep_need(zlib "zlib" "z")
