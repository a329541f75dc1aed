/* The variables that bring us into programs. A program that another one starts with an environment of its own, or with a
 * LD_PRELOAD of its own, gets them too: a job script that preloads Darshan, env -i.
 *
 * Nothing here allocates or makes a system call: the child of a vfork comes here.
 */
#ifndef HEADRACE_ENVIRONMENT_H
#define HEADRACE_ENVIRONMENT_H

#include <alloca.h>
#include <stddef.h>

/* Keeps the variables as they are now. */
void environment_start(void);

/* The directory for profiles, whatever the program has done to its variables since; "": none was named. */
const char *environment_directory(void);

struct environment_room {
    size_t pointers, bytes; /* pointers is 0 if nothing is missing, or if we are not wanted there */
};
struct environment_room environment_room(char *const environment[]);

/* Fills `pointers` and `text`, which have that room, and returns the former. */
char **environment_fill(char *const environment[], char **pointers, char *text);

/* `name`: an environment with our variables, on the stack of the function that says so; NULL if `given` will do. */
#define ENVIRONMENT_WITH_OURS(name, given)                            \
    char **name = NULL;                                               \
    struct environment_room room_of_##name = environment_room(given); \
    if (room_of_##name.pointers)                                      \
    name = environment_fill(given, alloca(room_of_##name.pointers * sizeof(char *)), alloca(room_of_##name.bytes))

#endif
