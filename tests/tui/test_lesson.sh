# The guided lessons: as tests, without a terminal; then walked at the prompt.
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
bad=0
export LOCKSTEP_LESSON_SMALL=1 # lesson 4's graph of millions
for device in cpu cpu:1; do
  for lesson in "$samples"/lessons/[0-9]*.lua; do
    name=$(basename "$lesson" .lua)
    "$1" --backend $device -e "lesson run ${name%%-*}" >/dev/null 2>"/tmp/lesson.$$" || { cat "/tmp/lesson.$$"; bad=1; }
  done
done
rm -f "/tmp/lesson.$$"

# answers are shown when asked for, and only then
place=$(mktemp -d)
"$1" --backend cpu:1 -e 'lesson run 1' >"$place/told" 2>&1
"$1" --backend cpu:1 -e 'lesson 1' -e 'lesson answers' >"$place/asked" 2>&1
! grep -q '^1. It removes the vertex' "$place/told" && grep -q '^1. It removes the vertex' "$place/asked" ||
  { echo "FAILED: a lesson's answers"; cat "$place/asked"; bad=1; }
"$1" --backend cpu:1 -e 'lesson 3' -e 'lesson answers' 2>"$place/none" >/dev/null && bad=1
grep -q 'this lesson has no answers' "$place/none" || { echo "FAILED: a lesson without answers"; bad=1; }
rm -rf "$place"

# a lesson of one's own: what `lesson new` writes is whole, its claims are checked, and what is wrong is named
place=$(mktemp -d)
own() { (cd "$place" && timeout 60 "$1" --backend cpu:1 "${@:2}" >out 2>&1); }
own "$1" -e 'lesson new layers' -e 'lesson check layers.lua' && grep -q '^layers.lua: 3 pages, 8 claims hold$' "$place/out" ||
  { echo "FAILED: lesson new, lesson check"; cat "$place/out"; bad=1; }
own "$1" -e 'lesson layers.lua' -e 'lesson next' -e 'lesson again' -e 'lesson next' -e 'lesson answers' -e 'lesson next' && bad=1
grep -q '^--- layers: a search, layer by layer, 3 of 3 ---$' "$place/out" && grep -q '^1. 99, each of one' "$place/out" ||
  { echo "FAILED: a lesson of one's own"; cat "$place/out"; bad=1; }
# names COMMAND TEXT: the error that a command ends with
names() {
  own "$program" -e "$1" && { echo "FAILED: $1 is no error"; bad=1; }
  grep -qF -- "$2" "$place/out" || { echo "FAILED: $1 does not say: $2"; cat "$place/out"; bad=1; }
}
program=$1
names 'lesson new layers' 'layers.lua is there already'
names 'lesson new 9x' 'lesson new wants a name of small letters'
names 'lesson new' 'lesson new wants a name'
names 'lesson check layers' 'lesson check wants a file: lesson check NAME.lua'
names 'lesson none.lua' 'none.lua: No such file or directory'
sed 's/grown == 2/grown == 3/' "$place/layers.lua" >"$place/false.lua"
names 'lesson check false.lua' 'lesson false, page 2: this does not hold: grown == 3'
wrong() { # TEXT OF THE FILE, WHAT IS SAID
  printf '%s\n' "$1" >"$place/wrong.lua"
  names 'lesson check wrong.lua' "$2"
}
wrong 'return 5' 'a lesson returns a list of pages, {{run = {...}, say = [[...]]}, ...}; this one returns a number'
wrong 'return {}' 'a lesson has one page at least'
wrong 'return {5}' 'wrong.lua: page 1 is to be a table, got a number'
wrong 'return {{say = "a"}, {sya = "b"}}' "page 2: no field of a page is called 'sya' (did you mean say?)"
wrong 'return {{run = "step"}}' 'page 1: run is to be a list of commands, got a string'
wrong 'return {{say = "a", hold = {true}}}' 'page 1: hold is to be a list of expressions, item 1 is a boolean'
wrong 'return {{say = "a", answers = "b"}, {say = "c"}}' 'page 1: the last page alone has answers, and there are 2 pages'
wrong 'return {{see = "graph"}}' 'page 1 has neither run nor say'
wrong 'return {{say = "a"' "'}' expected"
rm -rf "$place"

# an installed program finds its own; a claim that does not hold is told, and fails
place=$(mktemp -d)
mkdir -p "$place/bin" "$place/share/lockstep"
cp "$1" "$place/bin/lockstep"
cp -r "$samples" "$place/share/lockstep/samples"
lessons=$place/share/lockstep/samples/lessons
sed -i 's/"trimmed > 0"/"trimmed == 4711"/' "$lessons/1-trimming.lua"
(cd / && "$place/bin/lockstep" -e 'lesson run trimming' >"$place/out" 2>&1)
[ $? = 1 ] && grep -q 'lesson trimming, page 2: this does not hold: trimmed == 4711' "$place/out" ||
  { echo "FAILED: a false claim is not told"; cat "$place/out"; bad=1; }
echo 'return {{say = "{no_such_thing.x}"}}' >"$lessons/1-trimming.lua"
"$place/bin/lockstep" -e 'lesson run trimming' >"$place/out" 2>&1 && { echo "FAILED: a text that cannot be told"; bad=1; }
rm -rf "$place"
[ $bad = 0 ] || exit 1

. "$(dirname "$0")/tui.sh"
start 100x60
ready
type_line 'lesson'
expect '^  1  trimming  '
expect '^  3  maxima  '
expect '^  5  worst-load  '
expect '^  6  bytecode  '
expect '^ 10  railway  '
type_line 'lesson next'
expect 'no lesson is begun'
type_text 'lesson for'
key Tab
sleep 0.2
key Enter
expect 'Enter or `lesson next` goes on'
expect 'lesson, 1 of 8: Forward and'     # a pane's title, and its text
expect 'Trimming has left 7 vertices'
expect 'graph: 13 vertices'
type_line 'panel off'

# out of the panel; the learner goes astray, and is brought back
ready
clear_screen
type_line 'lesson again'
expect '^--- .*, 1 of 8 ---$'
expect 'iter 1 live 7 regions 1 trimmed 6'
expect 'Take all vertices that the pivot reaches'
type_line 'step 5'
type_line 'back 2'
expect 'past \(#'
clear_screen
type_line 'lesson next'
expect 'back to where the lesson was'
expect '^--- .*, 2 of 8 ---$'
expect '^The pivot reaches 3, 4, 5 and 6, itself included'
clear_screen
key Enter
expect '^--- .*, 3 of 8 ---$'
type_line 'back 3'
expect 'past'
clear_screen
type_line 'lesson next'
expect 'the present$'
expect '^--- .*, 4 of 8 ---$'
for page in 5 6 7 8; do
  clear_screen
  type_line 'lesson next'
  expect "^--- .*, $page of 8 ---\$"
done
expect 'this was lesson 2; `lesson 3` is'
clear_screen
type_line 'lesson 2' # and Enter again, as one who reads on
key Enter
expect 'lesson 2 is at its end: `lesson restart` begins it anew'
expect_not '1 of 8'
type_line 'lesson next'
expect 'no lesson is begun'

# in the panel Enter shows more of a long text first
clear_screen
type_line 'lesson 1'
expect 'lesson, 1 of 9: Trimming'
terminal resize-window -x 80 -y 24
expect ' more '
expect_not 'no edge enters, or that no edge leaves'
for _ in 1 2 3 4 5; do
  key Enter
  sleep 0.2
done
expect 'lesson, 2 of 9'
type_line 'lesson end'
expect '`lesson` lists|─ timing'
type_line 'panel off'
ready
finish
