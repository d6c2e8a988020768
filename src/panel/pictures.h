/* Pictures: the commands `plot` and `snapshot`, and plot{...} in Lua. */
#ifndef LS_PANEL_PICTURES_H
#define LS_PANEL_PICTURES_H

/* Makes the commands known, and plot{...} of Lua draw. Once, before anything runs. */
void ls_pictures_open(void);

#endif
