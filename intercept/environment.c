#define _GNU_SOURCE
#include "environment.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* AddressSanitizer refuses to start behind another library; python/headrace/trace/launch.py sets the same. */
#define NO_ORDER_OF_SANITIZERS "verify_asan_link_order=0"

enum { most_pointers = 65536, most_path = 1100 }; /* half a MiB of stack: what has more variables goes on as it is */

static char our_name[most_path];           /* as the loader was told it; "": not by LD_PRELOAD, or too long */
static char our_directory[most_path + 32]; /* with NAME= */
static char our_launcher[64];              /* likewise; "": there is none */
static const char directory_is[] = "HEADRACE_TRACE_DIRECTORY=", launcher_is[] = "HEADRACE_TRACE_LAUNCHER=";
static const char preload_is[] = "LD_PRELOAD=", sanitizer_is[] = "ASAN_OPTIONS=";

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

static void keep(char *place, size_t bytes, const char *name_is, const char *value)
{
    int length = value ? snprintf(place, bytes, "%s%s", name_is, value) : -1;
    if (length < 0 || (size_t)length >= bytes) *place = '\0';
}

void environment_start(void)
{
    Dl_info us;
    const char *preloaded = getenv("LD_PRELOAD");
    keep(our_directory, sizeof our_directory, directory_is, getenv("HEADRACE_TRACE_DIRECTORY"));
    keep(our_launcher, sizeof our_launcher, launcher_is, getenv("HEADRACE_TRACE_LAUNCHER"));
    if (!preloaded || !dladdr((const void *)(uintptr_t)environment_start, &us) || !us.dli_fname) return;
    if (has_word(preloaded, us.dli_fname)) keep(our_name, sizeof our_name, "", us.dli_fname);
}

const char *environment_directory(void) { return *our_directory ? our_directory + sizeof directory_is - 1 : ""; }

/* Where in `environment` our variables are; -1: nowhere. */
struct found {
    size_t count;
    long directory, launcher, preload, sanitizer;
};

static int is(const char *variable, const char *name_is) { return strncmp(variable, name_is, strlen(name_is)) == 0; }

static struct found look(char *const environment[])
{
    struct found found = {0, -1, -1, -1, -1};
    for (; environment && environment[found.count]; ++found.count) {
        const char *variable = environment[found.count];
        long place = (long)found.count;
        if (found.directory < 0 && is(variable, directory_is)) found.directory = place;
        if (found.launcher < 0 && is(variable, launcher_is)) found.launcher = place;
        if (found.preload < 0 && is(variable, preload_is)) found.preload = place;
        if (found.sanitizer < 0 && is(variable, sanitizer_is)) found.sanitizer = place;
    }
    return found;
}

static int lacks_library(char *const environment[], const struct found *found)
{
    return found->preload < 0 || !has_word(environment[found->preload] + sizeof preload_is - 1, our_name);
}

static int lacks_option(char *const environment[], const struct found *found)
{
    return found->sanitizer < 0 || !strstr(environment[found->sanitizer], "verify_asan_link_order");
}

struct environment_room environment_room(char *const environment[])
{
    struct environment_room none = {0, 0};
    if (!*our_name || !*environment_directory()) return none;
    struct found found = look(environment);
    if (found.count >= most_pointers) return none;
    if (found.directory >= 0 && !environment[found.directory][sizeof directory_is - 1]) return none; /* it is told to be left out */
    if (found.directory >= 0 && !lacks_library(environment, &found)) return none;
    size_t bytes = strlen(our_name) + sizeof preload_is + 1 + sizeof sanitizer_is + sizeof NO_ORDER_OF_SANITIZERS + 1;
    if (found.preload >= 0) bytes += strlen(environment[found.preload]);
    if (found.sanitizer >= 0) bytes += strlen(environment[found.sanitizer]);
    return (struct environment_room){found.count + 5, bytes};
}

/* NAME=ours:theirs at `text`; returns what is behind it. */
static char *join(char *text, const char *name_is, const char *ours, const char *theirs)
{
    text = stpcpy(stpcpy(text, name_is), ours);
    if (theirs && *theirs) text = stpcpy(stpcpy(text, ":"), theirs);
    return text + 1;
}

static void put(char **pointers, size_t *count, long place, char *variable)
{
    pointers[place >= 0 ? (size_t)place : (*count)++] = variable;
}

char **environment_fill(char *const environment[], char **pointers, char *text)
{
    struct found found = look(environment);
    size_t count = found.count;
    if (count) memcpy(pointers, environment, count * sizeof *pointers);
    if (lacks_library(environment, &found)) {
        const char *theirs = found.preload >= 0 ? environment[found.preload] + sizeof preload_is - 1 : NULL;
        put(pointers, &count, found.preload, text);
        text = join(text, preload_is, our_name, theirs);
    }
    if (lacks_option(environment, &found)) {
        const char *theirs = found.sanitizer >= 0 ? environment[found.sanitizer] + sizeof sanitizer_is - 1 : NULL;
        put(pointers, &count, found.sanitizer, text);
        join(text, sanitizer_is, NO_ORDER_OF_SANITIZERS, theirs);
    }
    if (found.directory < 0) put(pointers, &count, -1, our_directory); /* a nested trace has its own */
    if (found.launcher < 0 && *our_launcher) put(pointers, &count, -1, our_launcher);
    pointers[count] = NULL;
    return pointers;
}
