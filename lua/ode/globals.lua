-- What a user may call of ode: the program makes these names global.
import "ode/bytecode_adaptive"
import "ode/bytecode_phases"
import "ode/model_line"
import "ode/translate_grid"
import "ode/translate_steps"

return {}
