#define _GNU_SOURCE
#include "environment.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "real_calls.h"
#include "sandbox.h"

/* AddressSanitizer refuses to start behind another library; python/headrace/trace/launch.py sets the same. */
#define NO_ORDER_OF_SANITIZERS "verify_asan_link_order=0"

enum { most_pointers = 65536, most_path = 1100 }; /* half a MiB of stack: what has more variables goes on as it is */

static char our_name[most_path]; /* as the loader was told it; "": not by LD_PRELOAD, or too long */
static int has_option;           /* for sanitizers, at the start */
/* What is handed on beside the two that load us. python/headrace/trace/nodes.py has the same names. A program whose
 * HEADRACE_TRACE_DIRECTORY or HEADRACE_RUN is there and empty is told to be left out. */
enum { directory, run, variable_count = 8 };
static const char *const our_names[variable_count] = {
    "HEADRACE_TRACE_DIRECTORY", "HEADRACE_RUN",       "HEADRACE_TRACE_LAUNCHER", "HEADRACE_RUN_STRICT",
    "HEADRACE_RUN_STATISTICS",  "HEADRACE_RUN_BATCH", "HEADRACE_RUN_CHECK",      "HEADRACE_RUN_AFTER",
};
static char our_variables[variable_count][most_path + 32]; /* NAME=value; "": it was not there */
/* Open MPI hands these on, also to other nodes; `mpirun -x`, which would be the other way, may not be given beside it. */
#define ALWAYS_LISTED "LD_PRELOAD;ASAN_OPTIONS"
static char our_list[sizeof ALWAYS_LISTED + variable_count * 32];
static const char list_is[] = "OMPI_MCA_mca_base_env_list=";
static const char preload_is[] = "LD_PRELOAD=", sanitizer_is[] = "ASAN_OPTIONS=";

/* 32-bit programs, and those of an emulator. What is no ELF file, or cannot be read, is none. */
static int is_for_another_processor(const char *file)
{
    unsigned char header[20];
    static int ours; /* class and processor of the program that we are in */
    if (!file || system_calls_are_filtered) return 0;
    for (int own = !ours; own >= 0; --own) {
        int saved = errno, descriptor = real_open(own ? "/proc/self/exe" : file, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
        if (descriptor < 0) {
            errno = saved;
            return 0;
        }
        ssize_t length = real_read(descriptor, header, sizeof header);
        real_close(descriptor);
        errno = saved;
        if (length != sizeof header || memcmp(header, ELFMAG, SELFMAG)) return 0;
        int processor = header[EI_CLASS] << 16 | header[19] << 8 | header[18];
        if (!own) return processor != ours;
        ours = processor;
    }
    return 0;
}

/* A word of a list with blanks or colons between its words. */
static int has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *place = list; (place = strstr(place, word)) != NULL; ++place) {
        int begins = place == list || place[-1] == ':' || place[-1] == ' ';
        if (begins && (!place[length] || place[length] == ':' || place[length] == ' ')) return 1;
    }
    return 0;
}

/* The library of `headrace run` has that of `headrace trace` in it: it will do for both. */
static int has_our_library(const char *list)
{
    static const char name[] = "/libheadrace_run.so";
    if (has_word(list, our_name)) return 1;
    const char *place = strstr(list, name), behind = place ? place[sizeof name - 1] : '?';
    return behind == '\0' || behind == ':' || behind == ' ';
}

static void keep(char *place, size_t bytes, const char *first, const char *between, const char *value)
{
    int length = value ? snprintf(place, bytes, "%s%s%s", first, between, value) : -1;
    if (length < 0 || (size_t)length >= bytes) *place = '\0';
}

void environment_start(void)
{
    Dl_info us;
    const char *preloaded = getenv("LD_PRELOAD");
    char *list = stpcpy(our_list, ALWAYS_LISTED);
    for (int i = 0; i < variable_count; ++i) {
        keep(our_variables[i], sizeof our_variables[i], our_names[i], "=", getenv(our_names[i]));
        if (*our_variables[i]) list = stpcpy(stpcpy(list, ";"), our_names[i]);
    }
    const char *sanitizers = getenv("ASAN_OPTIONS");
    has_option = sanitizers && strstr(sanitizers, "verify_asan_link_order") != NULL;
    if (!preloaded || !dladdr((const void *)(uintptr_t)environment_start, &us) || !us.dli_fname) return;
    if (has_word(preloaded, us.dli_fname)) keep(our_name, sizeof our_name, "", "", us.dli_fname);
}

static const char *value_of(const char *variable) { return *variable ? strchr(variable, '=') + 1 : ""; }

const char *environment_directory(void) { return value_of(our_variables[directory]); }

/* Where in `environment` our variables are; -1: nowhere. */
struct found {
    size_t count;
    long ours[variable_count], preload, sanitizer, list;
};

static int is(const char *variable, const char *name_is) { return strncmp(variable, name_is, strlen(name_is)) == 0; }

static int is_ours(const char *variable, int which)
{
    size_t length = strlen(our_names[which]);
    return strncmp(variable, our_names[which], length) == 0 && variable[length] == '=';
}

static struct found look(char *const environment[])
{
    struct found found = {.count = 0, .preload = -1, .sanitizer = -1, .list = -1};
    for (int i = 0; i < variable_count; ++i) found.ours[i] = -1;
    for (; environment && environment[found.count]; ++found.count) {
        const char *variable = environment[found.count];
        long place = (long)found.count;
        for (int i = 0; i < variable_count && is(variable, "HEADRACE_"); ++i)
            if (found.ours[i] < 0 && is_ours(variable, i)) found.ours[i] = place;
        if (found.preload < 0 && is(variable, preload_is)) found.preload = place;
        if (found.sanitizer < 0 && is(variable, sanitizer_is)) found.sanitizer = place;
        if (found.list < 0 && is(variable, list_is)) found.list = place;
    }
    return found;
}

static const char *value(char *const environment[], long place) { return place >= 0 ? strchr(environment[place], '=') + 1 : ""; }

static int lacks_library(char *const environment[], const struct found *found)
{
    return !has_our_library(value(environment, found->preload));
}

static int lacks_option(char *const environment[], const struct found *found)
{
    return has_option && !strstr(value(environment, found->sanitizer), "verify_asan_link_order");
}

static int is_launcher_without_list(const struct execution *one, const struct found *found)
{
    static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prterun"};
    const char *name = one->words && one->words[0] ? one->words[0] : "", *behind = strrchr(name, '/');
    int is_launcher = 0;
    if (behind) name = behind + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) is_launcher |= strncmp(name, names[i], strlen(names[i])) == 0;
    if (!is_launcher || strstr(value(one->variables, found->list), our_names[*our_variables[run] ? run : directory])) return 0;
    for (char *const *word = one->words; *word; ++word)
        if (!strcmp(*word, "-x") || !strcmp(*word, "--x") || strstr(*word, "mca_base_env_list")) return 0;
    return 1;
}

/* A nested trace has variables of its own: only those that are not there are added. */
static int lacks_variable(const struct found *found)
{
    for (int i = 0; i < variable_count; ++i)
        if (*our_variables[i] && found->ours[i] < 0) return 1;
    return 0;
}

/* By an empty variable in place of each that switches something on. */
static int is_told_to_be_left_out(char *const environment[], const struct found *found)
{
    int told = 0;
    for (int i = directory; i <= run; ++i) {
        if (!*value_of(our_variables[i])) continue;
        if (found->ours[i] < 0 || *value(environment, found->ours[i])) return 0;
        told = 1;
    }
    return told;
}

struct execution environment_look(const char *file, char *const *words, char *const *variables)
{
    struct execution one = {file, words, variables, 0, 0};
    if (!*our_name || (!*environment_directory() && !*value_of(our_variables[run]))) return one;
    struct found found = look(variables);
    if (found.count >= most_pointers) return one;
    if (is_told_to_be_left_out(variables, &found)) return one;
    if (is_for_another_processor(file)) {
        if (*environment_directory()) consumer_program_left_out(file, "it is for another processor");
        if (lacks_library(variables, &found)) return one;
    } else if (!lacks_variable(&found) && !lacks_library(variables, &found) && !is_launcher_without_list(&one, &found)) {
        return one;
    }
    one.pointers = found.count + 4 + variable_count;
    one.bytes = strlen(our_name) + sizeof preload_is + sizeof sanitizer_is + sizeof NO_ORDER_OF_SANITIZERS + sizeof list_is +
                sizeof our_list + 8 + strlen(value(variables, found.preload)) + strlen(value(variables, found.sanitizer)) +
                strlen(value(variables, found.list));
    return one;
}

/* NAME=ours:theirs at `text`; returns what is behind it. */
static char *join(char *text, const char *name_is, const char *ours, const char *between, const char *theirs)
{
    text = stpcpy(stpcpy(text, name_is), ours);
    if (*theirs) text = stpcpy(stpcpy(text, between), theirs);
    return text + 1;
}

static void put(char **pointers, size_t *count, long place, char *variable)
{
    pointers[place >= 0 ? (size_t)place : (*count)++] = variable;
}

/* LD_PRELOAD without our library. */
static void leave_out(char *text, const char *preloaded)
{
    char *end = stpcpy(text, preload_is), *first = end;
    for (size_t length; *preloaded; preloaded += length) {
        preloaded += strspn(preloaded, " :");
        length = strcspn(preloaded, " :");
        if (!length || (length == strlen(our_name) && !strncmp(preloaded, our_name, length))) continue;
        if (end > first) *end++ = ':';
        end = mempcpy(end, preloaded, length);
    }
    *end = '\0';
}

char **environment_fill(const struct execution *one, char **pointers, char *text)
{
    char *const *variables = one->variables;
    struct found found = look(variables);
    size_t count = found.count;
    if (count) memcpy(pointers, variables, count * sizeof *pointers);
    if (is_for_another_processor(one->file)) {
        leave_out(text, value(variables, found.preload));
        put(pointers, &count, found.preload, text);
        pointers[count] = NULL;
        return pointers;
    }
    if (lacks_library(variables, &found)) {
        put(pointers, &count, found.preload, text);
        text = join(text, preload_is, our_name, ":", value(variables, found.preload));
    }
    if (lacks_option(variables, &found)) {
        put(pointers, &count, found.sanitizer, text);
        text = join(text, sanitizer_is, NO_ORDER_OF_SANITIZERS, ":", value(variables, found.sanitizer));
    }
    if (is_launcher_without_list(one, &found)) {
        put(pointers, &count, found.list, text);
        join(text, list_is, our_list, ";", value(variables, found.list));
    }
    for (int i = 0; i < variable_count; ++i)
        if (*our_variables[i] && found.ours[i] < 0) put(pointers, &count, -1, our_variables[i]);
    pointers[count] = NULL;
    return pointers;
}
