-- What a user may call of ensemble: the program makes these names global.
import "ensemble/check"

return {
  ensemble = import("ensemble/ensemble_options").ensemble,
  fit = import "ensemble/fit",
  lognormal = import("ensemble/ensemble_options").lognormal,
  logrange = import("ensemble/ensemble_options").logrange,
  morris = import "ensemble/morris",
  normal = import("ensemble/ensemble_options").normal,
  range = import("ensemble/ensemble_options").range,
  sensitivities = import "ensemble/sensitivities",
  simulate = import "ensemble/simulate",
  sobol = import "ensemble/sobol",
  steady = import "ensemble/steady",
  uniform = import("ensemble/ensemble_options").uniform,
}
