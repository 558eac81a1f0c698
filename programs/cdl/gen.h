#ifndef PCDF_GEN_H
#define PCDF_GEN_H
/* `parcdf gen`: CDL text -> a file, or a C program that makes it, in one pass. The header of the text is read
 * whole (cdlparser.h); its data streams from the parser (gendata.c) to a sink: a file (genfile.c), a program
 * (genprogram.c), or nothing, which checks the text. */

#include <stdio.h>
#include "value.h"
#include "cdlparser.h"
#include "layout.h"

struct pcdf_gen {       /* what is asked for */
    const char *path;   /* of the text; NULL or "-": standard input */
    const char *output; /* NULL: the file is called after the text's, or the title */
    const char *suffix; /* of that name: ".nc" */
    bool after_title;   /* after the word behind `netcdf`, as standard input is in any case */
    enum { PCDF_GEN_CHECK, PCDF_GEN_FILE, PCDF_GEN_C } what;
    int version; /* 1, 2, 5; 0: what the text says, or the first that allows what it defines */
    bool no_fill;
    bool is_quiet; /* says nothing about errors in the text */
    int64_t most;  /* bytes that the file may have; 0: what the disk has room for */
};

/* PCDF_TOOL_GOOD; PCDF_TOOL_BAD: an error in the text; PCDF_TOOL_UNUSABLE: not readable, not writable.
 * Then it has said what is wrong, and there is no output file. */
int pcdf_gen_run(const struct pcdf_gen *gen);

/* genkinds.c. The version that a word for the kind of a file means, as ncgen's -k has them; 0: none; -1: a
 * kind of netCDF-4. */
int pcdf_gen_kind(const char *word);

/* Where values go. Functions give PCDF_TOOL_GOOD, or UNUSABLE and have said why. Values are numbered in the
 * order of the file's array; n > 0. A variable that is given twice begins again at 0. */
struct pcdf_gen_sink {
    const struct pcdf_meta *meta;
    int (*put)(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n, const unsigned char *bytes);
    int (*fill)(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n);
    /* The same with zero bytes: as many as a text says there are, so nothing is done for each. */
    int (*zero)(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n);
};

/* Values of a variable in one record, of all of it where it has no records. */
int64_t pcdf_gen_row(const struct pcdf_meta *meta, int varid);

/* The data section, to its last brace. rows[varid]: in, -1; out, how many records of a variable were given, 1
 * of a variable without records, -1 of one that is not there. What a variable lacks in its last row, or as a
 * whole where it has no records, is filled. *said: the sink failed, which has said why. Otherwise an NC_
 * code, and the parser's fault is filled. */
int pcdf_gen_data(struct pcdf_cdl_parser *p, struct pcdf_gen_sink *sink, int64_t *rows, int *said);

/* genfile.c. most: as of struct pcdf_gen. */
struct pcdf_gen_file;
int pcdf_gen_file_begin(struct pcdf_gen_file **file, const char *path, const struct pcdf_meta *meta,
                        bool no_fill, int64_t most);
struct pcdf_gen_sink *pcdf_gen_file_sink(struct pcdf_gen_file *file);
/* Writes numrecs, which is meta's now, and stores the file under its name. Frees, whatever happens. */
int pcdf_gen_file_end(struct pcdf_gen_file *file);
void pcdf_gen_file_abandon(struct pcdf_gen_file *file);

/* genprogram.c: a program on `to` that makes the file. */
struct pcdf_gen_program;
int pcdf_gen_program_begin(struct pcdf_gen_program **program, FILE *to, const char *path,
                           const struct pcdf_meta *meta, bool no_fill);
struct pcdf_gen_sink *pcdf_gen_program_sink(struct pcdf_gen_program *program);
int pcdf_gen_program_end(struct pcdf_gen_program *program);
void pcdf_gen_program_abandon(struct pcdf_gen_program *program);
#endif
