# The panel: on and off, the prompt inside it, its keys, what scripts write.
. "$(dirname "$0")/tui.sh"

city=$root/samples/city.gr
row() { terminal capture-pane -p | sed -n "${1}p"; }
twin() { key C-x; type_text "$1"; }
begin() {
  start "$@"
  ready
  type_line "load $city"
  expect '^g = graph'
}

# output from before the panel was opened is shown in its pane, and is not repeated when the panel is closed
begin 80x24
type_line 'io.write("in "); print("Lua")'
expect '^in Lua$'
type_line 'no_such_thing()'
expect '^no_such_thing is not defined|attempt to call'
type_line 'panel'
shows '─ script'
shows '^> io.write\("in "\); print\("Lua"\)$'
shows '^in Lua$'
shows "attempt to call"
type_line '6 * 7'
shows '^42$'
for _ in 1 2 3; do key PageUp; done
shows '^lockstep .* Ctrl-D ends\.$'
shows '^g = graph city.gr'
twin a
shows_not '─ script'
[ "$(screen | grep -c '^in Lua$')" = 1 ] || fail 'what was printed before is printed again when the panel goes'
[ "$(screen | grep -c '^42$')" = 1 ] || fail 'what was printed in the panel is not printed once outside'

begin 80x24

# ^Xa in the middle of a line, on and off
type_text '40 + '
twin a
shows '^┌─ script'
shows '^> 40 \+ *$'
type_text '2'
shows '^> 40 \+ 2 *$'
key Enter
shows '^42 *$'
type_text '50 + '
twin a
shows_not 'script'
shows '^> 50 \+ *$'
type_text '3'
key Enter
expect '^53$'
expect '^42$' # output from within the panel is visible after it is closed

# the command, and a view by name
type_line 'panel'
shows '^┌─ script'
type_line 'panel buffers'
shows '─ buffers'
type_line 'panel nonsense'
shows 'there is no view `nonsense`; there are .*timing'
complete 'panel of' 'panel off'
shows_not '─ script'
ready
type_line 'panel on'
shows '─ buffers' # the other views have nothing to show yet

# every function key, and its twin: Ctrl-X and the key's number
type_line 'start scc.forward_backward(g)'
shows 'before trim scc.lua'
shows 'PAUSED'
key F8
shows '^#1 trim'
twin 8
shows '^#2 trim'
key F7
shows '^iter 1 '
twin 7
shows '^iter 2 '
for press in 'key F1' 'twin 1'; do
  $press
  shows '─ help'
  shows_not '─ script'
  for line in 'F1  \^X1     this help, and back; so does Esc' 'arrows      move in the focused pane; so do PgUp, PgDn, Home, End' \
    'PgUp PgDn   scroll this help; without it, the output at the prompt' '/  n        search the focused view; go to the next match'; do
    shows "^│$line  *│\$"
  done
  $press
  shows_not '─ help'
  shows '─ script'
done
key F1
key PageDown # while the prompt has the focus
shows '^│timeline    '
key PageUp
shows '^│F2  \^X2     another view'
type_line '5 * 5' # the prompt still answers
shows '^25$'
key F1
shows_not '─ help'
key F2
shows_not '─ buffers'
twin 2
shows_not '─ log'
key F4
for _ in 1 2 3; do key Down; done
key F9
shows '●'
twin 9
shows_not '●'
type_text 'b'
shows '●'
key F5 # the breakpoint lies in the loop
shows 'PAUSED break 2'
type_text 'b'
shows_not '●'
twin 4 # the prompt has the focus again
key F6
shows '^> until $|^> until *$'
type_text 'grown == 3'
key Enter
shows 'PAUSED until'
twin 6
shows '^> until $|^> until *$'
twin 6 # F6 again: the previous expression
shows '^> until grown == 3'
key C-u
twin 5
shows_not 'PAUSED'
key PageUp
shows '^461 strongly connected'
key PageDown

# an answer that is longer than the prompt's pane says how to see its beginning
type_line 'help stepping'
shows '─ prompt ─.* PgUp: more above ─'
for _ in 1 2 3 4 5 6 7; do key PageUp; done
shows '^Running an algorithm one primitive at a time'
shows '─ prompt ─.* more below ─'
type_line '1 + 1'
shows_not 'more above'

# F5 pauses a free run, and the run continues
type_line 's = state.scc(gen.ring{5}) while true do trim(s) end'
shows 'RUNNING [01]\.[0-9] s'
shows 'RUNNING 2\.[0-9] s' # the clock runs
shows 'F5Pause'
key F5
shows ' PAUSED paused'
type_line 'step'
shows '^#[0-9]+ trim'
key F5
shows 'RUNNING'
twin 5
shows ' PAUSED paused'
type_line 'drop'
# F5 in the middle of an unstepped fixpoint, on a graph so small that the main thread runs it
type_line 'device cpu:1'
type_line 'edges = {weights = "i32"} for v = 1, 30000 do edges[v] = {v, v - 1, 1} end'
type_line 'long = paths.bellman_ford(graph.from_edges(edges), 30000)'
shows 'RUNNING [0-9.]+ s'
key F5
shows ' PAUSED paused'
shows "(relax|before|at) .*paths.lua"
type_line 'dist:max() == dist[30000]'
key F5
shows 'finished long = paths'
type_line 'device cpu'
type_line 'long.dist[0], check(long)'
shows '^30000 *$'
shows '^true *$'
until_go='until [ -e go ]; do sleep 0.05; done'
type_line "!$until_go"
shows 'RUNNING'
key F5
shows 'this cannot be paused; Ctrl-C ends it'
touch go
shows 'ready'
key C-l

# focus: a view with the focus gets the letters, and the prompt's line is kept; search
type_text 'kept'
twin o
type_text '/'
type_text 'reach'
shows '^/reach'
key Enter
shows '^F1Help'
leave
type_text ' line'
shows '^> kept line'
key C-u

# completion in columns, history, several lines
type_text 'gen.r'
key Tab Tab
shows '^ring +rmat +road *$'
key C-u
key C-r
type_text '40'
shows 'reverse-i-search.*40'
key Enter
shows '^42 *$'
type_line 'for i = 1, 2 do'
shows '^>> *$'
type_line 'print("line " .. i) end'
shows '^line 2 *$'
type_line 'x = ('
key C-c
shows '\^C *$'
type_line '"after"'
shows '^"after" *$'

# output of scripts, C code and child processes goes into the pane
type_line 'print("by print") io.write("by write\n") io.stderr:write("by stderr\n") os.execute("echo by a child")'
for way in print write stderr 'a child'; do shows "^by $way"; done
type_line '!echo by the shell; echo and its errors >&2'
shows '^by the shell *$'
shows '^and its errors *$'
shows '^┌─ '
rm go
type_line "!$until_go; echo late"
shows 'RUNNING'
touch go
shows '^late *$'
type_line '!exit 3'
shows 'ended with status 3'
type_line '!cat; echo and no keys'
shows '^and no keys'
rm go
type_line "!!tty >whole; $until_go"
shows_not '─ script'
touch go
shows '─ script'
check "a program may have the whole terminal" grep -q '^/dev/' whole
type_line 'os.execute("touch reads") return io.read()'
wait_for 10 [ -e reads ]
type_line 'an answer'
shows '^"an answer"'
type_line 'io.write(("x"):rep(300000), "\n", "the end\n")'
shows '^the end *$'
type_line 'error("a message")'
shows 'a message'
row 2 | grep -q '^┌─' || fail "the frame is broken"

# scrollback
type_line 'for i = 1, 100 do print("row " .. i) end'
shows '^row 100 *$'
key PageUp
shows 'more below'
shows '^row 9[0-9] *$'
shows_not '^row 100 *$'
key PageDown
shows '^row 100 *$'

# Ctrl-L redraws everything
terminal capture-pane -p >before
key C-l
shows '^> *$'
shows '─ script'

# the panel closes when the prompt ends, and the next session restores its arrangement
type_line 'panel log'
shows '─ log'
key C-d
expect_code 0
expect_not '─ script'
begin 80x24
type_line 'panel'
shows '─ log'
type_line 'quit'
expect_code 0

# sizes
begin 200x60
type_line panel
shows 'devices'
type_line quit
begin 50x12
type_line panel
shows '^ ready|ready'
shows_not '─'
type_line '6*7'
shows '^42 *$'
type_line quit
expect_code 0

# from Lua, before there is a prompt, and while one waits
echo 'print(panel.on(), panel.is_on()) panel.off() print("outside")' >s.lua
start 80x24 -- -i s.lua
expect '^true +true$'
expect '^outside$'
ready
type_line 'panel.show("log")'
shows '─ log'
type_line 'panel.show("lag")'
shows 'there is no view `lag`'
type_line 'panel.off()'
shows_not '─ log'
type_line quit
expect_code 0
check "a script goes on without a terminal" [ "$("$program" -e 'print(panel.show("log"))' </dev/null | cut -f1)" = false ]

# terminals that cannot show the panel, and plain terminals
start 80x24 TERM=dumb
ready
type_line panel
expect 'needs a terminal whose cursor can be moved; TERM is `dumb`'
type_line '"still here"'
expect '^"still here"'
start 80x24 TERM=no-such-terminal
ready
type_line panel
expect 'does not know the terminal `no-such-terminal`'
type_line quit
expect_code 0
for setting in TERM=vt100 TERM=linux TERM=screen LANG=C NO_COLOR=1; do
  start 80x24 "$setting"
  ready
  type_line panel
  shows 'script'
  shows '^(\+|┌)(-|─) script'
  type_line '"in \xc3\xa9"'
  shows '^"in '
  type_line 'panel off'
  shows_not '(\+|┌)(-|─) script'
  type_line quit
  expect_code 0
done
"$program" -e panel >out 2>err </dev/null
check "without a prompt the panel is refused" [ $? = 1 ]
check "and says why" grep -q 'needs a prompt on a terminal' err

finish
