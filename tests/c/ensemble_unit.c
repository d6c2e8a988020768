/* The bodies of kernels/ensemble, compiled with a small model: they are seen by the compiler's warnings. Each
 * form is a file of its own (tests/CMakeLists.txt). The specs of ensembles run them. */
#include "driver/cpu.h"
#include "ensemble_unit.h"

#include "ensemble/dopri5.h"
#define STEP_NUMBERS 100
#define STEP_SHARED 1
#define STEP_THREADS 128
#define STEP_BLOCKS 4
#include "ensemble/rodas4.h"
#include "ensemble/blame.h"
#include "ensemble/record.h"
CPU_DRIVER(example_blame, ENSEMBLE_BLAME_ARGS, VERTEX)
CPU_DRIVER(example_record, ENSEMBLE_RECORD_ARGS, VERTEX)

#ifdef BY_THREAD
CPU_DRIVER(example_dopri5, ENSEMBLE_STEP_ARGS, QUEUE)
CPU_DRIVER(example_rodas4, ENSEMBLE_STEP_ARGS, QUEUE)
#else
CPU_DRIVER(example_dopri5, ENSEMBLE_STEP_ARGS, TILE)
CPU_DRIVER(example_rodas4, ENSEMBLE_STEP_ARGS, TILE)
#endif

#ifdef BY_TILE
#define STEP_THREADS 128
#define STEP_BLOCKS 4
#include "ensemble/radau5.h"
#include "ensemble/steady_still.h"
CPU_DRIVER(example_radau5, ENSEMBLE_STEP_ARGS, TILE)
CPU_DRIVER(example_rate, ENSEMBLE_RATE_ARGS, VERTEX)
CPU_DRIVER(example_attempt, ENSEMBLE_ATTEMPT_ARGS, VERTEX)
CPU_DRIVER(example_newton, ENSEMBLE_NEWTON_ARGS, VERTEX)
CPU_DRIVER(example_judge, ENSEMBLE_JUDGE_ARGS, VERTEX)
CPU_DRIVER(example_still, ENSEMBLE_STILL_ARGS, VERTEX)
#endif
#if EVENTS
#include "ensemble/events.h"
CPU_DRIVER(example_events, ENSEMBLE_EVENTS_ARGS, VERTEX)
#endif
