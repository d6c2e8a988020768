# Help knows every Lua name that the program defines, in every form of the command, and has a page for every topic. Needs no tmux.
set -u
program=$(realpath "$1")
. "$(dirname "$0")/../shell.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
unset XDG_CACHE_HOME
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
# answers FILE: the help on each name in FILE, after a line "@ NAME"; in one session
answers() {
  {
    echo 'g = gen.ring {3} b = g.off d = device() m = model.from_text "x = 1" r = ocm(gen.ring {3, weights = "i32"});'
    sed "s/.*/io.write('@ &\\\\n');\n?&/" "$1"
  } | "$program" 2>&1
}
answers names >answers
awk '/^@ / { if (name) print name; name = $2; next } name { if (/built in>|nothing is known/) print name; name = "" } END { if (name) print name }' answers >unknown
[ ! -s unknown ] || fail "help does not know $(tr '\n' ' ' <unknown)"
[ "$(grep -c '^@ ' answers)" = "$(wc -l <names)" ] || fail "not every name was asked for"
# the help of a primitive begins with its signature
"$program" -e '?primitives' | awk '/^  [a-z]/ { print $1 }' >primitives
[ "$(wc -l <primitives)" -gt 100 ] || fail "only $(wc -l <primitives) primitives"
answers primitives | awk '/^@ / { name = $2; next } name { if (index($0, "primitive " name "(") != 1 && index($0, "primitive " name "{") != 1) print name; name = "" }' >unsigned
[ ! -s unsigned ] || fail "primitives without a signature: $(tr '\n' ' ' <unsigned)"

same() { # same A B: two commands that must print the same help
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

# help on a field of a result shows the line or sentence about it, also if the field is not computed yet
said() { # LINES TEXT: asserts that the answer to LINES contains TEXT
  printf '%s\n' "$1" | "$program" >answer 2>&1
  grep -qF -- "$2" answer || fail "$1: $(cat answer)"
}
said 'o = ocm(gen.ring{3})
?o.q' '  r.p, r.q      lambda = p/q in lowest terms'
said 'o = ocm(gen.ring{3})
?o.potential' '  r.potential   the proof: no edge has'
said 's = sssp(gen.ring{3})
?s.unreached' '  The result r has r.dist (in the weights'
said 's = sssp(gen.ring{3})
?s.unreached' 'and r.passes, the number of buckets.'
said 's = sssp(gen.ring{3})
?s.kind' 's.kind = "sssp"'

# a word that is not a name: help lists the pages that mention it, or says what it is called here
asked() { # WORD, EXPECTED TEXT
  "$program" -e "help $1" 2>err && fail "help $1 is no error"
  grep -qF -- "$2" err || fail "help $1: $(cat err)"
}
asked 'label propagation' "nothing is called 'label propagation'; these pages of help have the word: help tasks"
asked 'Figure' 'help pictures'
asked 'dijkstra' "'dijkstra', here: r = sssp(g, s)"
asked 'stepp' 'help '
asked 'zq' "nothing is known of 'zq'"

# help errata shows every mark of an error in a paper, with its text to the end of the paragraph; `help errata PAPER`: those of one paper
"$program" -e 'help errata' >errata 2>&1
grep -rhoE --exclude=help.lua --exclude-dir=help 'paper errs: [0-9]{3}, [^:]+' "$root/kernels" "$root/lua" | sed 's/^paper errs: //' >marks
[ "$(wc -l <marks)" -gt 20 ] || fail "only $(wc -l <marks) marks"
while read -r mark; do
  grep -qF "test '$mark'" errata || fail "help errata lacks $mark"
done <marks
[ "$(grep -c ", test '" errata)" = "$(wc -l <marks)" ] || fail "help errata has $(grep -c ", test '" errata) of $(wc -l <marks) marks"
said 'help errata 001' 'heavy edges are never relaxed. It must take the heavy edges of R, as the text below the listing says.'
said '?errata okuyama' "test '004, figure 4.10, line 11'"
grep -q '^002\|Algorithm 1' answer && fail "help errata okuyama has other papers: $(cat answer)"
asked 'errata 9' "help errata: no paper is called '9', expected a number from 000 to 004, or an author"

# Topics: the pages of lua/help/topics*.lua. `help` and `help topics` name each page; it fits the terminal, and its first line
# says what it is about; every command is on one of the pages.
pages=pages.lua
cat "$root"/lua/help/topics*.lua >"$pages"
topics=$(sed -n 's/^--: //p' "$pages")
[ "$(wc -w <<<"$topics")" -gt 12 ] || fail "topics: $topics"
"$program" -e help >overview 2>&1
"$program" -e 'help topics' >listed 2>&1
sed -n '/^topics/,/^commands/{/^commands/d;p}' overview | tr -s ' ' '\n' >named
tr ' ' '\n' <<<"$topics" >topics
answers topics >told
for topic in $topics; do
  grep -qx "$topic" named || fail "help does not name the topic $topic"
  grep -q "^  $topic " listed || fail "help topics does not list $topic"
  first=$(awk -v topic="$topic" '/^---/ && !block { block = $0 } $0 == "--: " topic { print substr(block, 5) } !/^---/ { block = "" }' "$pages")
  [ -n "$first" ] && [ "$(grep -Fx -A1 "@ $topic" told | tail -1)" = "$first" ] || fail "help $topic begins: $(grep -Fx -A1 "@ $topic" told)"
done
awk '/^---/ { lines++ } /^--: / { if (lines > 40) print $2 ": " lines " lines"; lines = 0 }
  /^---/ && length > 83 { print "line " FNR ": " length - 4 " columns" }' "$pages" >large # 4: "--- "
[ ! -s large ] || fail "pages of more than 40 lines or 79 columns: $(cat large)"
"$program" -e 'help commands' 2>&1 | sed -n 's/^  \([a-z][a-z]*\).*/\1/p' | sort -u >commands
[ "$(wc -l <commands)" -gt 30 ] || fail "commands: $(cat commands)"
while read -r command; do
  grep -v '^--:' "$pages" | grep -qw "$command" || fail "no topic tells of the command $command"
done <commands
# a session that a page shows equals the program's output
awk '/^---   > / { inside = 1 } /^---$/ { inside = 0 } inside { print substr($0, 7) }' "$pages" >session
sed -n 's/^> //p' session >typed
grep -v '^> ' session >came
[ -s typed ] || fail "no page has a session"
"$program" <typed 2>&1 | diff came - >difference || fail "a page's session: $(cat difference)"
# help begins with the lessons, names every algorithm (but not their parts: scc.maxima), and fits 80 x 24 with a prompt below
head -1 overview | grep -q '`lesson 1`.*`help tasks`' || fail "help begins: $(head -1 overview)"
[ "$(wc -l <overview)" -le 23 ] && ! grep -q '.\{80\}' overview || fail "help does not fit 80 x 24"
sed -n '/^algorithms/,/^topics/p' overview | tr -s ' ' '\n' >shown
"$program" -e '?algorithms' 2>&1 | sed -n 's/^  \([a-z][a-z_]*\)\( .*\|\)$/\1/p' | grep -vx check >algorithms
[ "$(wc -l <algorithms)" -gt 15 ] || fail "algorithms: $(cat algorithms)"
while read -r algorithm; do
  grep -qx "$algorithm" shown || fail "help does not name the algorithm $algorithm"
done <algorithms
[ "$("$program" -e '?functions' | sed -n 's/^  dve.[a-z]* *//p' | sort | uniq -d | wc -l)" = 0 ] || fail "functions of dve that say the same"

# no sentence in a list is truncated
for list in functions algorithms primitives commands; do
  "$program" -e "?$list" | grep '\.\.\.$' >cut
  [ ! -s cut ] || fail "?$list cuts its lines: $(cat cut)"
done
"$program" -e '?gen' | tr -s ' \n' ' ' | grep -q 'gen.road Like a network of roads: n vertices on a square lattice, highways on every eighth row and column, streets that lead to them. gen.copies' ||
  fail "?gen: $("$program" -e '?gen')"

# the list of a module's contents begins on the first line
"$program" -e '?bytecode' | head -1 | grep -q '^  bytecode:' || fail "help bytecode: $("$program" -e '?bytecode' | head -2)"

# the measurement that a page shows works unchanged
"$program" -e 'help scaling' | sed -n '/rows = {}/,/csv(/p' | sed 's/= 10, 16/= 4, 6/' >scaling.lua
"$program" --backend cpu scaling.lua >out 2>&1 && [ "$(wc -l <scc.csv)" = 4 ] || fail "help scaling: $(cat out)"

# the model that a page shows works unchanged; help on the words of its language leads to the page
"$program" -e 'help dve' | sed -n '/byte paper/,/system async/p' >x.dve
"$program" -e 'm = model.load "x.dve"' -e 'r = explore(m)' -e 'r' -e 'r:check("assert")' -e 'r:trace("printer->pages == 2")' >out 2>&1 &&
  grep -q '^x.dve: 34 states, 42 transitions' out && grep -q '^a shortest run' out || fail "the model of help dve: $(cat out)"
for word in guard sync effect channel; do
  "$program" -e "help $word" 2>&1 | grep -q 'help dve' || fail "help $word: $("$program" -e "help $word" 2>&1)"
done

# a variable with a topic's name is shown, too
"$program" -e 'times = 7' -e '?times' 2>&1 | grep -qx 'times = 7' || fail "a variable with a topic's name"

# the help of fit says that its method may end in a local minimum
"$program" -e '?fit' 2>&1 | tr -s ' \n' '  ' | grep -q 'local minimum' || fail "?fit does not tell of local minima"

# the library's helpers are in no list, but help knows their full names
for module in ensemble bytecode dve session symbolic certificate plots cycle; do
  "$program" -e "help $module" 2>&1 | grep -E "^ *$module\\." && fail "help $module lists helpers"
done
"$program" -e 'help ensemble' 2>&1 | grep -q '^  ensemble:quantile ' || fail 'help ensemble does not list the methods of a result'
"$program" -e 'help algorithms' -e 'help functions' 2>&1 | grep -E '^ *(ensemble|bytecode|dve|session|symbolic|Output|Choice|Statistics)[.]' &&
  fail 'lists have helpers'
"$program" -e 'help session.keep' 2>&1 | grep -q '^session.keep(' || fail 'help session.keep'

# an old name (lua/base/renamed.lua): help gives the hint and the help on the new name, also for a variable's method
rename='session.rename("mesh", "gen.grid", "9.9") session.rename("graph:fanout", "graph:degree", "9.9")'
for old in mesh graph:fanout graph.fanout g:fanout; do
  "$program" -e "$rename" -e 'g = gen.path(2)' -e "?$old" >out 2>&1
  case $old in
    mesh) hint='mesh is now gen.grid; mesh goes with 9.9' signature='gen.grid{rows, cols, one_way = 0}' ;;
    *) hint='graph:fanout is now graph:degree; graph:fanout goes with 9.9' signature='graph:degree(v)' ;;
  esac
  [ "$(sed -n 1p out)" = "$hint" ] && [ "$(sed -n 3p out)" = "$signature" ] || fail "?$old: $(cat out)"
done
"$program" -e "$rename" -e 'session.rename("strong", "scc", "9.9")' -e '??strong' >out 2>&1
grep -q '^strong is now scc; strong goes with 9.9' out && grep -q 'scc.fast' out || fail "??strong: $(cat out)"
"$program" -e "$rename" -e 'mesh = 7' -e '?mesh' 2>&1 | grep -qx 'mesh = 7' || fail "a variable with an old name"

[ $failures = 0 ] && echo "fine"
exit $((failures > 0))
