/* The program `parcdf` for tests that run it ten thousand times: MPI starts once, commands come by lines.
 * Preloaded with tests/support/shim it makes system calls of a command fail. A line of standard input of rank
 * 0:
 *
 *   RANK \t ORDER \t SIGNAL \t MICROSECONDS \t COMMAND \t WORD...
 *
 * ORDER is what PCDF_SHIM_FAIL has (shim/README.md), on that rank; "-": nothing fails. On one rank each
 * command has a process of its own, which gets the signal after so long (0: none), and is killed after a
 * minute. The answer is a line: "exit STATUS" or "signal NUMBER", then how many calls failed, and how many
 * were of their kind. What commands print goes to the file that is named. */
#include "tool.h"
#include "shimlog.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <getopt.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 200, LINE = 16384, MINUTE = 60 };

static const struct pcdf_tool_command *const commands[] = {
#define PCDF_TOOL(name) &pcdf_tool_##name,
#include "commands.def"
#undef PCDF_TOOL
};

struct job {
    int rank, signal, microseconds, argc;
    const char *order;
    char *argv[MOST_WORDS + 1];
};

struct counts {
    long fired, matched;
};

static shim_order_fn *give_order;
static shim_matched_fn *matched;

static bool find_shim(void)
{
    void *order = dlsym(RTLD_DEFAULT, "pcdf_shim_order"), *count = dlsym(RTLD_DEFAULT, "pcdf_shim_matched");
    memcpy(&give_order, &order, sizeof give_order);
    memcpy(&matched, &count, sizeof matched);
    return order && count;
}

static bool parse(char *line, struct job *job)
{
    char *rest = line, *words[4];
    for (int i = 0; i < 4; i++)
        if (!(words[i] = strsep(&rest, "\t\n")) || !rest)
            return false;
    *job = (struct job){ atoi(words[0]), atoi(words[2]), atoi(words[3]), 0, words[1], { NULL } };
    for (char *word; job->argc < MOST_WORDS && (word = strsep(&rest, "\t\n")) && *word;)
        job->argv[job->argc++] = word;
    return job->argc > 0;
}

static int run(const struct pcdf_tool_ranks *ranks, struct job *job, struct counts *counts)
{
    int status = PCDF_TOOL_UNUSABLE;
    bool fails = strcmp(job->order, "-") != 0 && job->rank == ranks->rank;
    optind = 0; /* getopt(3): begin anew */
    long before = give_order(fails ? job->order : NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i]->name, job->argv[0]) == 0)
            status = commands[i]->is_parallel || ranks->rank == 0
                         ? commands[i]->run(ranks, job->argc, job->argv)
                         : PCDF_TOOL_GOOD;
    counts->matched = matched();
    counts->fired = give_order(NULL) - before;
    fflush(NULL);
    return status;
}

/* The process of one command ends with its status; what it counted goes through the pipe. */
static pid_t start(const struct pcdf_tool_ranks *ranks, struct job *job, int to)
{
    pid_t child = fork();
    if (child == 0) {
        struct counts counts;
        int status = run(ranks, job, &counts);
        (void)!write(to, &counts, sizeof counts);
        _exit(status);
    }
    return child;
}

static void run_apart(const struct pcdf_tool_ranks *ranks, struct job *job, FILE *answers)
{
    int ends[2], status = 0;
    struct counts counts = { 0, 0 };
    pid_t child = pipe(ends) == 0 ? start(ranks, job, ends[1]) : -1;
    if (child < 0)
        exit(70);
    close(ends[1]);
    if (job->signal) {
        usleep((useconds_t)job->microseconds);
        kill(child, job->signal);
    }
    for (int i = 0; waitpid(child, &status, WNOHANG) == 0; i++) {
        if (i > MINUTE * 5000)
            kill(child, SIGKILL);
        usleep(200);
    }
    if (read(ends[0], &counts, sizeof counts) != sizeof counts)
        counts = (struct counts){ 0, 0 };
    close(ends[0]);
    fprintf(answers, "%s %d %ld %ld\n", WIFEXITED(status) ? "exit" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), counts.fired, counts.matched);
    fflush(answers);
}

static void run_together(const struct pcdf_tool_ranks *ranks, struct job *job, FILE *answers)
{
    struct counts mine;
    int status = pcdf_tool_worst_all(ranks, run(ranks, job, &mine));
    long counts[2] = { mine.fired, mine.matched };
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    if (ranks->rank == 0) {
        fprintf(answers, "exit %d %ld %ld\n", status, counts[0], counts[1]);
        fflush(answers);
    }
}

/* Answers go to what was standard output; sentences of commands to the file. */
static FILE *redirect(const char *path)
{
    FILE *answers = fdopen(dup(1), "w");
    int to = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (!answers || to < 0 || dup2(to, 1) < 0 || dup2(to, 2) < 0)
        exit(70);
    return answers;
}

int main(int argc, char **argv)
{
    static char line[LINE];
    struct pcdf_tool_ranks ranks;
    struct job job;
    if (argc != 2 || !find_shim() || !pcdf_tool_ranks_begin(&ranks, true)) {
        fputs("usage: tool_server FILE    with the shim preloaded\n", stderr);
        return 70;
    }
    FILE *answers = redirect(argv[1]);
    for (;;) {
        line[0] = '\0';
        if (ranks.rank == 0 && !fgets(line, sizeof line, stdin))
            line[0] = '\0';
        MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (!parse(line, &job))
            break;
        if (ranks.size == 1) /* the same on all ranks */
            run_apart(&ranks, &job, answers);
        else
            run_together(&ranks, &job, answers);
    }
    MPI_Finalize();
    return 0;
}
