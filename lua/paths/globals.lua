-- What a user may call of paths: the program makes these names global.
import "paths/answer"

return {
  apsp = import("paths/apsp").apsp,
  distances = import "paths/distances",
  johnson = import("paths/apsp").johnson,
  paths = import "paths/paths",
  sssp = import "paths/sssp",
}
