#ifndef PCDF_FSTYPE_H
#define PCDF_FSTYPE_H
/* What kind of file system a path is on, as people call it: "ext4", "tmpfs", "lustre" ... */

/* "0x..." in `room` (16 bytes) for a kind that we do not know by name; "unknown" where the system does not
 * tell. A path that does not exist counts as the folder it would be in. Local. */
const char *pcdf_fstype(const char *path, char room[16]);
#endif
