-- What a user may call of ensemble: the program makes these names global.
import "ensemble/check"

return {
  ensemble = import("ensemble/options").ensemble,
  fit = import "ensemble/fit",
  lognormal = import("ensemble/options").lognormal,
  logrange = import("ensemble/options").logrange,
  morris = import "ensemble/morris",
  normal = import("ensemble/options").normal,
  range = import("ensemble/options").range,
  sensitivities = import "ensemble/sensitivities",
  simulate = import "ensemble/simulate",
  sobol = import "ensemble/sobol",
  steady = import "ensemble/steady",
  uniform = import("ensemble/options").uniform,
}
