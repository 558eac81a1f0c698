#ifndef PCDF_LOCK_H
#define PCDF_LOCK_H
/* Threads. Different files may always be used by different threads at the same time. Built with
 * PARCDF_THREAD_SAFE, the library also guards one file: of several threads that call something on it one is
 * in the library, the others wait. That includes a thread that waits in a collective for other ranks, so
 * collective calls of several threads on one file must be put into one order, equal on all ranks, by the
 * program. Without the option there is no lock on the way, and one file is one thread's at a time. */

/* Local. The id of the guard, which may be entered again by the same thread; -1 for an ncid that cannot be.
 */
int pcdf_lock_enter(int ncid);
void pcdf_lock_leave(const int *guard);

/* A statement of a public function: from here to its end the file is this thread's. Of two files the smaller
 * ncid comes first. */
#if PARCDF_THREAD_SAFE
#define PCDF_LOCK_JOIN(a, b) a##b
#define PCDF_LOCK_NAME(line) PCDF_LOCK_JOIN(pcdf_lock_, line)
#define PCDF_LOCK(ncid)                                                                                      \
    int PCDF_LOCK_NAME(__LINE__) __attribute__((cleanup(pcdf_lock_leave), unused)) = pcdf_lock_enter(ncid)
#define PCDF_LOCK_BOTH(a, b)                                                                                 \
    int pcdf_lock_low __attribute__((cleanup(pcdf_lock_leave), unused)) =                                    \
        pcdf_lock_enter((a) < (b) ? (a) : (b));                                                              \
    int pcdf_lock_high __attribute__((cleanup(pcdf_lock_leave), unused)) =                                   \
        pcdf_lock_enter((a) < (b) ? (b) : (a))
#else
#define PCDF_LOCK(ncid)      (void)(ncid)
#define PCDF_LOCK_BOTH(a, b) (void)(a), (void)(b)
#endif
#endif
