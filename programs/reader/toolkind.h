#ifndef PCDF_TOOLKIND_H
#define PCDF_TOOLKIND_H
/* The words for kinds of classic files, as nccopy and ncgen have them. Pure. */

/* 1, 2 or 5: `word` in any case of letters; 0: it is none of them. */
int pcdf_tool_kind(const char *word);
#endif
