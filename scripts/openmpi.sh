# Sourced by the scripts: makes Open MPI's mpiexec run as root, with more ranks than cores, without spinning or binding.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_plm=isolated OMPI_MCA_pml=ob1 OMPI_MCA_btl_vader_single_copy_mechanism=none
