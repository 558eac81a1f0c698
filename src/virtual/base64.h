#ifndef PCDF_BASE64_H
#define PCDF_BASE64_H
/* RFC 4648. Local. */

#include <stddef.h>

/* How many bytes n characters become. */
long pcdf_base64_size(const char *text, size_t n);
/* n characters as bytes, of which `to` has room for as many as that; -1: it is none. */
long pcdf_base64_decode(const char *text, size_t n, unsigned char *to);
/* n bytes as text, with '=' at its end and a NUL behind it; `to` has room for so many. */
size_t pcdf_base64_room(size_t n);
void pcdf_base64_encode(const unsigned char *bytes, size_t n, char *to);
#endif
