/* What clang before 17 lacks of CUDA 12; .clangd includes it before .cu and .cuh files. */
#if __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#if __clang_major__ < 17
#define __ldcg(p) (*(p))
#define __stcg(p, x) (*(p) = (x))
#endif
