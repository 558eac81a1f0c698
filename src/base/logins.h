#ifndef PCDF_LOGINS_H
#define PCDF_LOGINS_H
/* Users and passwords in texts, as URLs have them: "scheme://user:password@host". A text for people has none.
 */

#include <stdbool.h>

/* Takes them out of a text, in place, whatever the scheme is, and also where the URL is damaged; false: there
 * was none. Names without "://", such as "ufs:/a@b", stay, unless they are "http:user:password@host" or like
 * it. */
bool pcdf_logins_hide(char *text);
#endif
