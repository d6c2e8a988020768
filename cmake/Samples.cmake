# The program of a build folder looks for samples/ and scripts/paper/ in the folders above itself (src/core/folder.c). A build
# folder outside of the source tree gets links to them.
function(lockstep_link_samples source build)
  cmake_path(IS_PREFIX source "${build}" NORMALIZE inside)
  if(NOT inside)
    file(CREATE_LINK "${source}/samples" "${build}/samples" SYMBOLIC)
    file(MAKE_DIRECTORY "${build}/scripts")
    file(CREATE_LINK "${source}/scripts/paper" "${build}/scripts/paper" SYMBOLIC)
  endif()
endfunction()
