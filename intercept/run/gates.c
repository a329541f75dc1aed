/* Functions of the run time after which, or in which, somebody looks at a file: what waits is handed over before.
 *
 * They take integers and addresses only, so one shape of wrapper serves all: what a function does not take is ignored.
 */
#ifdef HEADRACE_RUN
#define _GNU_SOURCE
#include "../frames.h"
#include "../real_calls.h"
#include "run.h"

typedef long gate_function(long, long, long, long, long, long, long, long);

/* `before` and `after` are statements about the unit, whose number's address is the first argument of those that have one. */
#define GATE_WITH(name, before, after)                                                  \
    EXPORTED long name(long a, long b, long c, long d, long e, long f, long g, long h); \
    EXPORTED long name(long a, long b, long c, long d, long e, long f, long g, long h)  \
    {                                                                                   \
        REAL_CALL(gate_function, name, #name);                                          \
        if (run_is_active) run_before_everything();                                     \
        if (run_is_active) before;                                                      \
        long result = real_##name(a, b, c, d, e, f, g, h);                              \
        if (run_is_active) after;                                                       \
        return result;                                                                  \
    }
#define UNIT (*(const int32_t *)a)
#define GATE(name) GATE_WITH(name, (void)0, (void)0)
/* The unit is somewhere else afterwards. */
#define MOVING_GATE(name) GATE_WITH(name, (void)0, run_unit_moved(UNIT))
/* Whoever has the descriptor of a unit may read from it: nothing is read ahead. */
#define WATCHING_GATE(name) GATE_WITH(name, run_unit_is_watched(UNIT), (void)0)

GATE(_gfortran_ftell)
GATE(_gfortran_ftell2)
GATE(_gfortran_ftell_i1_sub)
GATE(_gfortran_ftell_i2_sub)
GATE(_gfortran_ftell_i4_sub)
GATE(_gfortran_ftell_i8_sub)
MOVING_GATE(_gfortran_fseek_sub)
WATCHING_GATE(_gfortran_fnum_i4)
WATCHING_GATE(_gfortran_fnum_i8)
MOVING_GATE(_gfortran_fputc)
MOVING_GATE(_gfortran_fputc_i1_sub)
MOVING_GATE(_gfortran_fputc_i2_sub)
MOVING_GATE(_gfortran_fputc_i4_sub)
MOVING_GATE(_gfortran_fputc_i8_sub)
MOVING_GATE(_gfortran_fgetc)
MOVING_GATE(_gfortran_fgetc_i1_sub)
MOVING_GATE(_gfortran_fgetc_i2_sub)
MOVING_GATE(_gfortran_fgetc_i4_sub)
MOVING_GATE(_gfortran_fgetc_i8_sub)
GATE(_gfortran_fput)
GATE(_gfortran_fput_i1_sub)
GATE(_gfortran_fput_i2_sub)
GATE(_gfortran_fput_i4_sub)
GATE(_gfortran_fput_i8_sub)
GATE(_gfortran_fget)
GATE(_gfortran_fget_i1_sub)
GATE(_gfortran_fget_i2_sub)
GATE(_gfortran_fget_i4_sub)
GATE(_gfortran_fget_i8_sub)
GATE(_gfortran_fstat_i4)
GATE(_gfortran_fstat_i8)
GATE(_gfortran_fstat_i4_sub)
GATE(_gfortran_fstat_i8_sub)
GATE(_gfortran_stat_i4)
GATE(_gfortran_stat_i8)
GATE(_gfortran_stat_i4_sub)
GATE(_gfortran_stat_i8_sub)
GATE(_gfortran_lstat_i4)
GATE(_gfortran_lstat_i8)
GATE(_gfortran_lstat_i4_sub)
GATE(_gfortran_lstat_i8_sub)
GATE(_gfortran_rename_i4)
GATE(_gfortran_rename_i8)
GATE(_gfortran_rename_i4_sub)
GATE(_gfortran_rename_i8_sub)
GATE(_gfortran_unlink)
GATE(_gfortran_unlink_i4_sub)
GATE(_gfortran_unlink_i8_sub)
GATE(_gfortran_symlnk_i4)
GATE(_gfortran_symlnk_i4_sub)
GATE(_gfortran_link_i4)
GATE(_gfortran_link_i4_sub)
GATE(_gfortran_execute_command_line_i4)
GATE(_gfortran_execute_command_line_i8)
GATE(_gfortran_system)
GATE(_gfortran_system_sub)
GATE(_gfortran_isatty_l4)
GATE(_gfortran_isatty_l8)
GATE(system)
GATE(popen)
#endif
