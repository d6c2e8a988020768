/* Guided lessons: samples/lessons/NUMBER-NAME.lua, walked by the command `lesson`. */
#ifndef LS_REPL_LESSON_H
#define LS_REPL_LESSON_H

/* Calls each with every word that may follow `lesson`, for completion. */
void ls_lesson_names(void (*each)(void *, const char *), void *ctx);

#endif
