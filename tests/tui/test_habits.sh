# Habits from other languages and debuggers: the input works, or the message says how to write it here.
. "$(dirname "$0")/tui.sh"

start 80x24
ready
type_line 'x = 3 i = 1 b = buffer.new("u32", {1, 2}) d = b ref = b g = gen.grid{4, 4} r = bfs(g, 0)'
ready

says() { # says LINE PATTERN: asserts that the output of LINE matches PATTERN
  clear_screen
  type_line "$1"
  expect "$2"
  ready
}
says 'x += 1' '\(write x = x \+ 1\)$'
says 'i += 1' '\(write i = i \+ 1\)$'
says 'b[0] -= 2' '\(write b\[0\] = b\[0\] - 2\)$'
says 'i++' '\(write i = i \+ 1\)$'
says 'check r' '\(write check\(r\)\)$'
says 'diff d ref' 'type d:diff\(ref\)$'
says 'diff(d, ref)' '\(write d:diff\(ref\)\)$'
says 'hist(b)' '\(write b:hist\(\)\)$'
says 'top(b, 3)' '\(write b:top\(3\)\)$'
says 'x ** 2' '\(a power is x \^ 2\)$'
says '[1,2,3]' '\(a list has braces: \{1,2,3\}\)$'
says 'y = [x, 4]' '\(a list has braces: \{x, 4\}\)$'
says 'x != 2' '\(`not equal` is ~=\)$'
says 'break trim if x != 2' '\(`not equal` is ~=\)$'
says 'if x && i then end' '\(write a and b\)$'
says 'y = !x' '\(write not x\)$'
says 'True' '^\(True names nothing, so it is nil: write true\)$'
says 'y = True' '^\(True names nothing, so it is nil: write true\)$'
says 'y = {None}' '^\(None names nothing, so it is nil: write nil\)$'
says 'for i in range(3):' '= 0, 2 do \.\.\. end; for i, x in ipairs'
says 'int k = 5' '\(write k = 5\)$'
says '# a comment' '\(a comment begins with --\)$'
says 'y = {a: 1}' 'fields are written \{name = value'
says '"a" + "b"' 'texts are joined by \.\.'

# shipped files are found from any folder, unless the current folder has a file of that name
says 'load samples/city.gr' '^g = graph city.gr: 5644 vertices'
expect '^\(using the samples/city.gr that comes with the program\)$'
says 'h = graph.load("samples/city.gr"); h.n' '^5644$'
says 'm = model.load("samples/models/queue.dve"); m' '^model queue.dve: '
says 'load city.gr' '^ *samples/city.gr\)$|load samples/city.gr\)$'
says 'load samples/none.gr' '^samples/none.gr: No such file'
mkdir samples
printf 'p sp 2 1\na 1 2 5\n' >samples/city.gr
says 'load samples/city.gr' '^g = graph city.gr: 2 vertices'
expect_not 'comes with the program'
type_line 'g = gen.grid{4, 4}'

# correct input gets no hint
says 'y = "a != b [1] True"; y' '^"a != b \[1\] True"$'
expect_not 'names nothing|not equal'
says 'True = 5; True' '^5$'
expect_not 'names nothing'
type_line 'x ='
expect '^>> '
key C-c
ready

# `p x` prints, as in gdb, and a user's s, i, n are variables
says 'p x' '^3$'
says 'p g.n, x' '^16$'
says 'help p' '^command print EXPR$'
says 'p = 8; p' '^8$'
says 'p' '^8$'
says 'p x' '^3$'

# `s` shows the algorithm's local of that name; once per run a hint says how to give the command instead
for f in 'bfs(g, 0)' 'scc(g)' 'scc.forward_backward(g)'; do
  type_line "start $f"
  expect '^before '
  ready
  clear_screen
  type_line 's'
  expect '^state '
  expect 'the command is `:s`, `step` or `n`\)$'
  ready
  clear_screen
  type_line 's'
  expect '^state '
  ready
  expect_not 'the command is'
  type_line ':s'
  expect '^#[0-9]+ '
done
# Tab knows the options of a call
options() { # options TEXT PATTERN: what pressing Tab twice shows
  clear_screen
  type_text "$1"
  key Tab Tab
  expect "$2"
  key C-u
}
options 'gen.rmat{sc' '^> gen.rmat\{scale$'
options 'gen.rmat{scale = 5, deg' 'scale = 5, degree$'
options 'bfs(g, 0, {fo' 'bfs\(g, 0, \{form$'
options 'sssp(g, 0, {de' 'sssp\(g, 0, \{delta$'
options 'graph.load("x.gr", {' '^base +format +scale +verify +weights *$'
options 'g:partition{mem' '^> g:partition\{memory$'
options 'y = {gen.ri' '^> y = \{gen.ring$'

# a file on standard input, or passed to source, is one block, like a paste: its lines may share a local
printf '#!/usr/bin/env lockstep\nlocal a = 5\nlocal other = a + 1\nprint("told " .. a * other)\nother * 2\n' >shared.txt
"$program" --backend cpu <shared.txt >out 2>&1
[ "$(cat out)" = "$(printf 'told 30\n12')" ] || fail "a file with locals: $(cat out)"
printf 'local a = 5\nlocal b = 6\nerror("here")\n' | tee failing.txt >/dev/null
"$program" --backend cpu <failing.txt 2>&1 | grep -q '^stdin:3: here$' || fail 'the line of an error in a file with locals'
printf 'c = 5\nhelp quit\nc + 1\nnothing.there\nc + 2\n' >commands.txt # a file with commands runs line by line, also after a failure
"$program" --backend cpu <commands.txt 2>/dev/null | grep -q '^7$' || fail 'a file with commands'
clear_screen
type_line 'source shared.txt'
expect '^told 30$'
expect '^12$'
finish
