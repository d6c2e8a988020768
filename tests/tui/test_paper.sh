# The command paper: the list, the default folder, figures in a given folder, help, and error messages for wrong arguments. Needs no tmux.
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

"$program" -e paper >listed 2>&1 || fail "paper: $(cat listed)"
for number in 000 001 002 003 004; do
  grep -q "^$number  20[0-9][0-9]  " listed || fail "paper does not list $number: $(cat listed)"
  "$program" -e "help paper $number" >page 2>&1 || fail "help paper $number: $(cat page)"
  grep -q "What differs: " page && grep -q "claims\|all of it" page || fail "help paper $number: $(cat page)"
  grep -q "help errata $number" page || fail "help paper $number does not name its errata: $(cat page)"
  [ "$("$program" -e "help errata $number" 2>&1)" = "$("$program" -e "help errata ${number#00}" 2>&1)" ] || fail "help errata ${number#00} is not that of $number"
  "$program" -e "help errata $number" >errata 2>&1
  [ "$(grep -c '^00[0-4]  ' errata)" = 1 ] && grep -q "^$number  " errata || fail "help errata $number: $(cat errata)"
  grep -q "no error is marked" errata && said=1 || said=0
  [ "$(grep -c 'No error of its text is known' page)" = $said ] || fail "help paper $number and help errata $number disagree"
done
[ "$("$program" -e 'help paper 3')" = "$("$program" -e '?paper.003')" ] || fail "help paper 3 and ?paper.003 differ"

refused() { # LINE TEXT: asserts that LINE fails with a message that contains TEXT
  "$program" -e "$1" >said 2>&1 && fail "$1 is no error"
  grep -qF -- "$2" said || fail "$1: $(cat said)"
}
refused 'paper 7' 'paper: expected the number of a paper, 000 to 004, got the text "7"; usage: paper, or paper NUMBER [small | full] [FOLDER]'
refused 'paper full' 'expected the number of a paper'
refused 'paper 002 small a b' "paper: 'b' is one word too many; expected paper, or paper NUMBER [small | full] [FOLDER]"
refused 'paper 002 ./a small' "paper: 'small' is one word too many"
refused 'paper 002 tiny' "paper: 'tiny' is neither a size nor a folder that exists; expected paper, or paper NUMBER [small | full] [FOLDER]"
refused 'paper 002 tiny small' "paper: 'tiny' is neither a size nor a folder"
refused 'paper 002 listed' 'listed: it is no folder'
[ ! -e tiny ] && [ ! -e a ] || fail "a line that is refused makes a folder: $(ls)"
refused 'paper 002 small listed' 'listed: it is no folder'
refused 'paper 002 small nowhere/at/all' 'nowhere/at/all: No such file or directory'
refused 'paper(1, {from = 9, to = 8})' 'paper 001: scales from 9 to 8: none'
for script in "$root"/scripts/paper/*-*.lua; do
  "$program" "$script" 4000 >said 2>&1 && fail "$script alone is no error"
  grep -q 'this script is run by the command: paper 00' said || fail "$script: $(cat said)"
done
[ ! -e paper-001 ] || fail "a run that failed left an empty folder"

# Each run has a new folder, unless one is given; the session goes on after a wrong line.
printf '%s\n' 'paper 9' 'paper(2, {size = "least", vertices = 16})' 'r = paper(2, {size = "least", vertices = 16})' \
  'print(r.folder, #r.claims, r.claims[1].claim, r)' >lines
"$program" <lines >said 2>err
[ -d paper-002 ] && [ -d paper-002-2 ] || fail "no folders: $(ls) $(cat err)"
grep -q "^paper-002-2	3	Bellman-Ford runs once.*paper 002: tables: 3, figures in paper-002-2: 1; of 3 claims" said || fail "the result: $(tail -3 said)"
grep -q '| *theirs\|theirs | *ours | *ratio' said && grep -q '^claim: ' said && grep -qE '^  (holds|does not hold|cannot be measured here): ' said ||
  fail "no tables or claims: $(cat said)"
"$program" -e 'paper(2, {size = "least", vertices = 16, folder = "figures"})' >said 2>&1 || fail "a folder: $(cat said)"
[ -e figures/speed-up.svg ] || [ -e figures/speed-up.csv ] || fail "no figure: $(ls figures)"
[ $failures = 0 ] && echo "all passed"
exit $((failures > 0))
