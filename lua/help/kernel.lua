-- Help texts of kernels that are compiled at run time, which is implemented in C (src/lua/base/l_kernel.c).

--- Compiles the kernels of a file NAME.h, which declares each by a row PRIM(...), and makes them primitives. A primitive of the same
--- name is replaced from the next call on; its earlier runs stay in the trace, under that name. An error in the source
--- is reported with its line, and then nothing has changed. Returns the primitives.
--: kernel.load(path)

--- Compiles kernels from source text, as kernel.load does from a file: kernel[[ #include "language/kernel.h" ... ]].
--- `help own` describes the source.
--: kernel(text)

--- Compiles source text that a program has generated, as kernel(text) does, but only for the current device: kernel(text) also
--- checks it with the host's compiler. For another device it is compiled when it first runs there. While a terminal waits for the
--- compiler, it shows "compiling 5 kernels of NAME", where NAME is the text `of`, such as a model's name. Long source with several
--- rows is split into parts that are compiled in parallel.
--: kernel.generated(text [, of])

--- Makes a loop over primitives: loop[[ LOOP(name, UNTYPED, "name(g): ...") REPEAT STEP(row) UNTIL(count)
--- END_LOOP(name) ]]. It runs freely or step by step, as the shipped ones do (kernels/README.md explains the words).
--: loop(text)

--- Writes a kernel's source to a file, NAME.h if no path is passed; returns the path. If the path is a folder of shipped kernels,
--- kernels/FAMILY, it writes the kernel's body to a file there and adds its row PRIM(...) to FAMILY.def, for the next build.
--: kernel.save(name [, path])

--- The source of a kernel or loop, shipped or not, in the form that kernel.load and kernel[[ ]] accept. For a kernel whose domain is
--- LIBRARY it raises an error: such a kernel has no source in this form.
--: kernel.source(name)

--- The path of the file that a kernel was loaded from. For a kernel that is shipped or was typed, it first writes a copy NAME.h.
--: kernel.path(name)

--- Restores the shipped primitive of that name, after a kernel has replaced it.
--: kernel.restore(name)

--- Sets which kernels run with bounds checks: "own" (kernels that were loaded; the default), "on" (all), "off" (none). With these
--- checks an access outside of an array ends the launch with an error that names the thread, the array and the line, and the
--- kernel's outputs are restored. With a name it sets only that kernel: "on" or "off". Without an argument it returns the setting.
--- On a CPU a C++ compiler is needed.
---   kernel.bounds("on")     kernel.bounds("heaviest", "off")
--: kernel.bounds([name,] [how])

--- Sets which kernels are checked for data races: "on" (all) or "off" (none; the default). A race: two threads of a launch
--- write different values to an element, or one reads what the other changes, at least one of them without an atomic. All
--- threads count as concurrent, so that a race is found even if it did no harm in this run. load_relaxed, store_relaxed and
--- raise_flag are atomics: they mark a race that is intended. An element of an OUT argument that is read before it is written is
--- found too. The error names the element, both threads and both lines; the kernel's outputs are restored. The SELECT of a vertex
--- counts as finished before the threads of its edges run; the threads of a tile count as one. The check needs 96 bytes of memory
--- for each element that may be written. With a name it sets only that kernel: "on" or "off". Without an argument it returns the setting.
---   kernel.races("on")     kernel.races("heaviest", "on")
--: kernel.races([name,] [how])
