/* Isolation of lessons: when a lesson is closed, global names and the device are restored, its breakpoints
 * are deleted, and the algorithm that it started is abandoned. */
#ifndef LS_REPL_LESSON_SCENE_H
#define LS_REPL_LESSON_SCENE_H

#include <stdbool.h>

#include <lua.h>

/* To be called before and after any code of the lesson (its file, the commands of its pages) runs: global
 * names that change in between are changes by the lesson. Do not nest. */
void ls_scene_begin(void);
void ls_scene_end(void);
/* Undoes the changes of the lesson: restores global names and the device, except those that the learner has
 * changed since; abandons the algorithm that the lesson started; deletes its breakpoints. */
void ls_scene_give_back(void);
/* Is the value on top of L the one that this global name had when the lesson began? False if no lesson is
 * open. May raise a Lua error if memory is short. */
bool ls_scene_found(lua_State *L, const char *name);

#endif
