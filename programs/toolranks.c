/* See toolranks.h. Also which rank prints a sentence that several have. */
#include "toolranks.h"
#include "launcher.h"
#include "options.h"
#include "tool.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pcdf_tool_ranks here = { .size = 1 }; /* of this process */

/* Open MPI alone: without a daemon beside it, which takes longer than most commands. All processes without
 * one are job 0 and would share a folder in /tmp, which one takes away while another begins: so none of them
 * has one. The component that would look for it serves shared file pointers, which nobody here uses. Messages
 * go nowhere: to load what drives networks (libpsm2 measures the clock for 0.2 s) is not worth it. */
static void begin_alone(void)
{
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
    setenv("OMPI_MCA_sharedfp", "^sm", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
}

bool pcdf_tool_ranks_begin(struct pcdf_tool_ranks *ranks, bool needs_mpi)
{
    static const char *const signs[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK" };
    bool was_started = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        was_started = was_started || getenv(signs[i]);
    bool wanted = needs_mpi || was_started;
    if (wanted && !was_started)
        begin_alone();
    *ranks = (struct pcdf_tool_ranks){ .size = 1 };
    ranks->has_mpi = wanted && MPI_Init(NULL, NULL) == MPI_SUCCESS;
    if (ranks->has_mpi) {
        MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks->size);
    }
    here = *ranks;
    pcdf_tool_said.keeps = ranks->rank > 0;
    return ranks->has_mpi || !wanted;
}

bool pcdf_tool_ranks_are_whole(const struct pcdf_tool_ranks *ranks)
{
    struct pcdf_launcher l;
    if (!ranks->has_mpi || ranks->size > 1 || !pcdf_launcher_of(&l))
        return true;
    if (l.rank == 0)
        pcdf_tool_say(
            NULL,
            "the launcher started %d processes (%s), but MPI sees one: it is the launcher of another MPI "
            "library. Start it by that of its own; or unset %s, to run it %d times",
            l.size, l.variable, l.variable, l.size);
    return false;
}

/* Rank 0 prints the sentence of the lowest rank that kept one, unless it had its own say. */
static void tell_all(void)
{
    const struct pcdf_tool_ranks *ranks = &here;
    int mine = pcdf_tool_said.has_said ? ranks->rank : ranks->size, teller;
    MPI_Allreduce(&mine, &teller, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (teller == 0 || teller == ranks->size) /* the same on all ranks */
        return;
    MPI_Bcast(pcdf_tool_said.first, PCDF_TOOL_SENTENCE, MPI_CHAR, teller, MPI_COMM_WORLD);
    if (ranks->rank == 0) {
        fprintf(stderr, "parcdf: rank %d: ", teller);
        pcdf_tool_print(stderr, pcdf_tool_said.first);
        fputc('\n', stderr);
    }
}

int pcdf_tool_ranks_end_all(struct pcdf_tool_ranks *ranks, int status)
{
    if (!ranks->has_mpi) /* the same on all ranks */
        return status;
    fflush(stdout); /* MPI may end the process its own way */
    tell_all();
    status = pcdf_tool_worst_all(ranks, status);
    MPI_Finalize();
    return status;
}

int pcdf_tool_worst_all(const struct pcdf_tool_ranks *ranks, int status)
{
    int64_t worst = status;
    pcdf_tool_max_all(ranks, &worst, 1);
    return (int)worst;
}

int pcdf_tool_agree_all(const struct pcdf_tool_ranks *ranks, const char *path, uint32_t sum, int status)
{
    int64_t bounds[2] = { sum, -(int64_t)sum };

    status = pcdf_tool_worst_all(ranks, status);
    pcdf_tool_max_all(ranks, bounds, 2);
    if (status || bounds[0] == -bounds[1])
        return status;
    pcdf_tool_say(path, path ? "the file changes while it is read" : "a file changes while it is read");
    return PCDF_TOOL_UNUSABLE;
}

void pcdf_tool_sum_all(const struct pcdf_tool_ranks *ranks, int64_t *x, int n)
{
    if (ranks->size > 1) /* the same on all ranks */
        MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void pcdf_tool_max_all(const struct pcdf_tool_ranks *ranks, int64_t *x, int n)
{
    if (ranks->size > 1) /* the same on all ranks */
        MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
}

void pcdf_tool_share_all(const struct pcdf_tool_ranks *ranks, void *bytes, int n, int from)
{
    if (ranks->size > 1) /* the same on all ranks */
        MPI_Bcast(bytes, n, MPI_BYTE, from, MPI_COMM_WORLD);
}

void pcdf_tool_gather_all(const struct pcdf_tool_ranks *ranks, const void *bytes, int n, void *all)
{
    if (ranks->size > 1) /* the same on all ranks */
        MPI_Gather(bytes, n, MPI_BYTE, all, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    else
        memcpy(all, bytes, (size_t)n);
}

/* ---- commands */

int pcdf_tool_misused(const struct pcdf_tool_command *command, const char *format, ...)
{
    char sentence[PCDF_TOOL_SENTENCE];
    va_list args;

    if (here.rank > 0) /* all ranks have the same arguments */
        return PCDF_TOOL_UNUSABLE;
    pcdf_tool_said.has_said = true;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    fprintf(stderr, "parcdf %s: ", command->name);
    pcdf_tool_print(stderr, sentence);
    fprintf(stderr, "\nusage: parcdf %s %s\n", command->name, command->usage);
    return PCDF_TOOL_UNUSABLE;
}

int pcdf_tool_options(const struct pcdf_tool_command *command, void *into, int argc, char **argv,
                      struct pcdf_arguments *rest)
{
    const char *wrong = pcdf_options_read(command->options, into, argc, argv, rest);

    if (!wrong)
        return PCDF_TOOL_GOOD;
    return *wrong ? pcdf_tool_misused(command, "%s", wrong) : PCDF_TOOL_UNUSABLE;
}

bool pcdf_tool_has_colours(FILE *to)
{
    const char *without = getenv("NO_COLOR");
    /* Under mpiexec it may be a terminal of mpiexec's, whose output goes to a file. */
    return !(without && *without) && !here.has_mpi && isatty(fileno(to));
}
