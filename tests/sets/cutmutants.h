#ifndef CUTMUTANTS_H
#define CUTMUTANTS_H
/* Rules that the simulated file system breaks, so that the judge must find what is lost. */
enum sim_mutant {
    SIM_RIGHT,
    SIM_FOLDERS_ARE_NOT_SYNCED,
    SIM_SET_IS_NOT_SYNCED, /* the folder of the set alone */
    SIM_WRITE_IS_NOT_SYNCED,
    SIM_RENAME_IS_TWO_STEPS,
    SIM_MUTANTS
};
#endif
