# due: is this item of a sweep among those to be tried? With TEST_PART=0 to 9 one of ten is; without it, each. Sourced.
asked=0
due() {
  asked=$((asked + 1))
  [ -z "${TEST_PART-}" ] || [ $((asked % 10)) = "$TEST_PART" ]
}

# only_in_part N: for a test that is long as a whole. Code 77 is ctest's "skipped".
only_in_part() {
  [ -n "${TEST_PART-}" ] && [ "$TEST_PART" != "$1" ] || return 0
  echo "runs in part $1"
  exit 77
}
