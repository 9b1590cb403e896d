/* SPDX-License-Identifier: BSD-2-Clause */
#include "worker.h"

#include <errno.h>

#include "driver.h"
#include "fatal.h"
#include "surface.h"

static struct timespec later(clockid_t clock, uint64_t nanoseconds)
{
    struct timespec time;
    clock_gettime(clock, &time);
    nanoseconds += (uint64_t)time.tv_nsec;
    time.tv_sec += (time_t)(nanoseconds / 1000000000);
    time.tv_nsec = (long)(nanoseconds % 1000000000);
    return time;
}

static void do_job(struct job *job)
{
    struct picture picture = {0};
    surface_poison(job->target);
    job->produce(job, &picture);
    if (job->late)
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &job->due, NULL) == EINTR)
            continue;
    surface_store(job->target, &picture);
    picture_free(&picture);
}

static void finish_job(struct driver *driver, struct job *job)
{
    driver->worker.jobs--;
    job->target->jobs--;
    if (job->source)
        job->source->jobs--;
    surface_end_write(job->target);
    job->release(job);
    pthread_cond_broadcast(&driver->worker.done);
}

static void *work(void *argument)
{
    struct driver *driver = argument;
    struct worker *worker = &driver->worker;

    pthread_mutex_lock(&driver->lock);
    while (worker->first || !worker->ending) {
        struct job *job = worker->first;
        if (!job) {
            pthread_cond_wait(&worker->given, &driver->lock);
            continue;
        }
        worker->first = job->next;
        if (!worker->first)
            worker->last = &worker->first;
        pthread_mutex_unlock(&driver->lock);
        do_job(job);
        pthread_mutex_lock(&driver->lock);
        finish_job(driver, job);
    }
    pthread_mutex_unlock(&driver->lock);
    return NULL;
}

void worker_start(struct driver *driver)
{
    struct worker *worker = &driver->worker;
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&worker->given, &attributes);
    pthread_cond_init(&worker->done, &attributes);
    pthread_condattr_destroy(&attributes);
    worker->last = &worker->first;
    if (pthread_create(&worker->thread, NULL, work, driver) != 0)
        fatal("no thread can be started");
}

void worker_end(struct driver *driver)
{
    struct worker *worker = &driver->worker;
    pthread_mutex_lock(&driver->lock);
    worker->ending = true;
    pthread_cond_signal(&worker->given);
    pthread_mutex_unlock(&driver->lock);
    pthread_join(worker->thread, NULL);
    pthread_cond_destroy(&worker->given);
    pthread_cond_destroy(&worker->done);
}

void worker_give(struct driver *driver, struct job *job)
{
    struct worker *worker = &driver->worker;

    /* A buffer carries one fence of the driver at a time. */
    if (job->target->memory[0].card >= 0)
        worker_await(driver, job->target);
    surface_begin_write(job->target, worker->given_jobs >= driver->settings.stuck_from);
    worker->jobs++;
    job->target->jobs++;
    if (job->source)
        job->source->jobs++;
    job->late = driver->settings.late_ms && worker->given_jobs >= driver->settings.late_from;
    worker->given_jobs++;
    job->due = later(CLOCK_MONOTONIC, driver->settings.late_ms * UINT64_C(1000000));
    job->next = NULL;
    *worker->last = job;
    worker->last = &job->next;
    pthread_cond_signal(&worker->given);
}

void worker_drain(struct driver *driver)
{
    while (driver->worker.jobs)
        pthread_cond_wait(&driver->worker.done, &driver->lock);
}

void worker_await(struct driver *driver, struct surface *surface)
{
    while (surface->jobs)
        pthread_cond_wait(&driver->worker.done, &driver->lock);
}

bool worker_await_until(struct driver *driver, struct surface *surface, uint64_t timeout_ns)
{
    const uint64_t an_hour = UINT64_C(3600000000000);
    struct timespec end = later(CLOCK_MONOTONIC, timeout_ns < an_hour ? timeout_ns : an_hour);
    while (surface->jobs)
        if (pthread_cond_timedwait(&driver->worker.done, &driver->lock, &end) == ETIMEDOUT)
            return false;
    return true;
}
