/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the caller knows by numbers. A number never comes back, so that a stale one is recognised.
 */
#ifndef VMAFXTEST_OBJECTS_H
#define VMAFXTEST_OBJECTS_H

#include <stdint.h>

enum kind { KIND_CONFIG = 1, KIND_CONTEXT, KIND_SURFACE, KIND_BUFFER, KIND_IMAGE };

/* The first member of everything that has a number. */
struct object {
    enum kind kind;
    uint32_t id;
};

struct objects {
    struct object **live;
    unsigned count, capacity;
    uint32_t next;
};

uint32_t objects_add(struct objects *objects, struct object *object, enum kind kind);

/* Ends the process where the number is stale, was never given, or is something else's. */
void *objects_get(const struct objects *objects, uint32_t id, enum kind kind, const char *call);

/* Takes it out of the list, and frees nothing. */
void objects_remove(struct objects *objects, struct object *object);

/* Ends the process where something is left, else frees the list. */
void objects_end(struct objects *objects);

#endif
