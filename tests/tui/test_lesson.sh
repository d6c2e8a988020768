# The guided lessons: first as tests without a terminal, then followed at the prompt.
. "$(dirname "$0")/../part.sh"
. "$(dirname "$0")/../shell.sh"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home
XDG_CACHE_HOME=$(dirname "$(realpath "$1")")/tests/cache # kernels that lessons compile are kept in the same cache as those of specs
export XDG_CACHE_HOME
samples=$(cd "$(dirname "$0")/../../samples" && pwd)
bad=0
export LOCKSTEP_LESSON_SMALL=1 # a small graph instead of the millions of vertices of lesson potentials
for lesson in "$samples"/lessons/[0-9]*.lua; do
  name=$(basename "$lesson" .lua)
  if due; then "$1" --backend cpu -e "lesson run ${name%%-*}" >/dev/null 2>"$home/said" || { cat "$home/said"; bad=1; }; fi
  # the check runs all pages too, and names questions without a hint and hints that contain the answer
  "$1" --backend cpu:1 -e "lesson check $lesson" >"$home/said" 2>&1 || { cat "$home/said"; bad=1; }
  grep -E '^\(page [0-9]+: its ' "$home/said" && { echo "FAILED: a question or a hint of $lesson"; bad=1; }
  grep -qF "$lesson: " "$home/said" || { echo "FAILED: $lesson is not checked"; tail -1 "$home/said"; bad=1; }
done

# if a learner runs other commands between the pages, the next page begins at the stop where the lesson was
for lesson in "$samples"/lessons/[0-9]*.lua; do
  due || continue
  name=$(basename "$lesson" .lua)
  {
    echo "lesson ${name%%-*}"
    for _ in $(seq 12); do printf '%s\n' '1 + 1' step 'back 2' 'lesson guess 77' 'lesson again' 'lesson next'; done
  } | "$1" --backend cpu:1 >"$home/said" 2>&1
  grep -E '^lesson .* page .*: this is not true|^lesson:[0-9]|^check: ' "$home/said" && { echo "FAILED: astray in $lesson"; bad=1; }
  grep -q '^(this is the end of the lesson: ' "$home/said" || { echo "FAILED: the end of $lesson is not reached"; tail -3 "$home/said"; bad=1; }
done

# the learner's own breakpoints and watches have no effect while a page runs, and still exist after it
{
  printf '%s\n' 'watch s.level:count(1)' 'break deepen' 'break iter 2'
  printf '%s\n' 'lesson 2' 'break visit' 'lesson next' 'info break' 'step' 'continue' 'lesson 12' 'lesson next' 'lesson next' 'lesson end' \
    'info break'
} | "$1" --backend cpu:1 >"$home/said" 2>&1
grep -q 'this is not true' "$home/said" && { echo "FAILED: a breakpoint stops a lesson's page"; cat "$home/said"; bad=1; }
[ "$(grep -c '^  [1-4]  \(break\|watch\) ' "$home/said")" = 8 ] && ! grep -q '^ .*tbreak  ' "$home/said" ||
  { echo "FAILED: breakpoints after a lesson"; cat "$home/said"; bad=1; }

# a lesson restores the variables that it used, and the device; variables that the learner has set since are kept
place=$(mktemp -d)
{
  printf '%s\n' 'web = 4711' 'streets = nil' "lesson export 2 $place/x.html" 'print(web, streets, q, push, lesson, town, search)'
  printf '%s\n' 'device().name' 'lesson 16' 'lesson next' 'device().name' 'roads = "mine"' 'start fw(gen.ring{5})' 'lesson end' \
    'print(web, roads, best, lesson)' 'where' 'device().name' 'lesson 1' 'lesson next' 'lesson next' 'lesson end' 'where'
} | "$1" --backend cpu >"$place/out" 2>&1
for line in '4711	nil	nil	nil	nil	nil	nil' '4711	mine	nil	nil' '(dropped fw(gen.ring{5}))'; do
  grep -qxF -- "$line" "$place/out" || { echo "FAILED: after a lesson there is no line: $line"; cat "$place/out"; bad=1; }
done
[ "$(grep -c '^nothing is started' "$place/out")" = 1 ] || { echo "FAILED: a lesson's algorithm stands after it"; bad=1; }
printf '%s\n' 'lesson 8' 'device().name' 'lesson end' 'device().name' | "$1" --backend cpu >"$place/out" 2>&1
[ "$(grep -xE '"cpu(:1)?"' "$place/out" | tr -d '\n')" = '"cpu:1""cpu"' ] || { echo "FAILED: the device after a lesson"; cat "$place/out"; bad=1; }
rm -rf "$place"

# answers are shown only on request
place=$(mktemp -d)
"$1" --backend cpu:1 -e 'lesson run 1' >"$place/told" 2>&1
"$1" --backend cpu:1 -e 'lesson 1' -e 'lesson answers' >"$place/asked" 2>&1
! grep -q '^1. Five zeros' "$place/told" && grep -q '^1. Five zeros' "$place/asked" ||
  { echo "FAILED: a lesson's answers"; cat "$place/asked"; bad=1; }
echo 'return {{say = "a"}}' >"$place/short.lua"
"$1" --backend cpu:1 -e "lesson $place/short.lua" -e 'lesson answers' 2>"$place/none" >/dev/null && bad=1
grep -q 'this lesson has no answers' "$place/none" || { echo "FAILED: a lesson without answers"; bad=1; }
rm -rf "$place"

# every lesson has questions, one bug to find, and answers to its last questions; every lesson that a text names exists
for lesson in "$samples"/lessons/[0-9]*.lua; do
  [ "$(grep -c '^    ask = ' "$lesson")" -ge 3 ] || { echo "FAILED: $lesson asks fewer than three questions"; bad=1; }
  [ "$(grep -c '^A BUG TO FIND' "$lesson")" = 1 ] || { echo "FAILED: $lesson has no bug to find"; bad=1; }
  grep -q '^    answers = ' "$lesson" || { echo "FAILED: $lesson has no answers"; bad=1; }
  [ "$(head -1 "$lesson" | wc -m)" -le 81 ] || { echo "FAILED: the title of $lesson is cut"; bad=1; }
done
for name in $(grep -hoE '`lesson [a-z-]+`' "$samples"/lessons/*.lua | tr -d '`' | cut -d' ' -f2 | sort -u); do
  case $name in answers | next) continue ;; esac
  ls "$samples"/lessons/*-"$name".lua >/dev/null 2>&1 || { echo "FAILED: a text names lesson $name"; bad=1; }
done

# a user's lesson: the file of `lesson new` is complete, its claims are checked, and errors in it are named
place=$(mktemp -d)
own() { (cd "$place" && timeout 60 "$1" --backend cpu:1 "${@:2}" >out 2>&1); }
own "$1" -e 'lesson new layers' -e 'lesson check layers.lua' && grep -q '^layers.lua: 3 pages, 8 claims hold, 2 questions$' "$place/out" ||
  { echo "FAILED: lesson new, lesson check"; cat "$place/out"; bad=1; }
own "$1" -e 'lesson layers.lua' -e 'lesson next' -e 'lesson again' -e 'lesson next' -e 'lesson answers' -e 'lesson next' -e 'lesson answers' || bad=1
grep -q '^--- layers: a search, layer by layer, 3 of 3 ---$' "$place/out" && [ "$(grep -c '^1. 99, each of one' "$place/out")" = 2 ] &&
  grep -q '^(this is the end of the lesson: `lesson end` closes it' "$place/out" ||
  { echo "FAILED: a lesson of one's own"; cat "$place/out"; bad=1; }
# a guess is compared with the answer: words and numbers in any order
guess() { # WORDS, EXPECTED TEXT
  own "$program" -e 'lesson layers.lua' -e "lesson guess $1"
  grep -qF -- "$2" "$place/out" || { echo "FAILED: lesson guess $1 does not say: $2"; tail -3 "$place/out"; bad=1; }
}
program=$(realpath "$1")
guess '1 and 2' 'Right: 1 and 2; Enter or `lesson next` goes on.'
guess '{2, 1.0}' 'Right: 1 and 2;'
guess '1' 'No, not 1. Two numbers are expected. Look at the streets that leave crossing 0,'
guess '1 2 3' 'No, not 1 2 3.'
guess '1 1' 'No, not 1 1.'
guess '12' 'No, not 12.'
guess 'one two' 'No, not one two.'
guess '1kB and 2 MB' 'Right: 1 and 2;'
guess '1 + 1' 'No, not 1 + 1.'
guess 'I think that it is 1 and 2' 'Right: 1 and 2;'
guess 'not 1 and 2' 'No, not not 1 and 2.'
guess '1, 2 or 3' 'No, not 1, 2 or 3.'
sed -e 's/Which crossings are in the first layer?/Which is it: streets, roads or web?/' -e "s/'1 and 2'/'web'/" "$place/layers.lua" >"$place/choice.lua"
for words in 'I think web' web 'Web, surely'; do
  own "$program" -e 'lesson choice.lua' -e "lesson guess $words"
  grep -q '^Right: web' "$place/out" || { echo "FAILED: $words is not right"; bad=1; }
done
for words in 'streets or web' 'web, not roads' 'roads web' 'the web or not' 'the webs' 'streets'; do
  own "$program" -e 'lesson choice.lua' -e "lesson guess $words"
  grep -q '^No, not ' "$place/out" || { echo "FAILED: $words is right"; bad=1; }
done
sed -e "s/'1 and 2'/2.275/" "$place/layers.lua" >"$place/sum.lua"
own "$program" -e 'lesson sum.lua' -e 'lesson guess 1 + 0.85*1.5'
grep -q '^Right: 2.275; ' "$place/out" || { echo "FAILED: a sum is not worked out"; bad=1; }
own "$program" -e 'lesson sum.lua' -e 'lesson guess 1 +* 2' -e 'lesson guess 1 + 1.27'
[ "$(grep -c '^No, not 1 +' "$place/out")" = 2 ] || { echo "FAILED: a wrong sum"; cat "$place/out"; bad=1; }
# numbers are compared by value: a fraction with another fraction and with a decimal
sed -e "s/'1 and 2'/'16\\/3'/" "$place/layers.lua" >"$place/fraction.lua"
for words in '32/6' '16 / 3' 5.33 5.333333 'lambda = 32/6' 'it is 16/3'; do
  own "$program" -e 'lesson fraction.lua' -e "lesson guess $words"
  grep -q '^Right: 16/3' "$place/out" || { echo "FAILED: $words is not 16/3"; tail -2 "$place/out"; bad=1; }
done
for words in 5 5.3 5.34 16 '3/16'; do
  own "$program" -e 'lesson fraction.lua' -e "lesson guess $words"
  grep -q '^No, not ' "$place/out" || { echo "FAILED: $words is 16/3"; bad=1; }
done
# a wrong guess gets the page's hint and is told how much of it is right
with_hint() { # TEXT: the hint of the first question
  awk -v hint="$1" '/^ *hint = / && !n++ {$0 = "    hint = [[" hint "]],"} NR == 2 {print "source = 0"} {print}' "$place/layers.lua" >"$place/hint.lua"
}
with_hint 'Who is next to {source}?'
own "$program" -e 'lesson hint.lua' -e 'lesson guess 1 and 7'
grep -q '^No, not 1 and 7. 1 of the 2 numbers is right. Who is next to 0?$' "$place/out" || { echo "FAILED: a hint"; tail -2 "$place/out"; bad=1; }
# a guess is also answered if the page has no hint, or if the hint's expression fails at this stop
sed -e '/^ *hint = /d' "$place/layers.lua" >"$place/bare.lua"
with_hint '{source.x}'
for file in bare.lua hint.lua; do
  own "$program" -e "lesson $file" -e 'lesson guess 1'
  grep -q '^No, not 1. Two numbers are expected. Look once more and guess again; the next' "$place/out" ||
    { echo "FAILED: a guess in $file"; tail -2 "$place/out"; bad=1; }
done
# the author is warned of a hint whose expression fails, of a question without a hint, and of a hint that contains the answer
for way in 'lesson check hint.lua' 'lesson run hint.lua' 'lesson export hint.lua hint.html'; do
  own "$program" -e "$way" && { echo "FAILED: $way passes over a hint that fails"; bad=1; }
  grep -q 'lesson hint, page 1, hint: source.x: attempt to index' "$place/out" || { echo "FAILED: $way, of a hint that fails"; tail -2 "$place/out"; bad=1; }
done
own "$program" -e 'lesson check bare.lua' && [ "$(grep '^(page' "$place/out" | tr -d '\n')" = '(page 1: its question has no hint)(page 2: its question has no hint)' ] ||
  { echo "FAILED: questions without hints"; tail -3 "$place/out"; bad=1; }
for words in 'Either 2 or 1.' 'The crossings are {source + 2.0}, {source + 1}'; do
  with_hint "$words"
  own "$program" -e 'lesson check hint.lua' && [ "$(grep '^(page' "$place/out")" = '(page 1: its hint contains the answer)' ] ||
    { echo "FAILED: a hint that contains the answer: $words"; tail -3 "$place/out"; bad=1; }
done
for words in 'Not 12, and not 21.' 'One of them is 2.'; do
  with_hint "$words"
  own "$program" -e 'lesson check hint.lua' && grep -q '^(page' "$place/out" && { echo "FAILED: a good hint: $words"; bad=1; }
done
own "$program" -e 'lesson run bare.lua' && ! grep -q '^(page' "$place/out" || { echo "FAILED: lesson run shows what is for the author"; bad=1; }
own "$program" -e 'lesson sum.lua' -e 'lesson guess 5' -e 'lesson guess -3'
grep -q '^No, not 5. It is less. ' "$place/out" && grep -q '^No, not -3. It is more. ' "$place/out" || { echo "FAILED: less or more"; bad=1; }
echo 'return {{say = "a", hint = "b"}}' >"$place/lone.lua"
own "$program" -e 'lesson lone.lua' && bad=1
grep -q 'page 1: a hint needs a question (ask)' "$place/out" || { echo "FAILED: a hint without a question"; bad=1; }
# messages do not reveal the answer, except under `lesson check`
printf -- '-- A secret\nsecret = 4711\nreturn {{say = "a"}, {say = "b", hold = {"key == 5 or secret == 4711"}, ask = "?", answer = "secret"}}\n' >"$place/secret.lua"
for field in 'secret = nil' 'secret = {}'; do
  own "$program" -e 'lesson secret.lua' -e "$field" -e 'lesson next' && bad=1
  grep -Eq '4711|key ==' "$place/out" && { echo "FAILED: a message has the answer"; cat "$place/out"; bad=1; }
  grep -q 'lesson restart' "$place/out" || { echo "FAILED: a page that fails"; cat "$place/out"; bad=1; }
done
sed -i 's/"secret"}/"secret + nil"}/' "$place/secret.lua"
own "$program" -e 'lesson check secret.lua' && bad=1
grep -q 'page 2, answer: secret + nil: ' "$place/out" || { echo "FAILED: lesson check names the answer"; cat "$place/out"; bad=1; }
# a lesson that starts, moves or ends lessons is rejected, also if it does so through a file
for words in 'lesson run r.lua' 'lesson restart' 'lesson again' 'lesson next' 'lesson end' 'lesson 1' 'lesson r.lua' 'lesson check r.lua' \
  'lesson export r.lua r.html' 'source r.txt'; do
  printf 'return {{run = {"%s"}, say = "a"}}\n' "$words" >"$place/r.lua"
  echo 'lesson run r.lua' >"$place/r.txt"
  for way in 'lesson r.lua' 'lesson run r.lua' 'lesson check r.lua' 'lesson export r.lua r.html'; do
    own "$program" -e "$way" && { echo "FAILED: $way, which has $words"; bad=1; }
    tr '\n' ' ' <"$place/out" | tr -s ' ' | grep -q 'a lesson cannot run, move or end a lesson' || { echo "FAILED: $way, which has $words"; tail -2 "$place/out"; bad=1; }
  done
done
own "$program" -e 'lesson r.lua'
own "$program" -e 'lesson 1' -e 'lesson next' || { echo "FAILED: a lesson after one that was refused"; bad=1; }
# `lesson back` shows the previous page unchanged
own "$program" -e 'lesson layers.lua' -e 'lesson back' && bad=1
grep -q 'this is the first page' "$place/out" || { echo "FAILED: back from the first page"; bad=1; }
own "$program" -e 'lesson layers.lua' -e 'lesson next' -e 'lesson next' -e 'lesson back' -e 'lesson back' -e 'lesson next' || bad=1
[ "$(grep '^--- layers' "$place/out" | grep -oE '[0-9] of' | tr -dc 0-9)" = 123212 ] || { echo "FAILED: pages back"; cat "$place/out"; bad=1; }
own "$program" -e 'lesson choice.lua' -e 'guess web'
grep -q 'here: `lesson guess 3` answers' "$place/out" || { echo "FAILED: guess alone"; cat "$place/out"; bad=1; }
guess '' 'lesson guess needs your answer: lesson guess 3'
own "$1" -e 'lesson layers.lua' -e 'lesson guess 5' -e 'lesson guess 5'
[ "$(grep -c '^No, not 5' "$place/out")" = 2 ] || { echo "FAILED: the same guess again"; bad=1; }
own "$1" -e 'lesson guess 5' && bad=1
grep -q 'no lesson is open' "$place/out" || { echo "FAILED: a guess without a lesson"; bad=1; }
own "$1" -e 'lesson layers.lua' -e 'lesson next' -e 'lesson next' -e 'lesson guess 5' && bad=1
grep -q 'this page asks no question that can be checked' "$place/out" || { echo "FAILED: a guess without a question"; bad=1; }

# exported as a page for a browser: the commands, the view, the text, the questions with their answers
own "$1" -e 'lesson export layers.lua page.html' && page=$place/page.html
for part in '<title>layers: a search, layer by layer</title>' '<b>&gt; until grown == 0</b>' '#1 visit ' '<svg xmlns=' \
  "<p class='ask'><b>Question.</b> Which crossings are in the first layer?</p>" '<p>1 and 2</p>' '<summary>Answers to the last' \
  '<code>grown 2</code>' '</html>'; do
  grep -qF -- "$part" "$page" || { echo "FAILED: the exported page has no $part"; cat "$place/out"; bad=1; }
done
[ "$(grep -c '<h2>' "$page")" = 3 ] && [ "$(grep -c '<svg' "$page")" = 3 ] || { echo "FAILED: pages and views of the export"; bad=1; }
[ "$(wc -l <"$place/out")" = 1 ] || { echo "FAILED: lesson export prints more than one line"; cat "$place/out"; bad=1; }
command -v xmllint >/dev/null && { xmllint --html --noout "$page" 2>&1 | grep -v 'Tag svg\|Tag path\|Tag rect\|Tag text\|Tag g \|Tag figure\|Tag details\|Tag summary' | grep -q 'error' &&
  { echo "FAILED: the exported page is no HTML"; bad=1; }; }
own "$1" -e 'lesson export 6 six.html'
awk 'length > 80 && /^primitive|^  [a-z]/ {bad = 1} END {exit bad}' "$place/six.html" || { echo "FAILED: the page of an export breaks its lines once more"; bad=1; }
grep -q '^primitive relax_edges' "$place/six.html" || { echo "FAILED: lesson 6 no longer shows ?relax_edges"; bad=1; }
own "$1" -e 'lesson export layers.lua page.pdf' && bad=1
grep -q 'lesson export needs a file that ends in .html' "$place/out" || { echo "FAILED: an export to .pdf"; bad=1; }
own "$1" -e 'lesson export page.html' && bad=1
grep -q 'no lesson is open: name one, as in lesson export NAME FILE.html' "$place/out" || { echo "FAILED: an export of no lesson"; bad=1; }

# names COMMAND TEXT: the error that a command ends with
names() {
  own "$program" -e "$1" && { echo "FAILED: $1 is no error"; bad=1; }
  grep -qF -- "$2" "$place/out" || { echo "FAILED: $1 does not say: $2"; cat "$place/out"; bad=1; }
}
names 'lesson new layers' 'layers.lua already exists'
names 'lesson new 9x' 'lesson new needs a name of small letters'
names 'lesson new' 'lesson new needs a name'
names 'lesson check layers' 'lesson check needs a file: lesson check NAME.lua'
names 'lesson none.lua' 'none.lua: No such file or directory'
sed 's/grown == 2/grown == 3/' "$place/layers.lua" >"$place/false.lua"
names 'lesson check false.lua' 'lesson false, page 2: this is not true: grown == 3'
wrong() { # TEXT OF THE FILE, EXPECTED TEXT
  printf '%s\n' "$1" >"$place/wrong.lua"
  names 'lesson check wrong.lua' "$2"
}
wrong 'return 5' 'a lesson must return a list of pages, {{run = {...}, say = [[...]]}, ...}; this one returns a number'
wrong 'return {}' 'a lesson needs at least one page'
wrong 'return {5}' 'wrong.lua: page 1 must be a table, got a number'
wrong 'return {{say = "a"}, {sya = "b"}}' "page 2: no field of a page is called 'sya' (did you mean say?)"
wrong 'return {{run = "step"}}' "page 1: 'run' must be a list of commands, got a string"
wrong 'return {{say = "a", hold = {true}}}' "page 1: 'hold' must be a list of expressions, item 1 is a boolean"
wrong 'return {{say = "a", answers = "b"}, {say = "c"}}' "page 1: only the last page may have 'answers', and there are 2 pages"
wrong 'return {{say = "a", ask = "b"}}' 'page 1: a question (ask) needs its answer, an expression'
wrong 'return {{say = "a", answer = "5"}}' 'page 1: an answer needs a question (ask)'
wrong 'return {{say = "a", ask = "b", answer = "{}"}}' 'page 1, answer: the answer to the question is neither a text nor a number'
wrong 'return {{say = "a", ask = "b", answer = "nothing_of_that_name"}}' 'is neither a text nor a number: nothing_of_that_name'
wrong 'return {{say = "a"}, {say = "b {town:path(3)} c"}}' "lesson wrong, page 2, say: town:path(3): attempt to index a nil value (global 'town')"
wrong 'return {{say = "a", hold = {"nothing.x == 1"}}}' "lesson wrong, page 1, hold: nothing.x == 1: attempt to index a nil value (global 'nothing')"
wrong 'return {{say = "a", hold = {"1 +"}}}' "lesson wrong, page 1, hold: 1 +: "
wrong 'return {{say = "a", ask = "{nothing.x}", answer = "1"}}' 'lesson wrong, page 1, ask: nothing.x: '
wrong 'return {{say = "a", ask = "b", answer = "nothing.x"}}' 'lesson wrong, page 1, answer: nothing.x: attempt to index'
wrong 'return {{say = "a { b"}}' 'lesson wrong, page 1, say: a brace is not closed: { b'
wrong 'return {{see = "graph"}}' "page 1 has neither 'run' nor 'say'"
wrong 'return {{say = "a"' "'}' expected"
echo 'return {{run = {"error(\"a mistake\")"}}}' >"$place/wrong.lua"
names 'lesson export wrong.lua y.html' 'a mistake'
names 'lesson export false.lua y.html' 'lesson false, page 2: this is not true: grown == 3'
[ ! -e "$place/y.html" ] || { echo "FAILED: a wrong lesson is exported"; bad=1; }
rm -rf "$place"

# an installed program finds its own lessons; a false claim is reported, and the check fails
place=$(mktemp -d)
mkdir -p "$place/bin" "$place/share/lockstep"
cp "$1" "$place/bin/lockstep"
cp -r "$samples" "$place/share/lockstep/samples"
lessons=$place/share/lockstep/samples/lessons
sed -i 's/"trimmed > 0"/"trimmed == 4711"/' "$lessons/3-trimming.lua"
(cd / && "$place/bin/lockstep" -e 'lesson run trimming' >"$place/out" 2>&1)
[ $? = 1 ] && grep -q 'lesson trimming, page 2: this is not true: trimmed == 4711' "$place/out" ||
  { echo "FAILED: a false claim is not told"; cat "$place/out"; bad=1; }
echo 'return {{say = "{no_such_thing.x}"}}' >"$lessons/3-trimming.lua"
"$place/bin/lockstep" -e 'lesson run trimming' >"$place/out" 2>&1 && { echo "FAILED: a text that cannot be told"; bad=1; }
rm -rf "$place"
[ $bad = 0 ] || exit 1
rm -rf "$home"

. "$(dirname "$0")/tui.sh"
# Enter goes to the next page, which PATTERN shows; Enter is pressed twice if the page has an open question.
enter_on() {
  key Enter
  wait_for 4 seen "$1|question of this page is open"
  seen "$1" || key Enter
  expect "$1"
}
start 100x60
ready
type_line 'lesson'
expect '^  1  memory  '
expect '^  5  maxima  '
expect '^ 10  tiles  '
expect '^ 16  own-kernel  '
type_line 'lesson next'
expect 'no lesson is open'
complete 'lesson for' 'lesson for[a-z-]+'
expect 'Enter or `lesson next` goes on'
expect 'lesson, 1 of 10.*: Forward and'     # the title of a pane, then its text
expect 'After trimming, 7 vertices remain'
expect 'graph: 13 vertices'
type_line 'panel off'

# without the panel: the learner leaves the stop of the lesson and is brought back
ready
clear_screen
type_line 'lesson again'
expect '^--- .*, 1 of 10 ---$'
expect 'iter 1 live 7 regions 1 trimmed 6'
expect 'Take all vertices that the pivot reaches'
type_line 'step 5'
type_line 'back 2'
expect 'past \(#'
clear_screen
type_line 'lesson next'
expect 'back to where the lesson was'
expect '^--- .*, 2 of 10 ---$'
expect '^The pivot reaches 3, 4, 5 and 6, itself included'
clear_screen
enter_on '^--- .*, 3 of 10 ---$'
type_line 'back 3'
expect 'past'
clear_screen
type_line 'lesson next'
expect 'the present$'
expect '^--- .*, 4 of 10 ---$'
for page in 5 6 7 8 9 10; do
  clear_screen
  type_line 'lesson next'
  expect "^--- .*, $page of 10 ---\$"
done
expect 'this is the last page; `lesson answers` answers its questions; `lesson 5` is'
clear_screen
key Enter
expect 'this is the end of the lesson: `lesson end` closes it'
expect_not '1 of 10'
clear_screen
type_line 'lesson answers' # the question is still open
expect '^1. If it reaches one vertex'
type_line 'lesson end'
clear_screen
type_line 'lesson next'
expect 'no lesson is open'

# Enter continues the lesson, whatever was typed before, and does not repeat the lesson's commands
clear_screen
type_line 'lesson 1'
expect 'lesson, 1 of 7 '
type_line 'panel off'
ready
type_line 'lesson guess 7'
expect '^No, not 7.'
clear_screen
key Enter # an open question is not skipped silently
expect '^.the question of this page is open: `lesson guess ...` answers it; Enter again goes on'
expect_not '2 of 7'
key Enter
expect '^--- .*, 2 of 7 ---$'
expect_not 'No, not 7'
type_line '1 + 1'
expect '^2$'
clear_screen
enter_on '^--- .*, 3 of 7 ---$'
type_line 'lesson again'
clear_screen
enter_on '^--- .*, 4 of 7 ---$'
type_line 'step'
expect '^#'
clear_screen
enter_on '^--- .*, 5 of 7 ---$' # a page without a question
clear_screen
enter_on '^--- .*, 6 of 7 ---$'
expect_not 'asks no question'
type_line 'lesson restart'
expect '^--- .*, 1 of 7 ---$'
clear_screen
enter_on '^--- .*, 2 of 7 ---$'
type_line 'lesson end'
type_line 'start scc(gen.ring{5})' # without a lesson, Enter repeats commands again
type_line 'step'
expect '^#'
clear_screen
key Enter
expect '^#'
type_line drop

# in the panel Enter shows more of a long text first
clear_screen
type_line 'lesson 1'
expect 'lesson, 1 of 7.*: A graph in'
expect 'graph: 13 vertices' # not the city of the previous lesson
terminal resize-window -x 80 -y 24
expect 'lesson, 1 of 7 \(Enter: more\)'
expect 'one-way streets: 13 crossings'
expect_not 'QUESTION'
type_line 'lesson guess 4711' # a guess does not scroll the text
expect 'No, not 4711'
turn Enter
turn Enter
expect 'lesson, 1 of 7 \(Enter: next\)'
expect 'QUESTION: Where does vertex 5 lead'
type_line 'lesson again'
expect 'lesson, 1 of 7 \(Enter: more\)'
expect_not 'QUESTION'
turn Enter
type_line 'lesson guess 10 3' # once the question is answered, the page need not be read to its end
expect 'Right: 3 and 10; Enter or .lesson next. goes on'
key Enter
expect 'lesson, 2 of 7'
for page in 3 4 5 6 7; do
  type_line 'lesson next'
  expect "lesson, $page of 7"
done
expect 'lesson, 7 of 7 \(Enter: more\)'
expect_not 'Each vertex has a thread: which vertices'
turn Enter
turn Enter
expect '3\. Why does an edge from u to v' # the last page is read to its end
type_line 'lesson answers'
expect '│ 1\. Five zeros' # in the pane of the text
key C-x z # enlarges another pane; `lesson restart` then gives the text its room back
expect 'convergence'
type_line 'lesson restart'
expect 'lesson, 1 of 7'

# another lesson: the views of the previous one are closed, and of the new lesson's file only the program is shown
type_line 'lesson 2'
expect 'lesson, 1 of 8.*: Breadth'
expect_not 'pagerank'
for page in 2 3 4 5; do type_line 'lesson next'; done
expect 'lesson, 5 of 8'
expect "script: 2-frontiers.lua .*/$(($(grep -n '^return {' "$samples/lessons/2-frontiers.lua" | cut -d: -f1) - 1)) "
type_line 'lesson end' # the lesson has opened the panel, so it closes it
shows_not '─'
type_line 'panel' # shows the views from before the lesson
expect '─ timing: '
expect_not '─ script: '
type_line 'lesson 2'
expect 'lesson, 1 of 8'
type_line 'lesson end'
expect '─ timing: ' # the learner's panel stays
type_line 'panel off'

# no line of code is cut at 80 columns: lines that do not fit next to the share of time are broken between words
type_line 'lesson 7'
for page in 2 3 4; do type_line 'lesson next'; done
expect 'lesson, 4 of 7'
expect '58   local _, passes = +[0-9.]+%│'
expect '^│ +relax_fix\(g, \{w = w, dist = │'
expect 'max_iterations = g.n \+ 1\}\) +│'
type_line 'lesson 16'
type_line 'lesson next'
turn Enter
turn Enter
expect '│ .*A\(COUNT, u32, found, "1"\)'
type_line 'lesson end'
shows_not '─'
# a graph layout that the learner chose in one lesson does not carry over to the next one
type_line 'g = gen.grid {5, 5}'
type_line 'lesson 1'
type_line 'panel graph'
key C-x o # the only pane above the text
key m
expect '─ graph: .*, circle'
leave
type_line 'lesson 2'
expect 'lesson, 1 of 8'
type_line 'panel graph'
expect '─ graph: '
expect_not ', circle'
type_line 'lesson end'

# a graph view of five lines is enough for all vertices of the town, and shows the town, not the learner's own graph g
start 80x24
ready
type_line 'g = gen.ring{40}'
type_line 'lesson 1'
expect '─ lesson, 1 of 7 .Enter: more.'
for vertex in 0 1 2 3 4 5 6 7 8 9 10 11 12; do expect "o$vertex[^0-9]"; done
type_line 'lesson end'

# 60x16: the text fills the screen except for the prompt; Enter scrolls it
start 60x16
ready
type_line 'lesson 1'
expect '─ lesson, 1 of 7 .Enter: more.'
expect '^│ This is a small town of one-way streets: 13 crossings, +│$'
expect_not 'QUESTION'
key Enter
key Enter
expect '^│ QUESTION: Where does vertex 5 lead'
key Enter
shows 'question of this page is open'
key Enter
expect '─ lesson, 2 of 7'
type_line 'lesson end'
shows_not '─'
ready
finish
