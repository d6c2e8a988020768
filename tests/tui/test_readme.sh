# The README's session, played: its output is the program's, but for times, rates and the machine.
set -u
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root" || exit 1

# The block behind "## A session": what was typed, and what came. Questions are asked at a terminal alone.
awk '/^## A session/ {on = 1} on && /^```/ {if (inside) exit; inside = 1; next} inside' README.md >"$folder/session"
sed -n 's/^> //p' "$folder/session" >"$folder/typed"
sed -e 1d -e '/^> /d' -e '/^y\/n> /d' -e '/^Delete /d' "$folder/session" >"$folder/came"

plain() { # GB/s is told where there is enough of it
  sed -E -e 's/ [0-9.]+ (ns|us|ms|s) / TIME /' -e 's/ GB\/s [0-9.]+//' -e 's/^(cpu(:1)?) .*/\1 MACHINE/'
}
HOME=$folder "$program" --backend cpu <"$folder/typed" 2>&1 | plain >"$folder/now"
plain <"$folder/came" | diff - "$folder/now" >"$folder/difference" && [ -s "$folder/typed" ] && echo fine && exit 0
echo "FAILED: README's session is not what the program says:"
cat "$folder/difference"
exit 1
