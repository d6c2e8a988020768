# gen/version.h: the data that --version prints. If included, this defines the target version_header, which reads the commit
# in every build; run as a script, it writes the header if its contents have changed.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(commit "$Format:%h$") # `git archive` writes the commit here
  if(commit MATCHES "Format")
    set(commit "unknown")
  endif()
  find_package(Git QUIET)
  if(GIT_FOUND AND EXISTS ${SOURCE}/.git) # an unpacked archive within another repository must not report that repository's commit
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --short=12 HEAD
                    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(commit ${head})
      execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} status --porcelain --untracked-files=no
                      OUTPUT_VARIABLE changes ERROR_QUIET)
      if(changes)
        string(APPEND commit "+changes")
      endif()
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUT} CONTENT "#define LOCKSTEP_VERSION \"@VERSION@\"
#define LOCKSTEP_COMMIT \"@commit@\"
#define LOCKSTEP_COMPILER \"@COMPILER@\"
" @ONLY)
  return()
endif()

add_custom_target(version_header
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${CMAKE_BINARY_DIR}/gen/version.h
          -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
          -P ${CMAKE_SOURCE_DIR}/cmake/Version.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/gen/version.h
  COMMENT "Looking at the commit"
  VERBATIM)
