# What the prompt answers to lines that newcomers write: the way it goes here, in one line. Needs no tmux.
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_CACHE_HOME=$folder/cache
cd "$folder" || exit 1
failures=0

# told LINE PATTERN...: are all patterns in what the prompt answers to the line? Many lines: separated by \n.
told() {
  local line=$1 answer
  shift
  answer=$(printf 'load town.gr\n%b\n' "$line" | "$program" --backend cpu 2>&1)
  for pattern in "$@"; do
    case $answer in
    *"$pattern"*) ;;
    *)
      printf 'FAILED: %s\n  expected: %s\n  answered: %s\n' "$line" "$pattern" "$answer"
      failures=$((failures + 1))
      ;;
    esac
  done
}

cat >town.gr <<'END'
p sp 4 5
a 1 2 3
a 2 3 4
a 3 1 5
a 3 4 1
a 1 4 100
END

# --- statistics ---
told 'stats by foo' 'a column expected' 'got "foo"'
told 'stats sort' 'by and a column, as stats by limit'
told 'bfs(g, 0);\nstats by calls' 'edg/s' 'visit'
told 'help irr' 'irregular accesses, at places that the data names'
told '?irregular' 'help times'
told 'help roofline' '`panel roofline`'
told 'device.limits()\nprint(tostring(stats{by = "limit"}))' 'nothing has run yet'
told 'device.limits();\nscc(gen.rmat{scale = 14});\nstats' 'is not known: the kernel does not count'

# --- scripts ---
printf 'local x\nfunction f() return x.y end\nf()\n' >wrong.lua
told 'run wrong.lua' "wrong.lua:2: attempt to index a nil value (upvalue 'x')" 'stack traceback:'
[ "$(printf 'run wrong.lua\n' | "$program" --backend cpu 2>&1 | grep -c 'attempt to index')" = 1 ] || {
  echo 'FAILED: run: the message comes twice'
  failures=$((failures + 1))
}

[ "$failures" -eq 0 ] && echo 'all as expected'
[ "$failures" -eq 0 ]
