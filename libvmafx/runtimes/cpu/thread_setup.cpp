/* SPDX-License-Identifier: BSD-2-Clause */
#include "thread_setup.h"

#include <cfenv>
#include <csignal>
#include <cstdio>
#include <initializer_list>

#include <pthread.h>

namespace vmafx::cpu
{

namespace
{

void set_name(const char *name)
{
    pthread_setname_np(pthread_self(), name);
}

/** Signals of the process are for its own threads; faults of this one stay here. */
void leave_signals_to_others()
{
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
        sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

} // namespace

void set_up_worker_thread(uint32_t index)
{
    char name[16];
    std::snprintf(name, sizeof(name), "vmafx-cpu-%u", index % 10000);
    set_name(name);
    leave_signals_to_others();
    /* A thread inherits rounding and flush-to-zero from the one that started it. */
    std::fesetenv(FE_DFL_ENV);
}

void set_up_host_thread()
{
    set_name("vmafx-cpu-host");
    leave_signals_to_others();
}

} // namespace vmafx::cpu
