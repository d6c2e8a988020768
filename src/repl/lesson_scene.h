/* What a lesson changes around it, and gives back when it is left: global names, the device, what runs. */
#ifndef LS_REPL_LESSON_SCENE_H
#define LS_REPL_LESSON_SCENE_H

#include <stdbool.h>

#include <lua.h>

/* Around all that a lesson's file and its pages run: names that are set in between are the lesson's. They do
 * not nest. */
void ls_scene_begin(void);
void ls_scene_end(void);
/* Global names mean again what they meant before the lesson, unless the learner has given them another
 * meaning since; so it is with the device. The algorithm that the lesson has started is dropped, and its
 * breakpoints are deleted. */
void ls_scene_give_back(void);
/* Is the value on top of L what that global name meant when the lesson began? false where there is no lesson.
 * May raise an error of memory. */
bool ls_scene_found(lua_State *L, const char *name);

#endif
