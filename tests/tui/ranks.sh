# Tests for every prompt of several ranks, whether --ranks or mpirun started them; sourced after tui.sh. Expects three ranks,
# --patience 4, and a buffer x of one u32.

# repeated Ctrl-C: in exchanges, in a rank that computes while the others wait, and in all ranks
interrupt_ranks() {
  clear_screen
  type_line 'print("begun") while true do all_reduce(x, 1) end'
  expect '^begun$'
  key C-c
  expect 'interrupted'
  clear_screen
  type_line 'print("begun") if ranks.rank == 1 then while true do end end all_reduce(x, 1)'
  expect '^begun$'
  sleep 0.3 # waits until rank 0 is in the exchange, which nothing shows
  key C-c
  expect 'all_reduce: interrupted'
  type_line 'fill(x, 1) all_reduce(x, 0) return "sum " .. x[0]'
  expect '^"sum 3"$' 15

  for time in 1 2 3 4; do
    clear_screen
    type_line 'print("begun") while true do end'
    expect '^begun$'
    key C-c
    expect 'interrupted'
    type_line "fill(x, $time) all_reduce(x, 0) return 'times ' .. x[0]"
    expect "^\"times $((3 * time))\"$" 15
  done
}

# a rank hangs: it is named, and when it resumes, it takes part again
is_hung() { [ -s hung ] && grep -qs '^State:.T' "/proc/$(cat hung)/status"; }
hang_rank() {
  clear_screen
  type_line 'if ranks.rank == 2 then os.execute("echo $PPID >hung; kill -STOP $PPID") end'
  wait_for 10 is_hung || fail "rank 2 does not hang"
  type_line 'all_reduce(x, 0)'
  expect 'all_reduce: rank 2 has given no sign of life for 4 s' 20
  type_line '"still " .. 6 * 7'
  expect '^"still 42"$'
  type_line '!kill -CONT $(cat hung)'
  type_line 'fill(x, 7) all_reduce(x, 0) return "again " .. x[0]'
  expect '^"again 21"$' 15
}
