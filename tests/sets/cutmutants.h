#ifndef CUTMUTANTS_H
#define CUTMUTANTS_H
/* Rules that the simulated file system breaks, so that the judge must find what is lost. */
enum sim_mutant {
    SIM_RIGHT,
    SIM_FOLDERS_ARE_NOT_SYNCED,
    SIM_SET_IS_NOT_SYNCED, /* the folder of the set alone */
    SIM_WRITE_IS_NOT_SYNCED,
    SIM_RENAME_IS_TWO_STEPS,
    SIM_PARTS_ARE_NOT_SYNCED,   /* their folder */
    SIM_MEMBERS_ARE_NOT_SYNCED, /* their contents, which the caller's close is to sync */
    SIM_PARTS_GO_FIRST,         /* before the user's names are given */
    SIM_COMMIT_IS_EARLY,        /* before the last file */
    SIM_OLDER_GOES_FIRST,       /* before the commit */
    SIM_RESTORE_HAS_NO_NOTE,
    SIM_MUTANTS
};
#endif
