# Help knows every name that Lua sees of ours, by whatever way it is asked. Needs no tmux.
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
cd "$folder" || exit 1
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

cat >names.lua <<'END'
-- Globals, what is in our tables, and the methods of our types; but Lua's own.
local lua = {prim = true, arg = true, _ = true}
for word in ([[_G _VERSION assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print
    rawequal rawget rawlen rawset require select setmetatable tonumber tostring type warn xpcall string table math os io
    debug package utf8 coroutine]]):gmatch "%S+" do lua[word] = true end
for name, value in pairs(_G) do
  if not lua[name] then
    print(name)
    for field, f in pairs(type(value) == "table" and value or {}) do
      if type(f) == "function" then print(name .. "." .. field) end
    end
  end
end
local values = {g = gen.ring {3}, b = gen.ring {3}.off, d = device(), m = model.from_text "x = 1"}
for name, value in pairs(values) do
  for method in pairs(getmetatable(value).__methods) do print(name .. ":" .. method) end
end
local r = ocm(gen.ring {3, weights = "i32"})
for method in pairs(getmetatable(r).__methods) do print("r:" .. method) end
END
"$program" names.lua | sort >names || fail "the list of names"
[ "$(wc -l <names)" -gt 200 ] || fail "only $(wc -l <names) names"
{
  echo 'g = gen.ring {3} b = g.off d = device() m = model.from_text "x = 1" r = ocm(gen.ring {3, weights = "i32"});'
  while read -r name; do
    echo "io.write('@ $name\\n')"
    echo "?$name"
  done <names
} >ask
"$program" <ask >answers 2>&1
while read -r name; do # a line is a signature, a list, or a primitive's or schema's page
  answer=$(grep -Fx -A3 "@ $name" answers | sed 1d)
  case $answer in
  *'built in>'* | *'nothing is known'* | '' | @*) fail "help $name: $answer" ;;
  esac
done <names
# a primitive begins with how it is called
"$program" -e '?primitives' | awk '{ print $1 }' | while read -r name; do
  "$program" -e "?$name" | head -1 | grep -q "^primitive $name(" || echo "$name"
done >unsigned
[ ! -s unsigned ] || fail "primitives without a signature: $(tr '\n' ' ' <unsigned)"

same() { # same A B: two ways to ask
  [ "$("$program" -e "$1" 2>&1)" = "$("$program" -e "$2" 2>&1)" ] || fail "$1 and $2 tell different things"
}
same 'help trim' '?trim'
same 'help trim' 'help "trim"'
same 'help trim' 'help("trim")'
same 'help gen.rmat' 'help "gen.rmat"'
same 'help gen.rmat' "help('gen.rmat')"
same 'help gen.rmat' 'help(gen.rmat)'
same 'help' 'help()'
"$program" -e 'help("nothing_like_it")' 2>err && fail "a name that is not known is an error"
grep -q "nothing is known of 'nothing_like_it'" err || fail "$(cat err)"

[ $failures = 0 ] && echo "fine"
exit $((failures > 0))
