! A checkpoint as S3D-IO writes it, with `include 'pnetcdf.inc'` in free form and no interfaces: four fields of three and
! four dimensions, cut along the third one, once with flexible blocking calls and once posted, read back and compared.
program s3d_like
  implicit none
  include 'mpif.h'
  include 'pnetcdf.inc'
  integer, parameter :: nx = 5, ny = 4, nz = 3, species = 11
  double precision :: yspecies(nx, ny, nz, species), u(nx, ny, nz, 3), pressure(nx, ny, nz), temp(nx, ny, nz)
  double precision :: y_back(nx, ny, nz, species), u_back(nx, ny, nz, 3), p_back(nx, ny, nz), t_back(nx, ny, nz)
  integer :: ncid, dims(5), ids(4), req(4), st(4), err, rank, np, bad, total, round
  integer(MPI_OFFSET_KIND) :: start(4), count(4), n, size_put

  bad = 0
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  call MPI_Comm_size(MPI_COMM_WORLD, np, err)
  call random_number(yspecies)
  call random_number(u)
  call random_number(pressure)
  call random_number(temp)
  temp = temp + 10*rank

  do round = 1, 2
    call ok(nfmpi_create(MPI_COMM_WORLD, 's3d.nc', ior(nf_clobber, nf_64bit_offset), MPI_INFO_NULL, ncid), 'create')
    call ok(nfmpi_def_dim(ncid, 'x', int(nx, 8), dims(1)), 'def_dim')
    call ok(nfmpi_def_dim(ncid, 'y', int(ny, 8), dims(2)), 'def_dim')
    call ok(nfmpi_def_dim(ncid, 'z', int(nz*np, 8), dims(3)), 'def_dim')
    call ok(nfmpi_def_dim(ncid, 'nsc', int(species, 8), dims(4)), 'def_dim')
    call ok(nfmpi_def_dim(ncid, 'three', 3_8, dims(5)), 'def_dim')
    call ok(nfmpi_def_var(ncid, 'yspecies', nf_double, 4, dims, ids(1)), 'def_var')
    dims(4) = dims(5)
    call ok(nfmpi_def_var(ncid, 'u', nf_double, 4, dims, ids(2)), 'def_var')
    call ok(nfmpi_def_var(ncid, 'pressure', nf_double, 3, dims, ids(3)), 'def_var')
    call ok(nfmpi_def_var(ncid, 'temp', nf_double, 3, dims, ids(4)), 'def_var')
    call ok(nfmpi_put_att_real(ncid, nf_global, 'tout', nf_float, 2_8, (/1.5, 2.5/)), 'put_att')
    call ok(nfmpi_enddef(ncid), 'enddef')

    start = (/1, 1, nz*rank + 1, 1/)
    count = (/nx, ny, nz, species/)
    n = product(count)
    if (round == 1) then
      call ok(nfmpi_put_vara_all(ncid, ids(1), start, count, yspecies, n, MPI_DOUBLE_PRECISION), 'put')
      count(4) = 3
      n = product(count)
      call ok(nfmpi_put_vara_all(ncid, ids(2), start, count, u, n, MPI_DOUBLE_PRECISION), 'put')
      n = nx*ny*nz
      call ok(nfmpi_put_vara_all(ncid, ids(3), start, count, pressure, n, MPI_DOUBLE_PRECISION), 'put')
      call ok(nfmpi_put_vara_all(ncid, ids(4), start, count, temp, n, MPI_DOUBLE_PRECISION), 'put')
    else
      call ok(nfmpi_iput_vara_double(ncid, ids(1), start, count, yspecies, req(1)), 'iput')
      count(4) = 3
      call ok(nfmpi_iput_vara_double(ncid, ids(2), start, count, u, req(2)), 'iput')
      call ok(nfmpi_iput_vara_double(ncid, ids(3), start, count, pressure, req(3)), 'iput')
      call ok(nfmpi_iput_vara_double(ncid, ids(4), start, count, temp, req(4)), 'iput')
      call ok(nfmpi_wait_all(ncid, 4, req, st), 'wait_all')
      if (any(st /= nf_noerr)) bad = bad + 1
    end if
    call ok(nfmpi_inq_put_size(ncid, size_put), 'inq_put_size')
    if (size_put < 8*nx*ny*nz*(species + 5)) bad = bad + 1
    call ok(nfmpi_close(ncid), 'close')

    call ok(nfmpi_open(MPI_COMM_WORLD, 's3d.nc', nf_nowrite, MPI_INFO_NULL, ncid), 'open')
    count(4) = species
    call ok(nfmpi_get_vara_double_all(ncid, ids(1), start, count, y_back), 'get')
    count(4) = 3
    call ok(nfmpi_get_vara_double_all(ncid, ids(2), start, count, u_back), 'get')
    call ok(nfmpi_get_vara_double_all(ncid, ids(3), start, count, p_back), 'get')
    call ok(nfmpi_get_vara_double_all(ncid, ids(4), start, count, t_back), 'get')
    if (any(y_back /= yspecies) .or. any(u_back /= u) .or. any(p_back /= pressure) .or. any(t_back /= temp)) then
      print *, 'the fields differ in round', round
      bad = bad + 1
    end if
    call ok(nfmpi_close(ncid), 'close')
  end do

  call MPI_Allreduce(bad, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, err)
  call MPI_Finalize(err)
  if (total /= 0) stop 1
contains
  subroutine ok(code, what)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    if (code == nf_noerr) return
    print *, what, ': ', nfmpi_strerror(code)
    bad = bad + 1
  end subroutine ok
end program s3d_like
