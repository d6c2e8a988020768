-- Help texts of the panel's functions, which are implemented in C (src/panel/l_panel.c).

--- Opens the panel. Returns true; or false and the reason, if there is no prompt on a terminal.
--: panel.on()

--- Closes the panel; what was printed in it stays on the terminal.
--: panel.off()

--- Opens the panel, if it is not open, with that view visible: panel.show("graph"). Returns what panel.on returns.
--: panel.show(view)

--- Is the panel open?
--: panel.is_on()
