-- What a user may call of scc: the program makes these names global.
import "scc/answer"

return {
  scc = import "scc/scc",
}
