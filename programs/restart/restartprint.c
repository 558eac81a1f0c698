/* See restartprint.h. */
#include "restartprint.h"
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include "status.h"

static const char *time_text(int64_t seconds, char *room, size_t size)
{
    struct tm tm;
    time_t when = (time_t)seconds;
    if (!gmtime_r(&when, &tm) || strftime(room, size, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
        snprintf(room, size, "?");
    return room;
}

static int64_t bytes_of(const struct pcdf_setmanifest *m)
{
    int64_t sum = 0;
    for (size_t i = 0; i < m->nfiles; i++)
        sum += m->files[i].size;
    return sum;
}

static void print_set(const struct pcdf_restart *r)
{
    pcdf_tool_print(stdout, r->set.dir);
    putchar('/');
    pcdf_tool_print(stdout, r->set.name);
    fputs(": ", stdout);
}

static void print_generation(const struct pcdf_setmanifest *m)
{
    char room[64];
    printf("generation %" PRId64 ", ", m->number);
    if (m->step[0]) {
        fputs("step ", stdout);
        pcdf_tool_print(stdout, m->step);
        fputs(", ", stdout);
    }
    printf("written %s, %zu file%s, %" PRId64 " bytes", time_text(m->time, room, sizeof room), m->nfiles,
           m->nfiles == 1 ? "" : "s", bytes_of(m));
}

static void print_making(const struct pcdf_restart *r)
{
    for (size_t i = 0; i < r->nmaking; i++) {
        const struct pcdf_restart_making *making = &r->making[i];
        print_set(r);
        printf("not committed, in the making or left by a job that ended: %" PRId64 " of %" PRId64
               " files are whole",
               making->closed, making->begun > making->closed ? making->begun : making->closed);
        if (making->failed)
            printf(", %" PRId64 " failed", making->failed);
        putchar('\n');
    }
}

void pcdf_restart_print(const struct pcdf_restart *r, bool is_quick)
{
    print_making(r);
    for (size_t i = 0; i < r->nnewer; i++) {
        print_set(r);
        printf("generation %" PRId64 " is not complete: ", r->newer[i].number);
        pcdf_tool_print(stdout, r->newer[i].why);
        putchar('\n');
    }
    print_set(r);
    if (!r->is_found) {
        puts("no complete generation");
        return;
    }
    print_generation(&r->newest);
    puts(is_quick ? ", sizes are right" : ", verified");
    for (size_t i = 0; i < r->newest.nfiles; i++) {
        fputs("  ", stdout);
        pcdf_tool_print(stdout, r->paths[i]);
        putchar('\n');
    }
}

void pcdf_restart_print_files(const struct pcdf_restart *r)
{
    for (size_t i = 0; r->is_found && i < r->newest.nfiles; i++)
        puts(r->paths[i]);
}

void pcdf_restart_print_list(const struct pcdf_restart *r)
{
    print_making(r);
    for (size_t i = r->list.n; i-- > 0;) {
        struct pcdf_setmanifest m;
        print_set(r);
        if (pcdf_set_read(&r->set, r->list.numbers[i], false, &m)) {
            printf("generation %" PRId64 ": ", r->list.numbers[i]);
            pcdf_tool_print(stdout, pcdf_fail_text());
            putchar('\n');
            continue;
        }
        print_generation(&m);
        int err = pcdf_set_is_whole(&r->set, &m);
        fputs(err ? ", not complete: " : ", sizes are right", stdout);
        pcdf_tool_print(stdout, err ? pcdf_fail_text() : "");
        putchar('\n');
        pcdf_setmanifest_free(&m);
    }
}

/* ---- JSON */

static void json_text(struct pcdf_json *json, const char *key, const char *text)
{
    pcdf_json_key(json, key);
    pcdf_json_text(json, text);
}

static void json_number(struct pcdf_json *json, const char *key, int64_t number)
{
    pcdf_json_key(json, key);
    pcdf_json_integer(json, number);
}

static void json_file(struct pcdf_json *json, const struct pcdf_setfile *file, const char *path)
{
    char crc[16];
    snprintf(crc, sizeof crc, "%08" PRIx32, file->crc);
    pcdf_json_open(json, '{', true);
    json_text(json, "file", file->file);
    json_text(json, "path", path);
    json_number(json, "bytes", file->size);
    json_text(json, "crc32c", crc);
    json_number(json, "records", file->records);
    json_text(json, "format", file->format);
    pcdf_json_close(json, '}');
}

static void json_newest(const struct pcdf_restart *r, bool is_quick, struct pcdf_json *json)
{
    const struct pcdf_setmanifest *m = &r->newest;
    char room[64];
    pcdf_json_open(json, '{', false);
    json_number(json, "generation", m->number);
    json_text(json, "step", m->step);
    json_text(json, "job", m->job);
    json_text(json, "written", time_text(m->time, room, sizeof room));
    pcdf_json_key(json, "verified");
    pcdf_json_bool(json, !is_quick);
    json_number(json, "bytes", bytes_of(m));
    pcdf_json_key(json, "files");
    pcdf_json_open(json, '[', false);
    for (size_t i = 0; i < m->nfiles; i++)
        json_file(json, &m->files[i], r->paths[i]);
    pcdf_json_close(json, ']');
    pcdf_json_close(json, '}');
}

void pcdf_restart_print_json(const struct pcdf_restart *r, bool is_quick, struct pcdf_json *json)
{
    pcdf_json_open(json, '{', false);
    json_text(json, "folder", r->set.dir);
    json_text(json, "set", r->set.name);
    pcdf_json_key(json, "newest");
    if (r->is_found)
        json_newest(r, is_quick, json);
    else
        pcdf_json_null(json);
    pcdf_json_key(json, "newer");
    pcdf_json_open(json, '[', false);
    for (size_t i = 0; i < r->nnewer; i++) {
        pcdf_json_open(json, '{', true);
        json_number(json, "generation", r->newer[i].number);
        json_text(json, "why", r->newer[i].why);
        pcdf_json_close(json, '}');
    }
    pcdf_json_close(json, ']');
    pcdf_json_key(json, "making");
    pcdf_json_open(json, '[', false);
    for (size_t i = 0; i < r->nmaking; i++) {
        pcdf_json_open(json, '{', true);
        json_text(json, "key", r->making[i].key);
        json_number(json, "whole", r->making[i].closed);
        json_number(json, "begun", r->making[i].begun);
        json_number(json, "failed", r->making[i].failed);
        pcdf_json_close(json, '}');
    }
    pcdf_json_close(json, ']');
    pcdf_json_close(json, '}');
}
