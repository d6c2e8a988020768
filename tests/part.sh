# due: whether this item of a sweep is tried: with TEST_PART=0 to 9 one in ten is; without it, every one. Sourced.
asked=0
due() {
  asked=$((asked + 1))
  [ -z "${TEST_PART-}" ] || [ $((asked % 10)) = "$TEST_PART" ]
}

# only_in_part N: called by a long test, which runs only in part N. Exit code 77 means "skipped" to ctest.
only_in_part() {
  [ -n "${TEST_PART-}" ] && [ "$TEST_PART" != "$1" ] || return 0
  echo "runs in part $1"
  exit 77
}
