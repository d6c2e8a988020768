-- What a user may call of base: the program makes these names global.
import "base/replace"

return {
  bench = import("base/loops").bench,
  bundle = import("base/loops").bundle,
  check = import "base/check",
  fixpoint = import("base/loops").fixpoint,
  named = import("base/loops").named,
  on_cpu = import("base/algorithm").on_cpu,
  paper = import "base/paper",
  prove = import "base/prove",
}
