# Help in the panel: F1 and Esc, long texts page by page, F6, the arrangement of panes and its reset.
. "$(dirname "$0")/tui.sh"

for size in 80x24 200x60; do
  start $size LOCKSTEP_MORE=on
  ready
  key C-x a
  expect 'F1Help F2View'
  expect '^.*script'

  # F1 and Esc
  key F1
  expect 'another view in the focused pane'
  key Escape
  shows_not 'another view in the focused pane'
  expect '^\+? ?.*timing'
  type_line '6 * 7' # the prompt has the focus
  expect '^ ?42'

  # a long text is shown from its beginning, PgDn shows the next page, Esc closes it; the text stays in the prompt's pane
  type_line 'help prompt'
  expect 'help \(PgDn: more; Esc closes\)|help \(Esc closes\)'
  expect 'The prompt|prompt'
  key PageDown PageDown PageDown PageDown PageDown
  expect 'help \(Esc closes\)'
  key Escape
  shows_not 'Esc closes'
  expect 'F1Help F2View'
  type_line 'help'
  expect 'Esc closes'
  expect 'New here\?'
  type_line '5 * 5' # entering the next line closes the help
  expect '^ ?25'
  shows_not 'Esc closes'
  type_line 'help quit' # a short text is only in the prompt's pane
  expect 'command quit'
  expect_not 'Esc closes'

  # F6 types an empty `until`; a second F6 recalls the previous one; if an expression is typed, F6 puts `until` before it
  type_line 'start scc.forward_backward(gen.grid{9, 9})'
  expect 'before '
  type_line 'until 1 > 5'
  expect 'the run ended, and this was'
  type_line 'start scc.forward_backward(gen.grid{9, 9})'
  expect 'before '
  key F6
  expect '> until *$'
  key F6
  expect '> until 1 > 5 *$'
  key F6
  expect '> until 1 > 5 *$'
  key C-u
  type_text 'true'
  key F6
  expect '> until true *$'
  key C-u

  # the arrangement of panes is changed and reset, also in the next session
  key F2 F2
  type_line 'panel devices'
  expect '[ -]devices '
  type_line 'panel reset'
  shows '[ -]script'
  shows '[ -]convergence|steps|no steps'
  type_line 'quit'
  expect 'y/n>'
  type_line 'y'
  expect_code 0
  check "the first arrangement is kept" grep -q '^pane 1 convergence$' "$HOME/.local/state/lockstep/panel"
  check "the first arrangement is kept" grep -q '^pane 2 timing$' "$HOME/.local/state/lockstep/panel"
done

# the list of lessons, and help, pause after each page at a plain prompt of 80x24
start 80x24 LOCKSTEP_MORE=on
ready
type_line 'lesson'
expect '^\(more: space or Enter; q ends\)$'
expect '^  1  memory'
key q
ready
type_line 'lesson'
expect '^\(more: '
key Space
expect '^ 17  ensembles'
ready
finish
