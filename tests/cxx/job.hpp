// What the C++ tests share: one job of MPI, checks that count on all ranks and name the place and the values.
#ifndef JOB_HPP
#define JOB_HPP
#include <cstdio>
#include <sstream>
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

    void fail(const char *file, int line, const std::string &sentence)
    {
        if (bad++ < 20)
            std::printf("%s:%d: rank %d: %s\n", file, line, rank, sentence.c_str());
    }

    // The exit status of every rank.
    int end(const char *name)
    {
        int all = 0;
        MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            std::printf("%s: %d wrong on %d ranks\n", name, all, ranks);
        MPI_Finalize();
        return all != 0;
    }
};

extern Job *job;

template <class A, class B>
void same(const char *file, int line, const char *what, const A &got, const B &wanted)
{
    if (got == wanted)
        return;
    std::ostringstream text;
    text << what << ": " << got << ", not " << wanted;
    job->fail(file, line, text.str());
}

#define SAME(got, wanted) same(__FILE__, __LINE__, #got, got, wanted)
#define HOLDS(claim)      ((claim) ? (void)0 : job->fail(__FILE__, __LINE__, #claim))

// The call throws this exception, with this code and these words in its sentence.
#define THROWS(Exception, code, words, call)                                                                 \
    do {                                                                                                     \
        try {                                                                                                \
            call;                                                                                            \
            job->fail(__FILE__, __LINE__, #call " throws nothing");                                          \
        } catch (const PnetCDF::exceptions::Exception &thrown_) {                                            \
            SAME(thrown_.errorCode(), code);                                                                 \
            if (std::string(thrown_.what()).find(words) == std::string::npos)                                \
                job->fail(__FILE__, __LINE__, std::string(#call " throws: ") + thrown_.what());              \
        } catch (const std::exception &thrown_) {                                                            \
            job->fail(__FILE__, __LINE__,                                                                    \
                      std::string(#call " throws another exception: ") + thrown_.what());                    \
        }                                                                                                    \
    } while (0)
#endif
