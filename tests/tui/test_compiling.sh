# The first use of a model compiles its kernels: after 0.3 s the terminal says so, until they are compiled. The parts of a long
# text are compiled at the same time, and taken from the cache the next time.
. "$(dirname "$0")/tui.sh"

cat >slow-cc <<END
#!/bin/sh
echo begun >>$folder/log
sleep 2
echo ended >>$folder/log
exec cc -O0 "\$@"
END
chmod +x slow-cc
: >log
simulated='r = simulate(model.load(model.sample "luo-rudy-1991"), {instances = 3, stop = 1, steps = 2, method = "auto"});'

start 80x24 CC="$folder/slow-cc" XDG_CACHE_HOME="$folder/cache" -- --backend cpu
ready
type_line "$simulated"
expect '^compiling 4 kernels of Luo-Rudy 1991 for a CPU [.][.][.]  [0-9.]+ s' 3
ready 60
type_line '"it is " .. #r.t .. " rows"'
expect '^"it is 3 rows"$' 60
expect_not 'compiling'
if [ "$(nproc)" -gt 1 ]; then # the first two compilers both start before one of them ends
  check "the units are compiled one by one: $(tr '\n' ' ' <log)" [ "$(head -2 log | tr '\n' ' ')" = 'begun begun ' ]
fi
key C-d

# from the cache: no compiler runs
: >log
start 80x24 CC="$folder/slow-cc" XDG_CACHE_HOME="$folder/cache" -- --backend cpu
ready
type_line "$simulated"
type_line '"again " .. #r.t'
expect '^"again 3"$' 30
check 'a compiler ran again' [ ! -s log ]
key C-d

# Ctrl-C ends all compilers
start 80x24 CC="$folder/slow-cc" XDG_CACHE_HOME="$folder/none" -- --backend cpu
ready
type_line "$simulated"
expect '^compiling 4 kernels' 3
key C-c
expect 'interrupted' 3
for _ in $(seq 40); do pgrep -f "$folder/slow-cc" >/dev/null || break; sleep 0.05; done
check 'compilers run after Ctrl-C' [ -z "$(pgrep -f "$folder/slow-cc")" ]
type_line '1 + 1'
expect '^2$'
key C-d

# exploring a state space also says that it compiles
start 80x24 CC="$folder/slow-cc" XDG_CACHE_HOME="$folder/none" -- --backend cpu
ready
type_line 'f = dve.compile(model.load(model.sample "philosophers"));'
expect '^compiling the search of philosophers.dve for a CPU [.][.][.]  [0-9.]+ s' 3
ready 30
type_line '"compiled"'
expect '^"compiled"$' 30
expect_not '^compiling'
key C-d

# without a terminal there is no such message
CC="$folder/slow-cc" XDG_CACHE_HOME="$folder/none" "$program" --backend cpu -e "$simulated" >out 2>err || fail "piped: $(cat err)"
check "piped, it says: $(cat out err)" [ ! -s out ] && [ ! -s err ]
finish
