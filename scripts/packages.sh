# Sourced by setup and test: installs missing packages with apt.

# missing CHECK:PACKAGE...: the packages whose check fails. A check is a command that must exist, +NAME, a package of
# pkg-config, or /PATTERN, a file.
missing() {
  local item check
  for item in "$@"; do
    check=${item%%:*}
    case $check in
    +*) pkg-config --exists "${check#+}" 2>/dev/null ;;
    /*) compgen -G "$check" >/dev/null ;;
    *) command -v "$check" >/dev/null ;;
    esac || echo "${item#*:}"
  done | awk '!seen[$0]++' | tr '\n' ' '
}

# Installs the missing packages of CHECK:PACKAGE... If none is missing, it prints nothing and does not use the network.
install_missing() {
  local packages root=()
  packages=$(missing "$@")
  [ -n "$packages" ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "$(basename "$0"): missing: $packages(names of Debian packages; there is no apt-get to install them)" >&2
    return 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "$(basename "$0"): as root, first: apt-get install $packages" >&2
      return 1
    fi
    root=(sudo)
  fi
  echo "Installing $packages"
  local quiet=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0)
  # shellcheck disable=SC2086 # a list
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null &&
    "${root[@]}" "${quiet[@]}" install --no-install-recommends $packages >/dev/null 2>&1 && return 0
  # there are no package lists, or only old ones
  "${root[@]}" "${quiet[@]}" update
  # shellcheck disable=SC2086
  "${root[@]}" "${quiet[@]}" install --no-install-recommends $packages >/dev/null
}

build_packages=(gcc:build-essential g++:build-essential make:build-essential cmake:cmake
  pkg-config:pkg-config git:git +lua5.4:liblua5.4-dev
  /usr/include/readline/readline.h:libreadline-dev /usr/include/ncursesw/ncurses.h:libncurses-dev
  /usr/include/zlib.h:zlib1g-dev +libxml-2.0:libxml2-dev /usr/include/sbml/SBMLTypes.h:libsbml5-dev
  /usr/include/cvode/cvode.h:libsundials-dev)
test_packages=(+cmocka:libcmocka-dev m4:m4 mpicc:libopenmpi-dev mpirun:openmpi-bin tmux:tmux gnuplot:gnuplot-nox
  pgrep:procps ip:iproute2 clang:clang clang-format-14:clang-format-14
  '/usr/lib/llvm-*/lib/libarcher.so:libomp-dev' '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.tsan-*.a:libclang-rt-dev')
