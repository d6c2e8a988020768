-- What a user may call of cycles: the program makes these names global.
import "cycles/answer"

return {
  ocm = import("cycles/ocm").ocm,
  ocr = import("cycles/ocm").ocr,
  policy = import "cycles/policy",
}
