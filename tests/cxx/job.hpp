// What the C++ tests share: one job of MPI, checks that count on all ranks and name the place and the values.
#ifndef JOB_HPP
#define JOB_HPP
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

struct Job {
    int rank, ranks, bad;

    Job(int *argc, char ***argv) : rank(0), ranks(0), bad(0)
    {
        MPI_Init(argc, argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        alarm(100); // a test that hangs is killed
    }

    void fail(const char *file, int line, const char *sentence)
    {
        if (bad++ < 20)
            std::printf("%s:%d: rank %d: %s\n", file, line, rank, sentence);
    }

    void same(const char *file, int line, const char *what, long long got, long long wanted)
    {
        if (got != wanted)
            fail(file, line,
                 (what + (": " + std::to_string(got)) + ", not " + std::to_string(wanted)).c_str());
    }

    void same(const char *file, int line, const char *what, const std::string &got, const std::string &wanted)
    {
        if (got != wanted)
            fail(file, line, (what + (": " + got) + ", not " + wanted).c_str());
    }

    // A call threw `e`: it should have this class and code, and these words in its sentence.
    void thrown(const char *file, int line, const char *call, const std::exception &e,
                const std::type_info &type, int code, const char *words)
    {
        const PnetCDF::exceptions::NcmpiException *ours =
            dynamic_cast<const PnetCDF::exceptions::NcmpiException *>(&e);
        if (!ours || typeid(e) != type || ours->errorCode() != code || !std::strstr(e.what(), words))
            fail(file, line, (std::string(call) + " throws " + typeid(e).name() + ": " + e.what()).c_str());
    }

    // The exit status of every rank.
    int end()
    {
        int all = 0;
        MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            std::printf("%d wrong on %d ranks\n", all, ranks);
        MPI_Finalize();
        return all != 0;
    }
};

static Job *job;

#define SAME(got, wanted) job->same(__FILE__, __LINE__, #got, got, wanted)
#define HOLDS(claim)      ((claim) ? (void)0 : job->fail(__FILE__, __LINE__, #claim))
#define THROWS(Exception, code, words, call)                                                                 \
    do {                                                                                                     \
        try {                                                                                                \
            call;                                                                                            \
            job->fail(__FILE__, __LINE__, #call " throws nothing");                                          \
        } catch (const std::exception &thrown_) {                                                            \
            job->thrown(__FILE__, __LINE__, #call, thrown_, typeid(PnetCDF::exceptions::Exception), code,    \
                        words);                                                                              \
        }                                                                                                    \
    } while (0)

// Any exception of the interface will do.
#define THROWS_ANY(call)                                                                                     \
    do {                                                                                                     \
        try {                                                                                                \
            call;                                                                                            \
            job->fail(__FILE__, __LINE__, #call " throws nothing");                                          \
        } catch (const PnetCDF::exceptions::NcmpiException &) {                                              \
        }                                                                                                    \
    } while (0)

#endif
