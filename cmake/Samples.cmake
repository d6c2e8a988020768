# The program of a build folder looks for samples/ in the folders above itself (src/core/folder.c). A build folder outside of
# the source tree gets a symbolic link to them.
function(lockstep_link_samples source build)
  cmake_path(IS_PREFIX source "${build}" NORMALIZE inside)
  if(NOT inside)
    file(CREATE_LINK "${source}/samples" "${build}/samples" SYMBOLIC)
  endif()
endfunction()
