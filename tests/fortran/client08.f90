! A Fortran 2008 program: mpi_f08's handles, arrays of rank 1 to 15, pointers, assumed-size and zero-sized arrays,
! steps backwards, the user's datatypes, and what the calls say of types and sizes that do not fit.
module arrays08
  use mpi_f08
  use pnetcdf
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  integer :: bad = 0, rank, np
  integer(MPI_OFFSET_KIND), parameter :: one = 1
contains
  subroutine ok(err, what)
    integer, intent(in) :: err
    character(len=*), intent(in) :: what
    if (err == nf90_noerr) return
    bad = bad + 1
    print *, what, ': ', trim(nf90mpi_strerror(err))
  end subroutine ok

  subroutine same(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    if (good) return
    bad = bad + 1
    print *, what, ' is wrong'
  end subroutine same

  subroutine define(ncid, varid)
    integer, intent(out) :: ncid, varid(0:4)
    type(MPI_Info) :: info, used
    integer :: dims(4), i, h
    logical :: there
    character(len=20) :: text
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'nc_var_align_size', '1024')
    call ok(nf90mpi_create(MPI_COMM_WORLD%MPI_VAL, 'f08.nc', nf90_64bit_data, info%MPI_VAL, ncid), 'create')
    call MPI_Info_free(info)
    call ok(nf90mpi_inq_file_info(ncid, h), 'inq_file_info')
    used%MPI_VAL = h
    call MPI_Info_get(used, 'nc_var_align_size', 20, text, there)
    call same(there .and. text == '1024', 'the hint')
    call MPI_Info_free(used)
    do i = 1, 4
      call ok(nf90mpi_def_dim(ncid, 'd'//achar(48 + i), merge(2 * one * np, one + i, i == 4), dims(i)), 'def_dim')
    end do
    call ok(nf90mpi_def_var(ncid, 'ushort', nf90_ushort, dims(4), varid(0)), 'def_var')
    call ok(nf90mpi_def_var(ncid, 'double', nf90_double, dims, varid(1)), 'def_var')
    call ok(nf90mpi_def_var(ncid, 'ubyte', nf90_ubyte, dims(4:4), varid(2)), 'def_var')
    call ok(nf90mpi_def_var(ncid, 'uint64', nf90_uint64, [dims(1), dims(4)], varid(3)), 'def_var')
    call ok(nf90mpi_def_var(ncid, 'short', nf90_short, [dims(3), dims(1), dims(4)], varid(4)), 'def_var')
    call ok(nf90mpi_def_var_fill(ncid, varid(0), 0, nf90_fill_ushort), 'def_var_fill')
    call same(nf90mpi_def_var_fill(ncid, varid(2), 0, 256) == nf90_erange, 'def_var_fill 256')
    call same(nf90mpi_def_var_fill(ncid, varid(2), 0, 'a') == nf90_echar, 'def_var_fill a')
    call ok(nf90mpi_def_var_fill(ncid, varid(2), 0, 200_int16), 'def_var_fill 200')
    call ok(nf90mpi_enddef(ncid), 'enddef')
  end subroutine define

  subroutine fills(ncid, varid)
    integer, intent(in) :: ncid, varid(0:4)
    integer :: no_fill, whole
    real(real64) :: large
    integer(int16) :: filled(2 * np)
    integer(int8) :: small
    call ok(nf90mpi_inq_var_fill(ncid, varid(0), no_fill, whole), 'inq_var_fill')
    call same(no_fill == 0 .and. whole == nf90_fill_ushort, 'inq_var_fill')
    call ok(nf90mpi_inq_var_fill(ncid, varid(3), no_fill, large), 'inq_var_fill')
    call same(large >= 1.8e19_real64, 'inq_var_fill uint64')
    call same(nf90mpi_inq_var_fill(ncid, varid(2), no_fill, small) == nf90_erange, 'inq_var_fill 200')
    call ok(nf90mpi_get_var_all(ncid, varid(2), filled), 'get fill')
    call same(all(filled == 200), 'the fill')
  end subroutine fills

  subroutine ranks(ncid, varid)
    integer, intent(in) :: ncid, varid(0:4)
    integer(int64) :: u(2, 2), m(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)
    integer(int16), target :: s(4, 2, 2), t(0:9, -1:4, 2)
    integer(int16), pointer :: p(:, :, :)
    integer(int16), allocatable :: none(:)
    integer(MPI_OFFSET_KIND) :: start(3)
    integer :: i
    u = reshape([1, 2, 3, 4], [2, 2]) + 10_int64 * rank
    call ok(nf90mpi_put_var_all(ncid, varid(3), u(2:1:-1, :), start=[one, 2 * rank + one]), 'put backwards')
    call ok(nf90mpi_get_var_all(ncid, varid(3), m, [one, 2 * rank + one], count=[2 * one, 2 * one]), 'get rank 15')
    call same(all(reshape(m, [2, 2]) == u(2:1:-1, :)), 'rank 15')
    call ok(nf90mpi_get_var_all(ncid, varid(3), m(2:1:-1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, :), &
                                [one, 2 * rank + one]), 'get rank 15 backwards')
    call same(all(reshape(m, [2, 2]) == u), 'rank 15 backwards')
    s = reshape([(i + 16 * rank, i = 1, 16)], [4, 2, 2])
    start = [one, one, 2 * rank + one]
    call ok(nf90mpi_put_var_all(ncid, varid(4), s, start), 'put shorts')
    t = -1
    p => t(1:7:2, 0:3:3, :)
    call ok(nf90mpi_get_var_all(ncid, varid(4), p, start), 'get into a pointer')
    call same(all(p == s) .and. count(t /= -1) == 16, 'the pointer')
    call assumed(ncid, varid(4), t, start)
    call same(all(reshape(t, [16]) == reshape(s, [16])), 'assumed size')
    allocate (none(0))
    call ok(nf90mpi_get_var_all(ncid, varid(0), none), 'get nothing')
    call ok(nf90mpi_put_var_all(ncid, varid(0), none, [2 * np + one], [0 * one]), 'put nothing')
    call same(all(s == reshape([(i + 16 * rank, i = 1, 16)], [4, 2, 2])), 'put left its values alone')
  end subroutine ranks

  subroutine assumed(ncid, varid, t, start)
    integer, intent(in) :: ncid, varid
    integer(int16), intent(inout) :: t(*)
    integer(MPI_OFFSET_KIND), intent(in) :: start(:)
    call ok(nf90mpi_get_var_all(ncid, varid, t, start, [4, 2, 2] * one), 'get assumed size')
  end subroutine assumed

  ! Guard cells around a block, described by a datatype and by a section: the same file.
  subroutine guards(ncid, varid)
    integer, intent(in) :: ncid, varid(0:4)
    real(real64) :: block(4, 5, 6, 4), back(2, 3, 4, 2)
    complex :: no
    type(MPI_Datatype) :: inner
    integer :: req(2), st(2)
    integer(MPI_OFFSET_KIND) :: start(4), count(4), none(4, 1)
    none = 0
    no = 0
    call random_number(block)
    call MPI_Type_create_subarray(4, [4, 5, 6, 4], [2, 3, 4, 2], [1, 1, 1, 1], MPI_ORDER_FORTRAN, &
                                  MPI_DOUBLE_PRECISION, inner)
    call MPI_Type_commit(inner)
    start = [one, one, one, 2 * rank + one]
    count = [2, 3, 4, 2]
    call ok(nf90mpi_put_var_all(ncid, varid(1), block, start, count, bufcount=one, buftype=inner%MPI_VAL), 'put inner')
    call ok(nf90mpi_get_var_all(ncid, varid(1), back, start), 'get inner')
    call same(all(back == block(2:3, 2:4, 2:5, 2:3)), 'inner')
    call ok(nf90mpi_get_var_all(ncid, varid(1), back, start, count, buftype=MPI_DOUBLE_PRECISION%MPI_VAL), 'buftype')
    block(:, :, :, 3) = -block(:, :, :, 3)
    call ok(nf90mpi_iput_var(ncid, varid(1), block(2:3, 2:4, 2:5, 2:3), req(1), start), 'iput section')
    call ok(nf90mpi_iget_var(ncid, varid(1), block, req(2), start, count, bufcount=one, buftype=inner%MPI_VAL), 'iget')
    call MPI_Type_free(inner)
    call ok(nf90mpi_wait_all(ncid, 2, req, st), 'wait_all')
    call same(all(block(2:3, 2:4, 2:5, 2) == back(:, :, :, 1)) .and. &
              all(block(2:3, 2:4, 2:5, 3) == -back(:, :, :, 2)), 'posted')
    call same(nf90mpi_put_var_all(ncid, varid(1), no, start) == nf90_ebadtype, 'complex')
    ! a rank whose values are of no use takes part with nothing, the others succeed
    if (rank == 0) then
      call same(nf90mpi_put_var_all(ncid, varid(1), no, start) == nf90_ebadtype, 'complex on one rank')
    else
      call ok(nf90mpi_put_var_all(ncid, varid(1), back, start), 'put beside a bad rank')
    end if
    call ok(nf90mpi_put_varn_all(ncid, varid(1), back, 0, none), 'varn of nothing')
    call same(nf90mpi_put_varn_all(ncid, varid(1), back, 2, none + 1) < 0, 'varn with too few starts')
    call same(nf90mpi_get_var_all(ncid, varid(1), back, start, count + 1) == nf90_eedge, 'eedge')
    call same(nf90mpi_get_var_all(ncid, varid(1), back(1:1, :, :, :), start, count) == nf90_eiomismatch, 'too small')
  end subroutine guards
end module arrays08

program client08
  use arrays08
  implicit none
  integer :: ncid, varid(0:4), total, length
  character(len=200) :: path
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, np)
  call define(ncid, varid)
  call fills(ncid, varid)
  call ranks(ncid, varid)
  call guards(ncid, varid)
  call ok(nf90mpi_inq_path(ncid, length, path), 'inq_path')
  call same(path == 'f08.nc' .and. length == 6, 'inq_path')
  call ok(nf90mpi_close(ncid), 'close')
  call same(nf90mpi_open(MPI_COMM_WORLD%MPI_VAL, 'not there', nf90_nowrite, MPI_INFO_NULL%MPI_VAL, ncid) == &
            nf90_enoent, 'enoent')
  call MPI_Allreduce(bad, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (total /= 0) error stop
end program client08
