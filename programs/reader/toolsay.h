#ifndef PCDF_TOOLSAY_H
#define PCDF_TOOLSAY_H
/* Sentences for people, and exit statuses. */

#include <stdbool.h>
#include <stdio.h>

/* The same in all commands. */
enum pcdf_tool_exit { PCDF_TOOL_GOOD = 0, PCDF_TOOL_BAD = 1, PCDF_TOOL_UNUSABLE = 2 };

/* "parcdf: PATH: SENTENCE" on standard error, escaped; path may be NULL. Among several ranks those beside
 * rank 0 keep their first sentence, and the end of the program prints one of them if rank 0 had nothing to
 * say. */
void pcdf_tool_say(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, and gives PCDF_TOOL_UNUSABLE. */
int pcdf_tool_unusable(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Nothing is said while a command does what it will try again. */
void pcdf_tool_mute(bool is_mute);

/* Prints text from a file so that it can harm neither a terminal nor a parser: control characters,
 * backslashes and bytes that are not UTF-8 become \xHH. */
void pcdf_tool_print(FILE *to, const char *text);

/* Of this process, since sentences come from where no ranks are known. */
enum { PCDF_TOOL_SENTENCE = 1024 };
struct pcdf_tool_said {
    bool keeps;   /* one of several ranks, not rank 0: its first sentence is kept */
    bool is_mute; /* what would be said is not */
    bool has_said;
    char first[PCDF_TOOL_SENTENCE]; /* kept */
};
extern struct pcdf_tool_said pcdf_tool_said;
#endif
