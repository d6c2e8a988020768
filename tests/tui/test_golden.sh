# The panel as pictures: captures of the program in a terminal, compared with tests/golden/. Times are fake
# (LOCKSTEP_MASK_TIMES), limits are preset, and machine-dependent parts are masked.
#   LOCKSTEP_GOLDEN=write bash tests/tui/test_golden.sh build/lockstep    rewrites them: look at each before committing
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tui.sh"

golden=$here/../golden
samples=$(cd "$here/../../samples" && pwd)
cp "$samples/city.gr" "$golden/fb.lua" "$samples/models/luo-rudy-1991.ode" "$samples/models/lotka-volterra.ode" . # their names appear in the prompt's pane

# Limits for cpu:1, in the file in which device.limits() stores them.
mkdir -p cache/lockstep
model=$("$program" -e 'print(device("cpu:1").model)' | sed 's/[^A-Za-z0-9]/_/g')
{
  echo "lockstep limits 3"
  printf 'copy 20000000000\nmultiply_add_f64 30000000000\nlaunch_ps 300000\nlaunch_readback_ps 9000000\ntransfer 0\n'
  printf 'minplus_f32 30000000000\nminplus_i32 32000000000\nminplus_i16 64000000000\nminplus_f64 15000000000\nminplus_i64 14000000000\n'
  for i in 0 1 2 3 4 5 6 7; do
    printf 'gather_bytes %d\nstream %d\ngather %d\natomic_min %d\n' $((16384 << (2 * i))) \
      $((80000000000 >> (i < 2 ? i : 2))) $((1600000000 >> i)) $((800000000 >> i))
  done
  echo end
} >"cache/lockstep/limits-$model-1.txt"
cp "cache/lockstep/limits-$model-1.txt" "cache/lockstep/limits-$model-1-slow.txt" # for a build that is not optimized

# begin NAME COLUMNSxROWS SYMBOLS LOCALE: a new session with one thread, so that every count is deterministic
begin() {
  name=$1
  start "$2" "LANG=$4" "LC_ALL=$4" LOCKSTEP_MASK_TIMES=1 CUDA_VISIBLE_DEVICES= "XDG_CACHE_HOME=$folder/cache" "XDG_STATE_HOME=$folder/$name" -- --backend cpu:1 --symbols "$3"
  ready
  line 'clear' # removes the version
}
typed() { [[ "$(terminal capture-pane -p | grep '^> ' | tail -1)" == "> ${1:0:60}"* ]]; }
line() { # types a line, which the prompt shows, and waits until the prompt is empty again
  type_text "$1"
  wait_for 5 typed "$1" || fail "$name: not at the prompt: $1"
  key Enter
  wait_for 5 visible '^> *$' || fail "$name: no prompt after: $1"
}
scc() { # a run on the sample city, stopped before its first primitive
  line 'load city.gr'
  line 'run fb.lua'
  line 'start search(g)'
}
twin() { turn C-x "$1"; }
# alone VIEW COLUMNSxROWS: shows only this view, with the focus, and then enlarges the terminal. (At 80x24, `panel VIEW` shows
# the view in the second pane.)
alone() {
  line "panel $1"
  twin z
  twin o # the only pane
  resize "$2"
}
resize() {
  terminal resize-window -x "${1%x*}" -y "${1#*x}"
}

# Masks what differs between machines or changes with the program's sources (line numbers), and keeps the width of the pane.
cat >mask.lua <<'END'
local machines = {"lockstep holds", "^ +[#█▏▎▍▌▋▊▉]+%.%.%.+ ", "memory .* used of", "clock [%d.]+ GHz", " cores?, cache "}
local function mask(part)
  for _, pattern in ipairs(machines) do
    if part:find(pattern) then return " (masked)" .. (" "):rep(utf8.len(part) - 9) end
  end
end
for line in io.lines() do
  line = line:gsub("([%w_]+%.lua:)(%d+)", function(file, number) -- a line of the program's own files, which may move
    return file ~= "fb.lua:" and file .. ("#"):rep(#number) or nil
  end)
  print((line:gsub("│", "\1"):gsub("[^\1|]+", mask):gsub("\1", "│")))
end
END

# taken: compares the screen with the golden file, or writes it
still() { # the screen has not changed for 0.15 s, longer than two redraws take
  terminal capture-pane -p >now
  sleep 0.15
  terminal capture-pane -p | cmp -s - now
}
same() {
  terminal capture-pane -p | "$program" mask.lua >"$folder/$name.txt"
  cmp -s "$golden/$name.txt" "$folder/$name.txt"
}
taken() {
  if [ "${LOCKSTEP_GOLDEN:-}" = write ]; then
    wait_for 10 still
    mkdir -p "$golden"
    same || cp "$folder/$name.txt" "$golden/$name.txt"
  elif ! wait_for 5 same && ! diff -u "$golden/$name.txt" "$folder/$name.txt" >"$folder/difference"; then
    echo "FAILED: $name is not what it was:"
    cat "$folder/difference"
    failures=$((failures + 1))
  fi
}

begin first-look 80x24 braille C.UTF-8
scc
line 'step 160'
line 'panel'
taken

begin first-look-ascii 80x24 ascii C
scc
line 'step 160'
line 'panel'
taken

begin wide 200x60 braille C.UTF-8
scc
line 'panel'
line 'iter 4'
line 'step 3'
taken

begin graph 80x24 braille C.UTF-8
line 'run fb.lua'
line 'g = gen.grid{5, 6, one_way = 0.75, seed = 3}'
line 'start search(g)'
line 'until trimmed == 0'
line 'step 6'
alone graph 120x40
taken

begin graph-matrix 80x24 block C.UTF-8
line 'g = gen.grid{5, 6, one_way = 0.75, seed = 3}'
line 'r = scc(g)'
alone graph 100x48
type_text mmm
taken

begin convergence 80x24 block C.UTF-8
scc
line 'iter 20'
alone convergence 160x50
type_text c
taken

begin timing 80x24 block C.UTF-8
scc
line 'iter 3'
line 'panel log' # the timing view is in the third pane
twin o
twin o
twin o
twin z
resize 110x26
type_text s
taken

begin hot-lines 80x24 block C.UTF-8
line 'load city.gr'
line 'run fb.lua'
line 'r = scc.forward_backward(g)'
line 'panel'
line 'r = search(g)' # a user's file: the run knows its path
taken

begin timeline 80x24 braille C.UTF-8
scc
line 'iter 3'
line 'panel timeline'
twin o
twin o
twin z
type_text '++' # two launches further
type_text ']]'
taken

begin timeline-wide 200x60 ascii C
scc
line 'iter 3'
line 'panel timeline'
twin o
twin o
taken

begin roofline 80x24 ascii C
scc
line 'iter 3'
alone roofline 100x36
type_text m
taken

begin buffers 80x24 braille C.UTF-8
scc
line 'step 30'
alone buffers 132x43
turn Down Down
taken

begin inspector 80x24 block C.UTF-8
scc
line 'step 4'
line 'panel buffers'
twin o
twin o
turn Down
key Enter # s.mark, which the inspector will show
leave
line 'panel inspector'
shows '─ inspector: s.mark' # the inspector must have the old values before the step, to show what changes
line 'step'
twin o
twin o
twin z
resize 100x32
taken

begin tiles 80x24 ascii C
line 'g = gen.grid{16, 18}'
line 'start fw(g)'
line 'step 12' # the first four steps build the matrix
alone tiles 90x30
taken

begin parts 80x24 ascii C
line 'g = gen.grid{16, 18}'
line 'start fw(g, {form = "recursive", tile = 32})'
line 'step 15'
alone tiles 90x30
taken

begin phases 80x24 block C.UTF-8
line "m = model.load(\"luo-rudy-1991.ode\")"
line 'p = m:phases()'
alone phases 80x30
type_text pppp
taken

begin phases-warps 80x24 ascii C
line "m = model.line{cells = 40, file = \"luo-rudy-1991.ode\"}"
line 'p = m:phases()'
alone phases 160x44
type_text mppppp
taken

begin phases-step 80x24 block C.UTF-8
line "m = model.load(\"luo-rudy-1991.ode\")"
line 'start m:phases()'
line 'iter 3'
alone phases 80x30
taken

begin ensemble 80x24 block C.UTF-8
line "m = model.load(\"lotka-volterra.ode\")"
line 'o = {instances = 64, sample = {a = uniform(1, 2)}, seed = 1, stop = 20, steps = 1, attempts = 4, method = "dopri5"}'
line 'start simulate(m, o)'
line 'iter 12'
alone convergence 80x30
taken

begin help 80x24 ascii C
scc
line 'panel'
twin 1
taken

begin devices 80x24 block C.UTF-8
scc
line 'step 8'
alone devices 140x24
taken

finish
