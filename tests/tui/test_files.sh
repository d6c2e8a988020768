#!/bin/bash
# Everything that writes a file uses core/atomic_file.h: an old file is either replaced by a complete new one or kept; a link
# that has the name of the temporary file is not followed; no temporary file remains. Needs no tmux.
set -u
program=$(realpath "$1")
. "$(dirname "$0")/../shell.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder/home XDG_CACHE_HOME=$folder/home
mkdir "$HOME" "$folder/here"
cd "$folder/here" || exit 1
failures=0
wrong() {
  echo "FAILED: $*"
  ls -la
  failures=$((failures + 1))
}

begin='g = gen.uniform{n = 3000, m = 9000, seed = 1} scc.maxima(g) b = buffer.new("u32", 3000)'
writers=(
  "a.gr	g:save('a.gr')" "a.lsg	g:save('a.lsg')" "a.mtx.gz	g:save('a.mtx.gz')"
  "a.csv	b:save('a.csv')" "a.bin	b:save('a.bin')"
  "a.json	trace.save('a.json')" "b.csv	trace save b.csv"
  "a.svg	snapshot a.svg" "a.html	snapshot a.html" "a.txt	snapshot a.txt 200x60"
)
command -v gnuplot >/dev/null && writers+=("p.svg	plot{{1, 2}, file = 'p.svg'}" "p.png	plot{{1, 2}, file = 'p.png'}")

for writer in "${writers[@]}"; do
  file=${writer%%	*} line=${writer#*	}

  # a new file gets its mode from the umask, an old one keeps its mode
  rm -rf ./*
  (umask 027; "$program" -e "$begin" -e "$line" >out 2>&1) || wrong "$line: $(cat out)"
  [ "$(stat -c %a "$file")" = 640 ] || wrong "$line: a new file of mode $(stat -c %a "$file")"
  chmod 604 "$file"
  "$program" -e "$begin" -e "$line" >out 2>&1 || wrong "$line: $(cat out)"
  [ "$(stat -c %a "$file")" = 604 ] || wrong "$line: an old file of mode $(stat -c %a "$file")"
  [ "$(ls | wc -l)" = 2 ] || wrong "$line: something is left"

  # a full disk (simulated by a file size limit of 1 KiB) keeps the old file, gives an error and a failing exit code
  rm -rf ./*
  echo old >"$file"
  (ulimit -f 1; exec "$program" -e "$begin" -e "$line" 2>err >out)
  code=$?
  [ $code = 1 ] || wrong "$line on a full disk: exit code $code"
  grep -q "$file: cannot write: File too large" err || wrong "$line on a full disk: $(cat out err)"
  grep -q wrote out err && wrong "$line on a full disk: $(cat out err)"
  [ "$(cat "$file")" = old ] || wrong "$line on a full disk: the old file is gone"
  [ "$(ls | wc -l)" = 3 ] || wrong "$line on a full disk: something is left"

  # links with the name of the temporary file are not followed
  rm -rf ./*
  echo precious >victim
  bash -c 'for end in "" .part .0 .tmp; do ln -s victim "$1.$$$end"; done; ln -s victim "$1.part"
    exec "$2" -e "$3" -e "$4"' - "$file" "$program" "$begin" "$line" >out 2>&1 || wrong "$line: $(cat out)"
  [ "$(cat victim)" = precious ] || wrong "$line: wrote through a link"
  [ -f "$file" ] && [ ! -L "$file" ] || wrong "$line: not written"
done

# a device is written in place
ln -s /dev/full full.csv
"$program" -e "$begin" -e "b:save('full.csv')" 2>err >out && wrong "a full device: success"
grep -q "full.csv: cannot write: No space left" err || wrong "a full device: $(cat err)"

# a run that a signal ends while it writes leaves no file, and its exit status is that of the signal
echo 'b = buffer.new("f64", 40000000) io.write("on\n") io.flush() b:save("large.csv")' >large.lua
writing() { compgen -G 'large.csv.*' >/dev/null; }
for signal in TERM HUP PIPE; do
  rm -f large.csv*
  "$program" large.lua >out 2>&1 &
  pid=$!
  wait_for 10 writing || wrong "SIG$signal: nothing is being written"
  kill -$signal $pid
  wait $pid
  [ $? = $((128 + $(kill -l $signal))) ] || wrong "SIG$signal: another exit code"
  compgen -G 'large.csv*' >/dev/null && wrong "SIG$signal: something is left"
done
"$program" large.lua >out 2>&1 &
pid=$!
wait_for 10 writing
for _ in 1 2 3; do # the first SIGINT may already have ended the run
  kill -INT $pid 2>/dev/null
  wait_for 10 took_signals $pid
done
wait $pid
[ $? = 130 ] || wrong "three SIGINT: another exit code"
compgen -G 'large.csv*' >/dev/null && wrong "three SIGINT: something is left"

# a single signal also ends the writing
"$program" large.lua >out 2>&1 &
pid=$!
wait_for 10 writing
kill -INT $pid
wait $pid
[ $? = 130 ] || wrong "a SIGINT: another exit code: $(cat out)"
compgen -G 'large.csv*' >/dev/null && wrong "a SIGINT: something is left"

# gnuplot does not read the user's start-up file
if command -v gnuplot >/dev/null; then
  echo "system 'touch $folder/here/ran'" >"$HOME/.gnuplot"
  "$program" -e "plot{{1, 2}, file = 'p.svg'}" >out 2>&1 || wrong "plot: $(cat out)"
  [ ! -e ran ] || wrong "~/.gnuplot was run"
fi

[ $failures = 0 ] && echo "fine"
exit $((failures > 0))
