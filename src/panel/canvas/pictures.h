/* Pictures: the commands `plot` and `snapshot`, and plot{...} in Lua. */
#ifndef LS_PANEL_PICTURES_H
#define LS_PANEL_PICTURES_H

/* Registers the commands, and the hook by which plot{...} draws. To be called once, before anything runs. */
void ls_pictures_open(void);

#endif
