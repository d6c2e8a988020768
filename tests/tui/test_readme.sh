# Replays README's session: its output must be the program's, except for times, rates and the machine. Also checks README's
# picture and links.
set -u
program=$(realpath "$1")
. "$(dirname "$0")/../shell.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
unset XDG_CACHE_HOME
cd "$root" || exit 1

# The block after "## A session", split into input and output. Without a terminal the program asks no questions, so they are left out.
awk '/^## A session/ {on = 1} on && /^```/ {if (inside) exit; inside = 1; next} inside' README.md >"$folder/session"
sed -n 's/^> //p' "$folder/session" >"$folder/typed"
sed -e 1d -e '/^> /d' -e '/^y\/n> /d' -e '/^Delete /d' "$folder/session" >"$folder/came"

plain() { # GB/s are shown only above a threshold
  sed -E -e 's/ [0-9.]+ (ns|us|ms|s) / TIME /' -e 's/ GB\/s [0-9.]+//' -e 's/^(cpu(:1)?) .*/\1 MACHINE/'
}
"$program" --backend cpu <"$folder/typed" 2>&1 | plain >"$folder/now"
if ! plain <"$folder/came" | diff - "$folder/now" >"$folder/difference" || [ ! -s "$folder/typed" ]; then
  echo "FAILED: README's session is not what the program says:"
  cat "$folder/difference"
  exit 1
fi

# README's picture of the panel, without times: the words above the table of times, and the session in the prompt's pane.
words() {
  sed -E -e '/>timing:</,/>prompt</{/>prompt</!d}' -e '/^text|^\./d' -e 's/<[^>]*>/ /g' -e 's/ [0-9.]+ ?(ns|us|ms|s) / TIME /g' \
    -e 's/TIME +[0-9.]+%/TIME SHARE/g' "$1" | tr -s ' ' | sed -E -e 's/ [0-9.]+ (ns|us|ms|s) / TIME /' -e 's/ GB\/s [0-9.]+//'
}
picture=$(sed -n 's/^!\[.*](\(.*\.svg\))$/\1/p' README.md)
LOCKSTEP=$program scripts/make-picture "$folder/panel.svg" >"$folder/said" 2>&1 || cat "$folder/said"
words "$picture" >"$folder/shown"
if ! words "$folder/panel.svg" | diff "$folder/shown" - >"$folder/difference" || ! grep -q 'script:' "$folder/shown"; then
  echo "FAILED: $picture is not what the panel shows now; scripts/make-picture draws it anew:"
  cat "$folder/difference"
  exit 1
fi
[ "$(sed '1,/ prompt /d' "$folder/shown" | grep -c '^ &gt; [a-z]')" -ge 4 ] || { echo "FAILED: $picture shows no session at the prompt"; exit 1; }

# Everything that README and kernels/README.md mention must exist.
[ "$(wc -l <README.md)" -le 150 ] || { echo "FAILED: README.md has $(wc -l <README.md) lines, more than 150"; exit 1; }
topics=$(sed -n '/^## A tour/,/^## Where/s/.* \(help [a-z]*\)$/\1/p' README.md)
[ -n "$topics" ] || { echo "FAILED: README's tour names no topic of help"; exit 1; }
while read -r topic; do
  "$program" -e "$topic" >"$folder/page" 2>&1 || { echo "FAILED: $topic: $(cat "$folder/page")"; exit 1; }
done <<<"$topics"
for file in $(sed -n 's/.*](\([^)#]*\)).*/\1/p' README.md); do
  [ -e "$file" ] || { echo "FAILED: README.md links to $file, which does not exist"; exit 1; }
done
for domain in $(sed -n 's/^DOMAIN(\([A-Z_]*\),.*/\1/p' kernels/language/domains.def); do
  grep -q "^| \`$domain\` |" kernels/README.md || { echo "FAILED: kernels/README.md does not list the domain $domain"; exit 1; }
done
echo fine
