-- What a user may call of exchange: the program makes these names global.
import "exchange/ranks_compare"

return {}
