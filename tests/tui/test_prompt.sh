# The prompt: lines, blocks, completion, history, help.
. "$(dirname "$0")/tui.sh"

samples=$root/samples

start 80x24
ready
expect '^lockstep [0-9.]+ on '

# values
type_line '6 * 7'
expect '^42$'
type_line '_ + 1, "x"'
expect '^43$'
type_line '_2'
expect '^"x"$'
type_line '1234321;'
type_line '"after"'
expect '^"after"$'
expect_not '^1234321$'
type_line 't = {3, 1, {name = "n"}} t.self = t'
type_line 't'
expect '^\{3, 1, \{name = "n"\}, self = <cycle>\}$'

# completion omits file names with control characters; control characters in names and errors are shown as escapes
clear_screen
printf 'p sp 1 0\n' | tee "$folder/tab1-$(printf '\302\2332J\033]0;T\007').gr" >"$folder/tab1-fine.gr"
cp "$folder/tab1-fine.gr" "$folder/$(printf 'tab2-\302\2332J').gr"
type_text "load $folder/tab1"
key Tab
expect '^> load .*/tab1-fine.gr ?$'
key C-u
type_text "load $folder/tab2"
key Tab
type_text x # visible once Tab has been handled
expect '^> load .*/tab2x *$'
key C-u
type_line "graph.from_edges({n = 1}, {name = '\\27]0;T\\7\\u{9b}2J'})"
expect '^graph .x1b\]0;T.x07.u\{9b\}2J: 1 vertex'

# several lines
clear_screen
type_line 'for i = 1, 2 do'
expect '^>>'
type_line 'print("line " .. i)'
type_line 'end'
expect '^line 2$'

# a paste of ten lines is one chunk if a later line uses a local
clear_screen
paste 'local a = 7
local t = {}
for i = 1, 3 do
  t[i] = i * a
end

function twice(x)
  return 2 * x
end
twice(t[3] + 500)'
shows '^twice\(t\[3\] \+ 500\) *$'
key Enter
expect '^1042$'

# a paste with commands runs line by line
clear_screen
paste 'b = 20
help quit
b + 1
if b then
  print("pasted " .. b)
end'
shows '^end *$'
key Enter
expect '^21$'
expect '^pasted 20$'
expect 'command quit'

# a chain of method calls continues in the next line, and an unfinished piece waits for the rest
clear_screen
paste 'up = setmetatable({}, {__index = {say = function(_, s) return s .. 8 end}})
up
  :say("chained ")
local c = 30
c + 1
help quit
for i = 1, 2 do'
shows '^for i = 1, 2 do *$'
key Enter
expect '^>> $'
expect_not '^"chained 8"$'
type_line 'print("turn " .. i) end'
expect '^"chained 8"$'
expect '^31$'
expect 'command quit'
expect '^turn 2$'

# completion: globals, fields, methods, commands, files
clear_screen
type_text 'g = gen.ri'
key Tab
type_line '{12}'
type_line 'g.n + 100'
expect '^112$'
type_text 'g:sta'
key Tab
expect '> g:stats$'
key C-u
type_text 'sourc'
key Tab
expect '> source ?$'
key C-u
echo 'sourced = 99' >a_file.lua
complete 'source a_fi' 'source a_file.lua'
type_line 'sourced'
expect '^99$'
type_text 'f = io.open("a_fi'
key Tab
expect 'io.open\("a_file.lua"'
key C-u
type_line 'setmetatable(_G, {__index = function(_, k) print("CALLED") end})'
type_text 'zzz.'
key Tab Tab C-u
type_line 'setmetatable(_G, nil) return "as before"'
expect '^"as before"$'
expect_not '^CALLED'

# completion of a command's arguments offers what the command accepts, not Lua names
offers() { # offers TEXT PATTERN: what pressing Tab twice shows
  clear_screen
  type_text "$1"
  key Tab Tab
  expect "$2"
  key C-u
}
echo 1 >curve.svg
offers 'plot ' '^> plot log ?$'
offers 'plot cur' '^> plot curve.svg ?$'
offers 'trace ' '^off +on +save'
offers 'trace save cur' '^> trace save curve.svg ?$'
offers 'snapshot curve.svg conv' '^> snapshot curve.svg convergence$'
offers 'journal ' '^> journal off$'
offers 'help step' '^step +stepping'
offers 'help pict' '^> help pictures ?$'
offers 'break string.form' '^> break string\.form ?$'
type_line 'break trim'
type_line 'watch 1'
offers 'delete ' '^1 +2 +all'
type_line 'delete 3'
type_line 'delete 2'
# at a stop, the stopped function's locals and their fields
type_line 'start scc.forward_backward(gen.ring{12})'
expect 'before trim'
offers 'print(s.ma' '^mark +max_in +max_out'
offers 's.comp:tota' '^> s.comp:totable$'
type_line 'session.rename("gen.gravel", "gen.grid", "9.9") session.rename("buffer:totals", "buffer:sum", "9.9")'
offers 'g = gen.gr' '^> g = gen.grid$' # an old name is not offered
offers 's.comp:tota' '^> s.comp:totable$'
offers 'until s.hub' '^hub +hubs'
type_line 'drop'
type_line 'made = state.sssp(gen.ring{12, weights = "i32"})'
offers 'made.par' '^> made.parent$'
# an unfinished expression continues in the next line
clear_screen
type_line '1000 +'
expect '^>>'
type_line '234'
expect '^1234$'

# a misspelt name: the nearest one is suggested
clear_screen
type_line 'gen.rmatt{scale = 3}'
expect 'did you mean `gen.rmat`'
type_line 'stpe 3'
expect 'did you mean `step`'
type_line 'help hepl'
expect 'did you mean `help`'
# words of other programs
type_line 'dijkstra(1)'
expect 'here: r = sssp\(g, s\)'
type_line 'shortest_path(g, 1, 2)'
expect 'here: r = sssp\(g, s\)'
type_line 'gen.ring(3):predecessors(0)'
expect 'here: g:reverse\(\):neighbors\(v\) is$' # a line breaks between words
expect_unbroken 'a hint'
type_line 'import networkx as nx'
expect 'here: it is built in'
type_line 'is_connected(g)'
expect 'here: components\(g\).count == 1'
type_line 'connected_components(g)'
expect 'here: r = components\(g\)'
type_line 'gen.ring(3):out_degree(0)'
expect 'here: g:degree\(v\)'
type_line 'indegree(g)'
expect 'here: g:indegree\(v\)'

# words of other programs that are also commands here: a call of load with a file name, print, info break, list, clear
clear_screen
printf '0 1\n1 2\n2 0\n' >ring.txt
type_line 'load("ring.txt")'
expect '^g = graph ring.txt: 3 vertices, 3 edges'
type_line "road = load('ring.txt')"
expect '^road = graph ring.txt: 3 vertices'
type_line 'load("ring.txt", {weights = "f64"})'
expect 'here: graph.load\(path, \{weights = "f64"\}\) reads'
type_line 'f = load("return 6 * 7")'
type_line 'f()'
expect '^42$'
type_line 'print g.n, 3 * 5'
expect '^15$'
type_line 'print "plain Lua"'
expect '^plain Lua$'
type_line 'list'
expect 'shows the source at a stop, and nothing is started'
type_line 'list bfs'
expect '1  -- Direction-optimising breadth-first search'
clear_screen
type_line 'start components(g)'
expect '^before hook components.lua:'
type_line 'ls'
expect '^> +[0-9]+ +local joined = hook\(s\)'
type_line 'list 12'
expect '12  local result = algorithm.results'
type_line 'break hook'
type_line 'info break'
expect '[0-9]  break +hook$'
type_line 'info locals'
expect '^  joined = |^  s = state components'
type_line 'delete 3'
type_line 'clear'
shows_not 'info locals'
terminal clear-history
type_line 'quit()'
expect 'is stopped and will be dropped. Quit'
type_line 'n'
type_line 'drop'
type_line 'r = scc(gen.grid{3, 3})'
type_line 'r:show'
expect '^.r:show is a function, which is called with parentheses: r:show...$'
type_line 'q'
expect 'q leaves lockstep, and what is not saved is lost. Quit'
type_line 'n'

# a text of several lines is shown as lines; a result is wrapped between words
clear_screen
type_line '"two\nlines"'
expect '^two$'
expect '^lines$'
type_line 'ocm(graph.from_edges{{0, 1, 5}, {1, 0, 2}}):dot()'
expect '^  "0" -> "1" \[label="5"\];$'
clear_screen
type_line 'r = explore(model.load(model.sample "philosophers.dve"))'
type_line 'r:trace("deadlock")'
expect '5  arendt: thinking -> one'
expect_unbroken 'the trace of a model'
clear_screen

# history search, and the file of the history
clear_screen
type_line '"a needle in the history"'
expect '^"a needle'
clear_screen
key C-r
type_text 'needl'
expect 'reverse-i-search'
key Enter
expect '^"a needle in the history"$'
check "the history's folder is private" [ "$(stat -c %a "$HOME/.local/state/lockstep")" = 700 ]
check "the history has the line once" [ "$(grep -c 'a needle in' "$HOME/.local/state/lockstep/history")" -le 2 ]

# a history search or a macro that ends in an unknown key sequence
at_once() { # sends all keys in one write, because Readline reads ahead
  terminal set-buffer -- "$(printf "$1")"
  terminal paste-buffer
}
clear_screen
key C-r
type_text 'needl'
expect 'reverse-i-search'
at_once '\033[<0;5;5M'
sleep 0.2 # waits until it was read, which nothing shows; Ctrl-C discards unread input
turn C-c
type_line '5 * 31'
expect '^155$'

# help fits the terminal
clear_screen
key C-l
type_line 'help'
expect 'help NAME or'
expect '^> help$' # the command is still visible
check "help is at most 80 columns wide" [ "$("$program" -e help | awk '{ if (length > most) most = length } END { print most }')" -le 80 ]
check "help is at most 23 lines long" [ "$("$program" -e help | wc -l)" -le 23 ]

# Ctrl-D
key C-d
expect_code 0

# Readline's macros: unknown sequences, arguments that are dropped, several lines, and one that calls itself
cat >inputrc <<'END'
"\C-xq": "\e[<0"
"\C-xg": "\e5\C-g"
"\C-xl": "3 * 37\n8 * 27\n"
"\C-xr": "b\C-xr"
END
start 80x24 INPUTRC="$folder/inputrc"
ready
for place in prompt panel; do
  for macro in q g; do
    key C-x "$macro"
    sleep 0.2 # waits until the macro has run, which nothing shows
    turn C-c
  done
  key C-x l
  expect '^ *111 *$'
  expect '^ *216 *$'
  key C-x r
  sleep 0.2 # as above
  turn C-c
  type_line 'print("still here, '$place'")'
  expect "^ *still here, $place *$"
  key C-x a
  if [ $place = prompt ]; then shows '─ script'; else shows_not '─ script'; fi
done
type_line 'quit'
expect_code 0

# help, lists and errors fit the terminal: lines end between words
for size in 80x24 60x20; do
  start $size
  ready
  for name in simulate explore fw sssp check panel compare formats loop kernel.load edit models state.sssp relax dve; do
    clear_screen
    type_line "help $name"
    ready
    expect_unbroken "help $name in $size"
  done
  clear_screen
  type_line 'lesson'
  ready
  type_line 'compare cpu a_device_that_is_not_there and_more'
  type_line 'fw(gen.ring {3}, {form = "a form that is not there"})'
  expect "'two-level', 'tiles'"
  type_line 'load models/no_graph.dve'
  expect 'load reads graphs, and'
  expect_unbroken "lists and errors in $size"
  clear_screen
  type_line 'g = gen.grid {9, 9, one_way = 0.5}'
  type_line 'start scc.forward_backward(g)'
  type_line 'until s.a_field_that_is_not_there_at_all > 3'
  expect "'a_field_that_is_not_there_at_all'"
  expect_unbroken "a stop in $size"
  type_line 'drop'
  type_line 'quit'
  expect_code 0
done

# a long answer of help waits after each page
start 80x24 LOCKSTEP_MORE=on
ready
type_line 'help stepping'
expect '^.more: space or Enter; q ends.$'
expect_not 'See also: help past'
key Space
expect 'See also: help past'
expect_not '^.more:'
ready
clear_screen
for last in q C-c; do # the prompt works as before
  type_line '??sssp'
  expect '^.more: '
  turn PageDown
  key $last
  ready
  expect_not '^.more: '
  type_line '"on '$last'"'
  expect "^\"on $last\"$"
  clear_screen
done
type_line 'help quit'
ready # a text that fits the screen is printed without the pager
clear_screen
key '?primitives' Enter '"ahead"' Enter # input typed ahead is taken as a line, not as the pager's key
expect '^"ahead"$'
expect_not '^.more: '
type_line 'quit'
expect_code 0

# the history is kept for the next session
start 200x60
ready
key C-r
type_text 'needl'
key Enter
expect '^"a needle in the history"$'
type_line 'exit 7'
expect_code 7

finish
