-- What help says of kernels that are written while the program runs, which is done in C (src/lua/l_kernel.c).

--- Compiles the kernels of a file and makes them primitives: NAME.h, with the row PRIM(...) in it. A primitive that has such
--- a name already is replaced from the next call on; what ran before keeps its name in the trace. An error in the text
--- is reported with its line, and then nothing has changed. Returns the primitives.
--: kernel.load(path)

--- Compiles the kernels of a text, as kernel.load does those of a file: kernel[[ #include "language/kernel.h" ... ]].
--- `help own` says what stands in it.
--: kernel(text)

--- Compiles a text that a program has made, as kernel(text) does, but for the present device alone: kernel(text) also has the
--- host's compiler look for errors. For another device it is compiled when it first runs there.
--: kernel.generated(text)

--- A loop over primitives: loop[[ LOOP(name, UNTYPED, "name(g): ...") REPEAT STEP(row) UNTIL(count)
--- END_LOOP(name) ]]. It runs without stops, or step by step, as the shipped ones do (kernels/README.md explains the words).
--: loop(text)

--- Writes a kernel's text to a file, NAME.h if there is no path; returns the path. If the path is the folder of a family,
--- kernels/FAMILY, then the body becomes a file there and the row goes into FAMILY.def: the next build has it.
--: kernel.save(name [, path])

--- The text of a kernel or loop, shipped or not, as kernel.load and kernel[[ ]] take it. An operation of a library has no text.
--: kernel.source(name)

--- The file that a kernel was loaded from. For a kernel that was shipped or typed, a copy NAME.h is written.
--: kernel.path(name)

--- Makes a name mean the shipped primitive again, after a kernel has replaced it.
--: kernel.restore(name)

--- Which kernels run in the checked form: "own" (those that were loaded; the default), "on" (all), "off" (none). In this form an
--- access outside of an array ends the launch with an error that names the thread, the array and the line; and the
--- kernel's outputs are restored. With a name only that kernel: "on" or "off". Without an argument: returns what is set. A C++
--- compiler makes this form on a CPU.
---   kernel.bounds("on")     kernel.bounds("heaviest", "off")
--: kernel.bounds([name,] [how])

--- Which kernels run in the form that finds races: "on" (all) or "off" (none; the default). A race is two threads of a launch that
--- write different values to an element, or of which one reads what the other changes, at least one of them without an atomic. All
--- threads count as running at once, so that a race is found even if it did no harm. load_relaxed, store_relaxed and raise_flag
--- are atomics: they mark a race that is intended. An element of an OUT argument that is read before it is written is found too.
--- The error names the element, both threads and both lines; the kernel's outputs are restored. The SELECT of a vertex counts as
--- running before its edges; the threads of a tile count as one. The form needs 96 bytes of memory for each element that may be
--- written. With a name only that kernel: "on" or "off". Without an argument: returns what is set.
---   kernel.races("on")     kernel.races("heaviest", "on")
--: kernel.races([name,] [how])
