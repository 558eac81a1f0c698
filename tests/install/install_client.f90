! Fixes that a Fortran program which found an installed library compiles, links and runs: each rank writes its column by
! the module's procedures and reads another's through them.
program install_client
  use mpi
  use pnetcdf
  implicit none
  integer :: rank, ranks, err, ncid, varid, dimids(2)
  integer(kind=MPI_OFFSET_KIND) :: start(2), count(2), length
  double precision :: column(3), other(3)
  character(len=256) :: path

  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, err)
  path = 'client.nc'
  if (command_argument_count() > 0) call get_command_argument(1, path)

  call check(nf90mpi_create(MPI_COMM_WORLD, trim(path), NF90_CLOBBER, MPI_INFO_NULL, ncid))
  length = 3
  call check(nf90mpi_def_dim(ncid, 'y', length, dimids(1)))
  length = ranks
  call check(nf90mpi_def_dim(ncid, 'x', length, dimids(2)))
  call check(nf90mpi_def_var(ncid, 'a', NF90_DOUBLE, dimids, varid))
  call check(nf90mpi_enddef(ncid))
  column = [rank + 0.25d0, rank + 0.5d0, rank + 0.75d0]
  start = [1, rank + 1]
  count = [3, 1]
  call check(nf90mpi_put_var_all(ncid, varid, column, start, count))
  start(2) = mod(rank + 1, ranks) + 1
  call check(nf90mpi_get_var_all(ncid, varid, other, start, count))
  if (any(abs(other - (column - rank + mod(rank + 1, ranks))) > 1d-9)) call fail('wrong values came back')
  call check(nf90mpi_close(ncid))
  if (rank == 0) print '(a,i0,a)', 'client: good in Fortran on ', ranks, ' ranks'
  call MPI_Finalize(err)

contains
  subroutine check(code)
    integer, intent(in) :: code
    if (code /= NF90_NOERR) call fail(trim(nf90mpi_strerror(code)))
  end subroutine

  subroutine fail(sentence)
    character(len=*), intent(in) :: sentence
    print '(a)', sentence
    call MPI_Abort(MPI_COMM_WORLD, 1, err)
  end subroutine
end program
