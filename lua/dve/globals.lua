-- What a user may call of dve: the program makes these names global.
import "dve/check"

return {
  explore = import "dve/explore",
}
