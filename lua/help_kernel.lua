-- What help says of kernels that are written while the program runs, which is done in C (src/lua/l_kernel.c).

--- Compiles the kernels of a file and makes them primitives: NAME.h, with the row PRIM(...) in it. A primitive that has such
--- a name already is replaced from the next call on; what ran before keeps its name in the trace. An error in the text
--- is told with its line, and then nothing has changed. Returns the primitives.
--: kernel.load(path)

--- Compiles the kernels of a text, as kernel.load does those of a file: kernel[[ #include "language/kernel.h" ... ]].
--- `help own` says what stands in it.
--: kernel(text)

--- A loop over primitives in words: loop[[ LOOP(name, UNTYPED, "name(g): ...") REPEAT STEP(row) UNTIL(count)
--- END_LOOP(name) ]]. It runs without stops, or step by step, as the shipped ones do (kernels/README.md tells the words).
--: loop(text)

--- Writes a kernel's text to a file, NAME.h if there is no path; returns the path. If the path is the folder of a family,
--- kernels/FAMILY, then the body becomes a file there and the row goes into FAMILY.def: the next build has it.
--: kernel.save(name [, path])

--- The text of a kernel, shipped or not, as kernel.load and kernel[[ ]] take it. A library's operation has none.
--: kernel.source(name)

--- The file that a kernel was loaded from. Of a kernel that was shipped or typed, a copy NAME.h is written.
--: kernel.path(name)

--- Makes a name mean the shipped primitive again, which a kernel had replaced.
--: kernel.restore(name)

--- Which kernels run in the checked form: "own" (those that were loaded; the default), "on" (all), "off" (none). There an
--- access outside of an array ends the launch with an error that names the thread, the array and the line; and what the
--- kernel writes is as it was before. With a name only that kernel: "on" or "off". Without an argument: what is so. A C++
--- compiler makes this form on a CPU.
---   kernel.bounds("on")     kernel.bounds("heaviest", "off")
--: kernel.bounds([name,] [how])
