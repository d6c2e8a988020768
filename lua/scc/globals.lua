-- What a user may call of scc: the program makes these names global.
import "scc/check"

return {
  scc = import "scc/scc",
}
