/* SPDX-License-Identifier: BSD-2-Clause */
#include "objects.h"

#include <stdlib.h>

#include "fatal.h"

static const char *const kind_names[] = {
    [KIND_CONFIG] = "config", [KIND_CONTEXT] = "context", [KIND_SURFACE] = "surface",
    [KIND_BUFFER] = "buffer", [KIND_IMAGE] = "image",
};

uint32_t objects_add(struct objects *objects, struct object *object, enum kind kind)
{
    if (objects->count == objects->capacity) {
        unsigned capacity = objects->capacity ? 2 * objects->capacity : 64;
        struct object **live = realloc(objects->live, capacity * sizeof(*live));
        if (!live)
            fatal("out of memory");
        objects->live = live;
        objects->capacity = capacity;
    }
    object->kind = kind;
    object->id = ++objects->next;
    objects->live[objects->count++] = object;
    return object->id;
}

void *objects_get(const struct objects *objects, uint32_t id, enum kind kind, const char *call)
{
    for (unsigned i = 0; i < objects->count; i++) {
        struct object *object = objects->live[i];
        if (object->id != id)
            continue;
        if (object->kind != kind)
            fatal("%s: %u is of kind %s, not %s", call, id, kind_names[object->kind],
                  kind_names[kind]);
        return object;
    }
    fatal("%s: %s %u %s", call, kind_names[kind], id,
          id && id <= objects->next ? "was destroyed" : "was never made");
}

void objects_remove(struct objects *objects, struct object *object)
{
    for (unsigned i = 0; i < objects->count; i++)
        if (objects->live[i] == object) {
            objects->live[i] = objects->live[--objects->count];
            return;
        }
}

void objects_end(struct objects *objects)
{
    if (objects->count)
        fatal("vaTerminate: %u objects are left, among them %s %u", objects->count,
              kind_names[objects->live[0]->kind], objects->live[0]->id);
    free(objects->live);
}
