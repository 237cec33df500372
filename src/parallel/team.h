/* team.h - the same job on several threads at once. */
#ifndef PARALLEL_TEAM_H
#define PARALLEL_TEAM_H

/* Runs job(context, i) for i = 0 .. threads-1, each on a thread of its own (0 on the caller's), and returns
 * when all are done. Creating and joining the threads orders what they did before what the caller does
 * next. Where a thread cannot be had, its job runs on the caller's after job 0. */
void team_run(int threads, void (*job)(void *context, int index), void *context);

#endif
