# A prompt under mpirun: rank 0 takes the terminal, the others follow; and lines from a pipe.
. "$(dirname "$0")/tui.sh"
. "$root/tests/tui/ranks.sh"
. "$root/tests/part.sh"
only_in_part 6

if ! command -v mpirun >/dev/null || [ ! -f "$(dirname "$program")/lockstep-mpi.so" ]; then
  echo "there is no mpirun, or no lockstep-mpi.so beside the program: left out"
  exit 77
fi
if ! mpirun --version | grep -q 'Open MPI'; then # the option to disable standard input is specific to Open MPI
  echo "mpirun is not Open MPI's: left out"
  exit 77
fi
lockstep=$program
export OMP_NUM_THREADS=1 LANG=C.UTF-8
mpirun="mpirun --allow-run-as-root --oversubscribe"

# --- lines from a pipe ---
timeout -s KILL 60 $mpirun -n 3 "$lockstep" -i >out 2>err <<'END'
x = buffer.new("u32", {ranks.rank}); all_reduce(x, 0); x
error("all alike")
if ranks.rank == 1 then error("too warm") end
if ranks.rank == 2 then error("too cold") end all_reduce(x, 0)
for i = 1, 2 do
  x = buffer.new("u32", {ranks.rank}); all_reduce(x, 2)
end
if ranks.rank > 0 then all_reduce(x, 0) end
fill(x, 5) all_reduce(x, 0) return "sum " .. x[0]
g = gen.uniform{n = 300, m = 2000, seed = 1, weights = "i32"}
r = fw(g) print(r.variant)
start fw(g)
break broadcast
continue
drop
fw(g).matrix:diff(r.matrix)
if ranks.rank == 1 then for i = 1, 1e8 do end print("not shown") error("last") end
END
code=$?
[ $code = 1 ] || fail "lines from a pipe: exit code $code, expected 1, as of one process"
cat out err >both
says() { grep -Eq -- "$1" both || { fail "lines from a pipe: no line with $1"; sed 's/^/    /' both; }; }
says '^u32\[1\].*: 3$'
says '^stdin:2: all alike$'
[ "$(grep -c 'all alike' both)" = 1 ] || fail "an error of all ranks is told once"
says '^rank 1: stdin:3: too warm$'
says '^stdin:4: all_reduce: rank 2 has failed$'
says '^rank 2: stdin:4: too cold$'
says '^rank 2: stdin:8: all_reduce: rank 0 has ended this line without this exchange$'
says '^"sum 15"$'
says '^rows$'
says '^#[0-9]+ broadcast'
says '^0$'
says '^rank 1: stdin:17: last$'
grep -q 'not shown' both && fail "another rank prints"

# without -i, in a successful run
echo 'print(ranks.count, ranks.transport)' | timeout -s KILL 60 $mpirun -n 2 "$lockstep" >out 2>err || fail "mpirun without -i: exit code $?"
[ "$(cat out)" = "2	MPI" ] || fail "mpirun without -i prints $(cat out)"

# --- a terminal ---
program="$mpirun --stdin none -n 3 $lockstep"
start 100x40 OMP_NUM_THREADS=1 -- -i --patience 4
ready 20
type_line 'x = buffer.new("u32", {ranks.rank}); all_reduce(x, 0); x'
expect '^u32\[1\].*: 3$'
type_line 'g = gen.uniform{n = 300, m = 2000, seed = 1, weights = "i32"}'
type_line 'start fw(g)' # the others wait in their exchanges
expect '^before fill'
type_line 'break broadcast'
type_line 'continue'
expect '^#[0-9]+ broadcast .*\[3 ranks: kernels before it: rank [0-2] slowest'
type_line 'ranks.rank == 0 and 6 * 7 or error("no")'
expect '^42$'
type_line 'drop'
type_line 'check(fw(g))'
expect '^true$'

interrupt_ranks
hang_rank

# Ctrl-Z is ignored: nothing would own the terminal
clear_screen
key C-z
expect 'started by mpirun'
type_line '6 * 7'
expect '^42$'

type_line 'if ranks.rank == 2 then error("too cold") end'
expect '^rank 2: prompt:1: too cold$'
key C-d
expect_code 0

# mpirun passes a terminal's lines on, without a prompt, and says how to get one
program="$mpirun -n 2 $lockstep"
start 100x40 OMP_NUM_THREADS=1 -- -i
expect 'mpirun --stdin none'
type_line 'ranks.count * 21'
expect '^42$'
key C-d
expect_code 0
finish
