/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The thread that stands for the GPU: it does jobs one after the other, each no earlier than the
 * setting of lateness says, while the calls that gave them have long returned.
 */
#ifndef VMAFXTEST_WORKER_H
#define VMAFXTEST_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "picture.h"

struct surface;
struct driver;

struct job {
    struct job *next;
    struct surface *target; /* is written */
    struct surface *source; /* is read, or NULL */
    /* Makes the picture that goes into the target, on the worker's thread. */
    void (*produce)(struct job *job, struct picture *picture);
    void (*release)(struct job *job); /* frees the job */
    bool late;
    struct timespec due; /* of a late one */
};

struct worker {
    pthread_t thread;
    pthread_cond_t given, done;
    struct job *first, **last;
    unsigned given_jobs; /* so far */
    unsigned jobs;       /* given and not done */
    bool ending;
};

void worker_start(struct driver *driver);
/* Does what is left first. */
void worker_end(struct driver *driver);

/* All with the driver's lock held, which waiting gives up. */
void worker_give(struct driver *driver, struct job *job);
void worker_drain(struct driver *driver);
void worker_await(struct driver *driver, struct surface *surface);
bool worker_await_until(struct driver *driver, struct surface *surface, uint64_t timeout_ns);

#endif
