-- What a user may call of judge: the program makes these names global.
return {
  judge = import "judge/judge",
}
