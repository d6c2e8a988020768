#include "compile/nvrtc.h"

#ifdef LOCKSTEP_WITH_CUDA

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/cache.h"
#include "compile/race_shadow.h"
#include "compile/pack.h"
#include "core/embedded.h"
#include "core/mem.h"
#include "core/string_builder.h"
#include "core/wait.h"
#include "run/devices/cuda.h"

/* --- the two libraries ------------------------------------------------------------------------------------
 */

static struct nvrtc {
  void *library;
  int (*version)(int *major, int *minor);
  int (*create)(void **program, const char *source, const char *name, int headers, const char *const *texts,
                const char *const *names);
  int (*destroy)(void **program);
  int (*add_name)(void *program, const char *expression);
  int (*compile)(void *program, int options, const char *const *option);
  int (*lowered)(void *program, const char *expression, const char **name);
  int (*log_size)(void *program, size_t *bytes);
  int (*log)(void *program, char *text);
  int (*cubin_size)(void *program, size_t *bytes);
  int (*cubin)(void *program, char *bytes);
} nvrtc;

static struct driver {
  void *library;
  int (*load)(void **module, const void *image);
  int (*unload)(void *module);
  int (*function)(void **function, void *module, const char *name);
  int (*global)(unsigned long long *address, size_t *bytes, void *module, const char *name);
  int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                unsigned shared, void *stream, void **params, void **extra);
  int (*launch_together)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                         unsigned bz, unsigned shared, void *stream, void **params);
  int (*resident)(int *blocks, void *function, int threads, size_t shared);
  int (*attribute)(int *value, int which, void *function);
  int (*set_attribute)(void *function, int which, int value);
  int (*to_host)(void *to, unsigned long long from, size_t bytes);
  int (*to_device)(unsigned long long to, const void *from, size_t bytes);
  int (*clear)(unsigned long long to, unsigned char with, size_t bytes);
  int (*settle)(void);
  int (*error)(int status, const char **text);
} driver;

typedef struct symbol {
  const char *name;
  void *at; /* the function pointer to set */
} symbol;

static bool open_library(void **library, const char *const *names, const symbol *symbols, int count) {
  if (*library) return true;
  void *opened = NULL;
  for (; *names && !opened; names++)
    if (**names) opened = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; opened && i < count; i++) {
    void *found = dlsym(opened, symbols[i].name);
    memcpy(symbols[i].at, &found, sizeof found);
    if (!found) {
      dlclose(opened);
      return false;
    }
  }
  *library = opened;
  return opened != NULL;
}

static ls_status open_nvrtc(void) {
  const char *given = getenv("LOCKSTEP_NVRTC");
  const char *const names[] = {given ? given : "",
                               "libnvrtc.so",
                               "libnvrtc.so.13",
                               "libnvrtc.so.12",
                               "/usr/local/cuda/lib64/libnvrtc.so",
                               NULL};
  const symbol symbols[] = {{"nvrtcVersion", &nvrtc.version},
                            {"nvrtcCreateProgram", &nvrtc.create},
                            {"nvrtcDestroyProgram", &nvrtc.destroy},
                            {"nvrtcAddNameExpression", &nvrtc.add_name},
                            {"nvrtcCompileProgram", &nvrtc.compile},
                            {"nvrtcGetLoweredName", &nvrtc.lowered},
                            {"nvrtcGetProgramLogSize", &nvrtc.log_size},
                            {"nvrtcGetProgramLog", &nvrtc.log},
                            {"nvrtcGetCUBINSize", &nvrtc.cubin_size},
                            {"nvrtcGetCUBIN", &nvrtc.cubin}};
  if (open_library(&nvrtc.library, names, symbols, sizeof symbols / sizeof *symbols)) return LS_OK;
  return ls_fail(
      LS_EDEVICE,
      "kernels of your own on CUDA need NVRTC, and libnvrtc.so was not found (install the CUDA toolkit, "
      "or set LOCKSTEP_NVRTC to its path); device(\"cpu\") selects the CPU, which does not need it");
}

static ls_status open_driver(void) {
  static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
  const symbol symbols[] = {{"cuModuleLoadData", &driver.load},
                            {"cuModuleUnload", &driver.unload},
                            {"cuModuleGetFunction", &driver.function},
                            {"cuModuleGetGlobal_v2", &driver.global},
                            {"cuLaunchKernel", &driver.launch},
                            {"cuMemcpyDtoH_v2", &driver.to_host},
                            {"cuMemcpyHtoD_v2", &driver.to_device},
                            {"cuMemsetD8_v2", &driver.clear},
                            {"cuCtxSynchronize", &driver.settle},
                            {"cuGetErrorString", &driver.error},
                            {"cuFuncGetAttribute", &driver.attribute},
                            {"cuFuncSetAttribute", &driver.set_attribute},
                            {"cuLaunchCooperativeKernel", &driver.launch_together},
                            {"cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver.resident}};
  if (open_library(&driver.library, names, symbols, sizeof symbols / sizeof *symbols)) return LS_OK;
  return ls_fail(LS_EDEVICE, "the driver's library libcuda.so.1 was not found");
}

static ls_status refused(const ls_kernel_text *t, const char *what, int status) {
  const char *why = NULL;
  if (driver.error) driver.error(status, &why);
  return ls_fail(LS_EDEVICE, "%s: %s: %s", t->name, what, why ? why : "unknown error");
}

/* --- units ------------------------------------------------------------------------------------------------
 */

enum { CHECKED_BYTES = 16 }; /* a checked variant stores two words per thread that say which thread it is */

struct ls_cuda_unit {
  const ls_kernel_text *text;
  ls_row_form form;
  void *module;
  unsigned long long watch;
  void *kernel[LS_TEXT_ROWS], *before[LS_TEXT_ROWS]; /* before[i]: runs before kernel[i], in a BEST domain */
  u32 threads[LS_TEXT_ROWS], bytes[LS_TEXT_ROWS];    /* per block; bytes: dynamic shared memory (SHAPE) */
};

/* What the cache stores of a unit: the compiler's names of its kernels, one per line (a BEST row has two), an
 * empty line, and the code. */
typedef struct image {
  char *bytes;
  size_t size, names;
} image;

static bool has_kernel(const ls_kernel_text *t, int part, int row, ls_dtype type) {
  const u32 types = t->row[row]->prim.types;
  return t->row[row]->macro && ls_unit_part(t, row) == part && (types >> LS_NONE & 1 || types >> type & 1);
}

static void expression(const ls_kernel_text *t, int row, ls_dtype type, bool before, char out[160]) {
  snprintf(out, 160, "&ls_%skernel<%s_step_%s>", before ? "best_" : "", t->row[row]->prim.name,
           type == LS_NONE ? "none" : ls_dtype_name(type));
}

typedef struct job {
  const ls_kernel_text *t;
  int part;
  ls_dtype type;
  const ls_device *device;
  char *unit;
  char name[LS_CACHE_NAME];
  image out;
  ls_status status;
  char message[1024]; /* of a failed job: copied, because messages are per thread */
} job;

/* Calls f for each kernel of the unit, in order; a BEST row has two. Stops if f fails. */
static ls_status each_kernel(const job *j,
                             ls_status (*f)(void *ctx, int row, bool before, const char *expression),
                             void *ctx) {
  ls_status st = LS_OK;
  char text[160];
  for (int i = 0; !st && i < j->t->nrows; i++)
    for (int before = 0; !st && before < 2; before++) {
      if (!has_kernel(j->t, j->part, i, j->type) || (before && j->t->row[i]->prim.domain != LS_VERTEX_BEST))
        continue;
      expression(j->t, i, j->type, before, text);
      st = f(ctx, i, before, text);
    }
  return st;
}

static ls_status add_name(void *program, int row, bool before, const char *text) {
  (void)row, (void)before;
  return nvrtc.add_name(program, text) ? ls_fail(LS_EDEVICE, "NVRTC does not accept a kernel's name") : LS_OK;
}

typedef struct names {
  void *program;
  ls_text *out;
} names;

static ls_status tell_name(void *ctx, int row, bool before, const char *text) {
  const names *n = ctx;
  const char *name;
  (void)row, (void)before;
  if (nvrtc.lowered(n->program, text, &name))
    return ls_fail(LS_EDEVICE, "NVRTC does not return a kernel's name");
  ls_text_printf(n->out, "%s\n", name);
  return LS_OK;
}

static ls_status said_by(const job *j, void *program) {
  size_t bytes = 0;
  char *log = nvrtc.log_size(program, &bytes) == 0 ? ls_calloc(1, bytes + 1) : NULL;
  if (log) nvrtc.log(program, log);
  ls_status st = ls_unit_error(j->t, log ? log : "");
  ls_free(log);
  return st;
}

static ls_status take_image(job *j, void *program) {
  ls_text all = {0};
  names n = {program, &all};
  size_t bytes = 0;
  if (nvrtc.cubin_size(program, &bytes)) return ls_fail(LS_EDEVICE, "NVRTC returns no code");
  ls_status st = each_kernel(j, tell_name, &n);
  ls_text_putc(&all, '\n');
  j->out.names = all.len;
  char *code = st ? NULL : ls_malloc(bytes);
  if (code) {
    nvrtc.cubin(program, code);
    ls_text_add(&all, code, bytes);
  }
  if (!st && (!code || all.failed)) st = LS_EMEM;
  ls_free(code);
  j->out.bytes = all.s; /* freed with the job */
  j->out.size = all.len;
  return st;
}

/* NVRTC installs its own signal handlers and does not remove them: without restoring ours, SIGTERM would no
 * longer end the program. */
enum { SIGNALS = 32 };
static void keep_handlers(struct sigaction *kept) {
  for (int s = 1; s < SIGNALS; s++) sigaction(s, NULL, &kept[s]);
}
static void restore_handlers(const struct sigaction *kept) {
  for (int s = 1; s < SIGNALS; s++)
    if (s != SIGKILL && s != SIGSTOP) sigaction(s, &kept[s], NULL);
}

static void compile_here(job *j) {
  enum { MOST_HEADERS = 512 };
  const char *texts[MOST_HEADERS], *paths[MOST_HEADERS];
  int n = 0;
  for (const ls_embedded *e = ls_embedded_headers; e->name && n < MOST_HEADERS - LS_TEXT_HEADERS - 2; e++)
    texts[n] = e->text, paths[n++] = e->name;
  for (int i = 0; i < j->t->nheaders; i++) texts[n] = j->t->header[i].text, paths[n++] = j->t->header[i].name;
  static const char *const of_c[] = {"math.h", "stdio.h"}; /* NVRTC has their functions, but no such files */
  for (size_t i = 0; i < sizeof of_c / sizeof *of_c; i++) texts[n] = "", paths[n++] = of_c[i];
  char arch[40];
  snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d", j->device->capability);
  const char *const options[] = {arch,        "-fmad=false",        "-default-device", "--std=c++20",
                                 "-lineinfo", "-no-source-include", "-device-int128"};
  void *program;
  if (nvrtc.create(&program, j->unit, "unit", n, texts, paths)) {
    j->status = ls_fail(LS_EDEVICE, "NVRTC does not accept the text");
    return;
  }
  j->status = each_kernel(j, add_name, program);
  if (!j->status && nvrtc.compile(program, sizeof options / sizeof *options, options))
    j->status = said_by(j, program);
  if (!j->status) j->status = take_image(j, program);
  nvrtc.destroy(&program);
}

static void *compile_one(void *arg) {
  job *j = arg;
  compile_here(j);
  if (j->status) snprintf(j->message, sizeof j->message, "%s", ls_error());
  return NULL;
}

/* The units that are not in the cache. */
typedef struct batch {
  job *job[LS_TEXT_PARTS];
  int count;
} batch;

/* Runs on the worker thread, because NVRTC cannot be interrupted; the keyboard is served meanwhile. NVRTC may
 * compile separate programs in several threads. */
static void compile(void *arg) {
  struct sigaction kept[SIGNALS];
  const batch *all = arg;
  pthread_t thread[LS_TEXT_PARTS];
  bool started[LS_TEXT_PARTS] = {false};
  keep_handlers(kept);
  for (int i = 1; i < all->count; i++)
    started[i] = pthread_create(&thread[i], NULL, compile_one, all->job[i]) == 0;
  for (int i = 0; i < all->count; i++)
    if (!started[i]) compile_one(all->job[i]);
  for (int i = 1; i < all->count; i++)
    if (started[i]) pthread_join(thread[i], NULL);
  restore_handlers(kept);
}

/* Makes the unit of a part, and looks for its code in the cache; if it is not there, out.bytes is NULL. */
static ls_status prepare(job *j, ls_row_form form) {
  int major = 0, minor = 0;
  char by[40];
  j->unit = ls_unit_text(j->t, j->part, LS_CUDA, j->type, form);
  if (!j->unit) return LS_EMEM;
  nvrtc.version(&major, &minor);
  snprintf(by, sizeof by, "%d.%d %d", major, minor, j->device->capability);
  const ls_status st = ls_unit_name(j->t, j->unit, by, "cubin", j->name);
  if (st) return st;
  j->out.bytes = ls_cache_read(j->name, &j->out.size);
  if (!j->out.bytes) return LS_OK;
  const char *end = memmem(j->out.bytes, j->out.size, "\n\n", 2);
  j->out.names = end ? (size_t)(end + 2 - j->out.bytes) : 0;
  if (end) return LS_OK;
  ls_free(j->out.bytes);
  j->out.bytes = NULL;
  return LS_OK;
}

/* Compiles what is not in the cache, and stores it there. */
static ls_status compile_missing(job *jobs, int count) {
  batch missing = {.count = 0};
  char path[LS_CACHE_PATH];
  for (int i = 0; i < count; i++)
    if (!jobs[i].out.bytes) missing.job[missing.count++] = &jobs[i];
  if (missing.count) ls_work(compile, &missing, false);
  for (int i = 0; i < missing.count; i++) {
    const job *j = missing.job[i];
    if (j->status) return ls_fail(j->status, "%s", j->message);
    ls_cache_keep(j->name, j->out.bytes, j->out.size, path);
  }
  return LS_OK;
}

typedef struct finding {
  ls_cuda_unit *u;
  ls_dtype type;
  const char *next; /* the remaining names */
} finding;

/* For a TILE row: gets the bytes of dynamic shared memory per block that its SHAPE requests (LS_TELL_BYTES),
 * and allows the kernel to use them. */
static int find_bytes(ls_cuda_unit *u, int row, ls_dtype type, void *kernel) {
  enum { MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
  char name[160];
  unsigned long long at;
  size_t size;
  snprintf(name, sizeof name, "%s_step_%s_bytes", u->text->row[row]->prim.name,
           type == LS_NONE ? "none" : ls_dtype_name(type));
  int status = driver.global(&at, &size, u->module, name);
  if (!status) status = driver.to_host(&u->bytes[row], at, sizeof u->bytes[row]);
  if (status || !u->bytes[row]) return status;
  const u32 of_form = u->form == LS_PLAIN ? 0 : LS_BLOCK * CHECKED_BYTES;
  return driver.set_attribute(kernel, MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)(u->bytes[row] + of_form));
}

static ls_status find_kernel(void *ctx, int row, bool before, const char *text) {
  finding *f = ctx;
  char name[512];
  (void)text;
  const int len = (int)strcspn(f->next, "\n");
  snprintf(name, sizeof name, "%.*s", len, f->next);
  f->next += len + 1;
  void **kernel = before ? &f->u->before[row] : &f->u->kernel[row];
  int status = driver.function(kernel, f->u->module, name), threads = LS_BLOCK;
  if (!status)
    status = driver.attribute(&threads, 0, *kernel); /* MAX_THREADS_PER_BLOCK: as its SHAPE requests */
  f->u->threads[row] = (u32)threads / 32 * 32;
  if (!status && f->u->text->row[row]->prim.domain == LS_TILE)
    status = find_bytes(f->u, row, f->type, *kernel);
  return status ? refused(f->u->text, "a kernel was not found in the compiled code", status) : LS_OK;
}

static ls_status load_unit(const job *j, ls_row_form form, ls_cuda_unit **out) {
  ls_cuda_unit *u = *out = ls_calloc(1, sizeof *u);
  if (!u) return LS_EMEM;
  u->text = j->t;
  u->form = form;
  const int status = driver.load(&u->module, j->out.bytes + j->out.names);
  if (status) return refused(j->t, "the device does not accept the compiled code", status);
  finding f = {u, j->type, j->out.bytes};
  size_t size;
  ls_status st = each_kernel(j, find_kernel, &f);
  if (!st && driver.global(&u->watch, &size, u->module, "ls_unit_watch"))
    st = refused(j->t, "the compiled code is not a kernel", 0);
  return st;
}

ls_status ls_cuda_units_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, const ls_device *d,
                             ls_cuda_unit **out) {
  const int parts = ls_unit_parts(t);
  ls_status st = open_nvrtc();
  if (!st) st = open_driver();
  if (!st) st = ls_cuda_use(d->index);
  if (st) return st;
  job *jobs = ls_calloc((size_t)parts, sizeof *jobs);
  if (!jobs) return LS_EMEM;
  for (int i = 0; i < parts; i++) {
    out[i] = NULL;
    jobs[i] = (job){.t = t, .part = i, .type = type, .device = d};
    if (!st) st = prepare(&jobs[i], form);
  }
  if (!st) st = compile_missing(jobs, parts);
  for (int i = 0; !st && i < parts; i++) st = load_unit(&jobs[i], form, &out[i]);
  for (int i = 0; i < parts; i++) {
    if (st) ls_cuda_unit_free(out[i]);
    ls_free(jobs[i].out.bytes);
    ls_free(jobs[i].unit);
  }
  ls_free(jobs);
  return st;
}

void ls_cuda_unit_free(ls_cuda_unit *u) {
  if (u && u->module) driver.unload(u->module);
  ls_free(u);
}

static int launch_plain(const void *kernel, u32 blocks, u32 threads, u32 bytes, void *stream, void **params) {
  return driver.launch((void *)(uintptr_t)kernel, blocks, 1, 1, threads, 1, 1, bytes, stream, params, NULL);
}
static int launch_checked(const void *kernel, u32 blocks, u32 threads, u32 bytes, void *stream,
                          void **params) {
  return driver.launch((void *)(uintptr_t)kernel, blocks, 1, 1, threads, 1, 1,
                       threads * CHECKED_BYTES + bytes, stream, params, NULL);
}

static int launch_together(const void *kernel, u32 blocks, u32 threads, u32 bytes, void *stream,
                           void **params) {
  return driver.launch_together((void *)(uintptr_t)kernel, blocks, 1, 1, threads, 1, 1, bytes, stream,
                                params);
}

/* Limits the blocks of a GRID row to as many as the device can hold at once, because they wait for each
 * other. */
static ls_status bound_blocks(const ls_cuda_unit *u, int row, u32 units, u32 threads, u32 *blocks) {
  int fit = 0;
  const int status = driver.resident(&fit, u->kernel[row], (int)threads, 0);
  if (status)
    return refused(u->text, "the driver did not say how many blocks fit on the device at once", status);
  if (fit < 1)
    return ls_fail(LS_EARG, "%s: a block of %u threads does not fit on a multiprocessor",
                   u->text->row[row]->prim.name, threads);
  if (*blocks > units * (u32)fit) *blocks = units * (u32)fit;
  return LS_OK;
}

/* Allocates the shadow memory of a race-checked launch on the device. */
static ls_status leave_marks(ls_cuda_unit *u, ls_launch *L) {
  ls_watch w = {0};
  void *block;
  const u64 bytes = (ls_race_shadow_assign(L, NULL, &w) + 1) * sizeof(ls_mark);
  ls_status st = ls_cuda_scratch(L, bytes, &block);
  if (st)
    return ls_fail_prefix(st, "%s: finding races needs %llu bytes: ", L->prim->name,
                          (unsigned long long)bytes);
  ls_race_shadow_assign(L, block, &w);
  int status = driver.settle(); /* an earlier launch may still use the block */
  if (!status) status = driver.clear((unsigned long long)(uintptr_t)block, 0, bytes);
  if (!status) status = driver.to_device(u->watch, &w, sizeof w);
  if (!status) status = driver.settle(); /* the launch is on another stream */
  return status ? refused(u->text, "the shadow memory for races cannot be prepared", status) : LS_OK;
}

ls_status ls_cuda_unit_launch(ls_cuda_unit *u, ls_launch *L) {
  int row = 0;
  while (row < u->text->nrows && &u->text->row[row]->prim != L->prim &&
         strcmp(u->text->row[row]->prim.name, L->prim->name) != 0)
    row++;
  if (row == u->text->nrows || !u->kernel[row])
    return ls_fail(LS_EARG, "%s: it was not compiled", L->prim->name);
  u8 args[LS_PACK_MOST];
  ls_pack(L, u->form, args);
  ls_cuda_step step = ls_cuda_step_of(&L->bind, L->items);
  ls_cuda_launch c;
  u32 threads;
  ls_status st = ls_cuda_block(L, u->threads[row], &threads);
  if (!st && u->form == LS_RACING) st = leave_marks(u, L);
  if (!st) st = ls_cuda_begin(L, &c);
  if (st) return st;
  const bool together = L->prim->domain == LS_GRID;
  u32 blocks = ls_cuda_blocks(L->prim->domain, &step, L->m, c.units, threads);
  if (together) st = bound_blocks(u, row, c.units, threads, &blocks);
  if (st) return st;
  c.by = together ? launch_together : u->form != LS_PLAIN ? launch_checked : launch_plain;
  c.before = u->before[row];
  c.before_blocks = blocks;
  c.bytes = u->bytes[row];
  ls_cuda_stop_at(L->device, (void *)(uintptr_t)u->watch);
  void *params[] = {args, &step, &c.control, &c.report, &c.ticket};
  return ls_cuda_submit(L, &c, u->kernel[row], blocks, threads, params);
}

ls_status ls_cuda_unit_watch(ls_cuda_unit *u, ls_watch *out, bool clear) {
  const ls_watch none = {0};
  int status = driver.to_host(out, u->watch, sizeof *out);
  if (!status && clear && (out->stop || out->violated))
    status = driver.to_device(u->watch, &none, sizeof none);
  if (!status && clear) status = driver.settle();
  return status ? refused(u->text, "the violations that it recorded cannot be read", status) : LS_OK;
}

#else

ls_status ls_cuda_units_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, const ls_device *d,
                             ls_cuda_unit **out) {
  (void)type, (void)form, (void)d, (void)out;
  return ls_fail(LS_EDEVICE, "%s: this program was built without CUDA", t->name);
}
void ls_cuda_unit_free(ls_cuda_unit *u) { (void)u; }
ls_status ls_cuda_unit_launch(ls_cuda_unit *u, ls_launch *L) {
  (void)u;
  return ls_fail(LS_EDEVICE, "%s: this program was built without CUDA", L->prim->name);
}
ls_status ls_cuda_unit_watch(ls_cuda_unit *u, ls_watch *out, bool clear) {
  (void)u, (void)out, (void)clear;
  return LS_OK;
}

#endif
