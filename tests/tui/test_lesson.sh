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
