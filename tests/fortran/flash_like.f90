! A checkpoint as FLASH-IO writes it: blocks of cells with guard cells, all variables of a block beside each other in
! memory, one variable of the file for each; posted in the Fortran 77 interface with MPI datatypes, waited for together,
! read back in the Fortran 90 interface as sections. And the blocks' descriptions, text included.
program flash_like
  use mpi
  use pnetcdf
  implicit none
  integer, parameter :: nvar = 5, nx = 4, ny = 3, nz = 2, g = 2, blocks = 3
  double precision :: unk(nvar, nx + 2*g, ny + 2*g, nz + 2*g, blocks), back(nvar, nx + 2*g, ny + 2*g, nz + 2*g, blocks)
  real :: corner(3, blocks), corner_back(3, blocks)
  character(len=4) :: names(nvar) = ['dens', 'pres', 'temp', 'velx', 'vely'], names_back(nvar)
  integer :: level(blocks), ncid, dims(7), varid(nvar), id_corner, id_level, id_names, guarded
  integer :: i, err, rank, np, bad, total, req(nvar + 2), st(nvar + 2)
  integer(MPI_OFFSET_KIND) :: start(4), count(4), one = 1

  bad = 0
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  call MPI_Comm_size(MPI_COMM_WORLD, np, err)
  call random_number(unk)
  unk = unk + rank
  level = [(i + blocks*rank, i = 1, blocks)]
  corner = reshape([(0.5*i + rank, i = 1, 3*blocks)], [3, blocks])

  call ok(nfmpi_create(MPI_COMM_WORLD, 'flash.nc', ior(nf_clobber, nf_64bit_data), MPI_INFO_NULL, ncid), 'create')
  call ok(nfmpi_def_dim(ncid, 'dim_tot_blocks', one*blocks*np, dims(1)), 'def_dim')
  call ok(nfmpi_def_dim(ncid, 'dim_nxb', one*nx, dims(2)), 'def_dim')
  call ok(nfmpi_def_dim(ncid, 'dim_nyb', one*ny, dims(3)), 'def_dim')
  call ok(nfmpi_def_dim(ncid, 'dim_nzb', one*nz, dims(4)), 'def_dim')
  call ok(nfmpi_def_dim(ncid, 'dim_NDIM', 3*one, dims(5)), 'def_dim')
  call ok(nfmpi_def_dim(ncid, 'dim_4', 4*one, dims(6)), 'def_dim')
  call ok(nfmpi_def_dim(ncid, 'dim_nVar', one*nvar, dims(7)), 'def_dim')
  do i = 1, nvar
    call ok(nfmpi_def_var(ncid, names(i), nf_double, 4, [dims(2), dims(3), dims(4), dims(1)], varid(i)), 'def_var')
  end do
  call ok(nfmpi_def_var(ncid, 'coordinates', nf_float, 2, [dims(5), dims(1)], id_corner), 'def_var')
  call ok(nfmpi_def_var(ncid, 'lrefine', nf_int, 1, [dims(1)], id_level), 'def_var')
  call ok(nfmpi_def_var(ncid, 'unknown_names', nf_char, 2, [dims(6), dims(7)], id_names), 'def_var')
  call ok(nfmpi_put_att_double(ncid, nf_global, 'time', nf_double, one, [0.25d0]), 'put_att')
  call ok(nfmpi_enddef(ncid), 'enddef')

  ! one variable of each cell inside the guards; the address says which variable
  call MPI_Type_create_subarray(5, [nvar, nx + 2*g, ny + 2*g, nz + 2*g, blocks], [1, nx, ny, nz, blocks], &
                                [0, g, g, g, 0], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, guarded, err)
  call MPI_Type_commit(guarded, err)
  start = [one, one, one, one*blocks*rank + 1]
  count = [nx, ny, nz, blocks]
  do i = 1, nvar
    call ok(nfmpi_iput_vara(ncid, varid(i), start, count, unk(i, 1, 1, 1, 1), one, guarded, req(i)), 'iput_vara')
  end do
  call MPI_Type_free(guarded, err)
  call ok(nfmpi_iput_vara_real(ncid, id_corner, [one, start(4)], [3*one, one*blocks], corner, req(nvar + 1)), 'iput')
  call ok(nfmpi_iput_vara_int(ncid, id_level, start(4:4), [one*blocks], level, req(nvar + 2)), 'iput')
  call ok(nfmpi_wait_all(ncid, nvar + 2, req, st), 'wait_all')
  if (any(st /= nf_noerr)) bad = bad + 1
  call ok(nfmpi_put_vara_text_all(ncid, id_names, [one, one], [4*one, merge(one*nvar, 0*one, rank == 0)], names), 'names')
  call ok(nfmpi_close(ncid), 'close')

  call ok(nf90mpi_open(MPI_COMM_WORLD, 'flash.nc', nf90_nowrite, MPI_INFO_NULL, ncid), 'open')
  back = -1
  do i = 1, nvar
    call ok(nf90mpi_inq_varid(ncid, names(i), varid(i)), 'inq_varid')
    call ok(nf90mpi_iget_var(ncid, varid(i), back(i, g+1:g+nx, g+1:g+ny, g+1:g+nz, :), req(i), start, count), 'iget_var')
  end do
  call ok(nf90mpi_wait_all(ncid, nvar, req, st), 'wait_all')
  if (any(back(:, g+1:g+nx, g+1:g+ny, g+1:g+nz, :) /= unk(:, g+1:g+nx, g+1:g+ny, g+1:g+nz, :))) call wrong('unk')
  back(:, g+1:g+nx, g+1:g+ny, g+1:g+nz, :) = -1
  if (any(back /= -1)) call wrong('the guard cells')
  call ok(nf90mpi_get_var_all(ncid, id_corner, corner_back, [one, start(4)]), 'get coordinates')
  if (any(corner_back /= corner)) call wrong('coordinates')
  level = 0
  call ok(nf90mpi_get_var_all(ncid, id_level, level, start(4:4)), 'get lrefine')
  if (any(level /= [(i + blocks*rank, i = 1, blocks)])) call wrong('lrefine')
  call ok(nf90mpi_get_var_all(ncid, id_names, names_back), 'get names')
  if (any(names_back /= names)) call wrong('unknown_names')
  call ok(nf90mpi_close(ncid), 'close')

  call MPI_Allreduce(bad, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, err)
  call MPI_Finalize(err)
  if (total /= 0) error stop
contains
  subroutine ok(code, what)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    if (code == nf_noerr) return
    print *, what, ': ', trim(nfmpi_strerror(code))
    bad = bad + 1
  end subroutine ok

  subroutine wrong(what)
    character(len=*), intent(in) :: what
    print *, what, ' differ'
    bad = bad + 1
  end subroutine wrong
end program flash_like
