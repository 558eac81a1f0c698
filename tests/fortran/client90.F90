! The Fortran 90 interface: each of its types, written and read by all ranks, whole and in sections; and text.
module types90
  use mpi
  use pnetcdf
  implicit none
contains

#define NAME onebyte
#define DECLARE integer(1)
#define XTYPE nf90_byte
#include "forms90.fi"
#undef NAME
#undef DECLARE
#undef XTYPE
#define NAME twobyte
#define DECLARE integer(2)
#define XTYPE nf90_short
#include "forms90.fi"
#undef NAME
#undef DECLARE
#undef XTYPE
#define NAME fourbyte
#define DECLARE integer
#define XTYPE nf90_int
#include "forms90.fi"
#undef NAME
#undef DECLARE
#undef XTYPE
#define NAME eightbyte
#define DECLARE integer(8)
#define XTYPE nf90_int64
#include "forms90.fi"
#undef NAME
#undef DECLARE
#undef XTYPE
#define NAME single
#define DECLARE real
#define XTYPE nf90_float
#include "forms90.fi"
#undef NAME
#undef DECLARE
#undef XTYPE
#define NAME double
#define DECLARE double precision
#define XTYPE nf90_double
#include "forms90.fi"

  subroutine ok(err, what, bad)
    integer, intent(in) :: err
    character(len=*), intent(in) :: what
    integer, intent(inout) :: bad
    if (err == nf90_noerr) return
    bad = bad + 1
    print *, what, ': ', trim(nf90mpi_strerror(err))
  end subroutine ok

  subroutine same(good, what, bad)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    integer, intent(inout) :: bad
    if (good) return
    bad = bad + 1
    print *, what, ' is wrong'
  end subroutine same

  ! Words in rows: the length of the words is the first dimension.
  subroutine words(comm, bad)
    integer, intent(in) :: comm
    integer, intent(inout) :: bad
    integer :: ncid, dims(2), varid, number, rank, np, err
    character(len=5) :: row(3), back(3), every(2, 3)
    character(len=15) :: long
    integer(MPI_OFFSET_KIND) :: one = 1
    call MPI_Comm_rank(comm, rank, err)
    call MPI_Comm_size(comm, np, err)
    row = ['alpha', 'beta ', 'gamma']
    row(2)(5:) = achar(48 + rank)
    call ok(nf90mpi_create(comm, 'f90.nc', nf90_clobber, MPI_INFO_NULL, ncid), 'create', bad)
    call ok(nf90mpi_def_dim(ncid, 'letter', 5 * one, dims(1)), 'def_dim', bad)
    call ok(nf90mpi_def_dim(ncid, 'word', 3 * one * np, dims(2)), 'def_dim', bad)
    call ok(nf90mpi_def_var(ncid, 'words', nf90_char, dims, varid), 'def_var', bad)
    call ok(nf90mpi_def_var(ncid, 'number', nf90_int, dims(2), number), 'def_var', bad)
    call ok(nf90mpi_enddef(ncid), 'enddef', bad)
    call ok(nf90mpi_inquire(ncid, unlimitedDimId=err), 'inquire', bad)
    call same(err == -1, 'no record dimension', bad)
    ! text into numbers is the error, whatever the coordinates are
    call same(nf90mpi_get_var_all(ncid, number, long, [99 * one]) == nf90_echar, 'text of numbers', bad)
    call same(nf90mpi_get_var_all(ncid, number, long, [one], [3 * one * np + 1]) == nf90_echar, 'text, edge', bad)
    call same(nf90mpi_put_var_all(ncid, number, long, [one]) == nf90_echar, 'text to numbers', bad)
    call same(nf90mpi_get_var_all(ncid, number, long(:1), [one], [3 * one]) == nf90_echar, 'short text', bad)
    call same(nf90mpi_get_var_all(ncid, varid, err, [99 * one, one]) == nf90_echar, 'numbers of text', bad)
    every = '-----'
    every(2, :) = row
    call ok(nf90mpi_put_var_all(ncid, varid, every(2, :), [one, 3 * rank + one]), 'put words', bad)
    call ok(nf90mpi_get_var_all(ncid, varid, back, [one, 3 * rank + one]), 'get words', bad)
    call same(all(back == row), 'words', bad)
    every = '-----'
    call ok(nf90mpi_get_var_all(ncid, varid, every(1, 3:1:-1), [one, 3 * rank + one]), 'get words back', bad)
    call same(all(every(1, 3:1:-1) == row) .and. all(every(2, :) == '-----'), 'words back', bad)
    call ok(nf90mpi_get_var_all(ncid, varid, long, [one, 3 * rank + one], [5, 3] * one), 'get long', bad)
    call same(long == row(1)//row(2)//row(3), 'long', bad)
    call ok(nf90mpi_get_var_all(ncid, varid, long(:5), [one, 3 * rank + 2 * one]), 'get word', bad)
    call same(long(:5) == row(2), 'word', bad)
    call ok(nf90mpi_close(ncid), 'close', bad)
  end subroutine words

  ! An index vector that is too short for its variable is an error, one that is too long is none; the sentence says it.
  subroutine short_vectors(comm, bad)
    integer, intent(in) :: comm
    integer, intent(inout) :: bad
    integer(MPI_OFFSET_KIND), parameter :: one = 1
    integer(MPI_OFFSET_KIND) :: none(0), starts(2, 2)
    integer :: ncid, dims(2), varid, scalar, req(1), status(1), line(3), rank, err
    call MPI_Comm_rank(comm, rank, err)
    starts = 1
    line = 5
    call ok(nf90mpi_create(comm, 'f90.nc', nf90_clobber, MPI_INFO_NULL, ncid), 'create', bad)
    call ok(nf90mpi_def_dim(ncid, 'x', 3 * one, dims(1)), 'def_dim', bad)
    call ok(nf90mpi_def_dim(ncid, 'y', 2 * one, dims(2)), 'def_dim', bad)
    call ok(nf90mpi_def_var(ncid, 'a', nf90_int, dims, varid), 'def_var', bad)
    call ok(nf90mpi_def_var(ncid, 'scalar', nf90_int, scalar), 'def_var', bad)
    call ok(nf90mpi_enddef(ncid), 'enddef', bad)
    call ok(nf90mpi_put_var_all(ncid, varid, line, [one, one, 9 * one], [3 * one, one, 9 * one], [one, one, 9 * one]), &
            'long vectors', bad)
    call ok(nf90mpi_put_var_all(ncid, scalar, line(1), [9 * one], [9 * one]), 'vectors of a scalar', bad)
    call ok(nf90mpi_put_var_all(ncid, scalar, line(1), none), 'no vector of a scalar', bad)
    call same(nf90mpi_put_var_all(ncid, varid, line, [one]) == nf90_einvalcoords, 'short start', bad)
    call told('start has 1 elements, the variable has 2 dimensions', bad)
    call same(nf90mpi_get_var_all(ncid, varid, line, [one], [3 * one, one]) == nf90_einvalcoords, 'short start', bad)
    call same(nf90mpi_get_var_all(ncid, varid, line, none) == nf90_einvalcoords, 'start of no size', bad)
    call same(nf90mpi_get_var_all(ncid, varid, line(1), [one]) == nf90_einvalcoords, 'short start of a value', bad)
    call same(nf90mpi_put_var_all(ncid, varid, line, [one, one], [3 * one]) == nf90_eedge, 'short count', bad)
    call told('count has 1 elements, the variable has 2 dimensions', bad)
    call same(nf90mpi_put_var_all(ncid, varid, line, [one, one], [3 * one, one], [one]) == nf90_estride, 'short stride', bad)
    call same(nf90mpi_put_var_all(ncid, varid, line, [one, one], [3 * one, one], [one, one], [one]) == nf90_einval, &
              'short map', bad)
    call same(nf90mpi_iput_var(ncid, varid, line, req(1), [one]) == nf90_einvalcoords, 'short start of iput', bad)
    call ok(nf90mpi_wait_all(ncid, 0, req, status), 'wait_all', bad)
    call same(nf90mpi_put_varn_all(ncid, varid, line, 2, starts(:1, :)) == nf90_einvalcoords, 'short starts', bad)
    call same(nf90mpi_put_varn_all(ncid, varid, line, 2, starts(:, :1)) == nf90_einvalcoords, 'few starts', bad)
    call told('start has 1 columns, num is 2', bad)
    call same(nf90mpi_put_varn_all(ncid, varid, line, 2, starts, starts(:1, :)) == nf90_eedge, 'short counts', bad)
    call same(nf90mpi_put_varn_all(ncid, varid, line(1), starts(:1, :)) == nf90_einvalcoords, 'short start of varn', bad)
    call same(nf90mpi_put_var_all(ncid, varid, line, [one, 9 * one], [3 * one]) == nf90_einvalcoords, 'start 9', bad)
    call told('variable a, dimension 2: start 9 is outside 1..2', bad)
    ! one rank's vector is short, the others put
    if (rank == 0) then
      call same(nf90mpi_put_var_all(ncid, varid, line, [one]) == nf90_einvalcoords, 'short on one rank', bad)
    else
      call ok(nf90mpi_put_var_all(ncid, varid, line, [one, one]), 'put beside a short start', bad)
    end if
    call ok(nf90mpi_close(ncid), 'close', bad)
  end subroutine short_vectors

  ! Records count from 1: one that is filled is the one that is read, and there are no more.
  subroutine records(comm, bad)
    integer, intent(in) :: comm
    integer, intent(inout) :: bad
    integer(MPI_OFFSET_KIND), parameter :: one = 1
    integer(MPI_OFFSET_KIND) :: length
    integer :: ncid, dims(2), varid, values(3), r, err
    call ok(nf90mpi_create(comm, 'f90.nc', nf90_clobber, MPI_INFO_NULL, ncid), 'create', bad)
    call ok(nf90mpi_def_dim(ncid, 'x', 3 * one, dims(1)), 'def_dim', bad)
    call ok(nf90mpi_def_dim(ncid, 'time', nf90mpi_unlimited, dims(2)), 'def_dim', bad)
    call ok(nf90mpi_def_var(ncid, 'a', nf90_int, dims, varid), 'def_var', bad)
    call ok(nf90mpi_def_var_fill(ncid, varid, 0, 7), 'def_var_fill', bad)
    call ok(nf90mpi_enddef(ncid), 'enddef', bad)
    do r = 1, 2
      if (r == 1) err = nf90mpi_fill_var_rec(ncid, varid, one)
      if (r == 2) err = nfmpi_fill_var_rec(ncid, varid, 2 * one)
      call ok(err, 'fill_var_rec', bad)
      call ok(nf90mpi_inquire_dimension(ncid, dims(2), len=length), 'inquire_dimension', bad)
      call same(length == r, 'number of records', bad)
      values = 0
      call ok(nf90mpi_get_var_all(ncid, varid, values, [one, r * one]), 'get record', bad)
      call same(all(values == 7), 'filled record', bad)
    end do
    call same(nf90mpi_fill_var_rec(ncid, varid, 0 * one) == nf90_einvalcoords, 'record 0', bad)
    call told('variable a: record 0; the first record is 1', bad)
    call ok(nf90mpi_close(ncid), 'close', bad)
  end subroutine records

  ! Functions of parcdf.h: digits that are kept; how a netCDF-4 file stores a variable, dimensions in this order.
  subroutine stored(comm, bad)
    integer, intent(in) :: comm
    integer, intent(inout) :: bad
    integer(MPI_OFFSET_KIND), parameter :: one = 1
    integer :: ncid, dims(2), varid, got(2), a, b, c, err
    real :: values(4)
    call ok(nf90mpi_create(comm, 'f90.nc', nf90_clobber, MPI_INFO_NULL, ncid), 'create', bad)
    call ok(nf90mpi_def_dim(ncid, 'x', 4 * one, dims(1)), 'def_dim', bad)
    call ok(nf90mpi_def_var(ncid, 'a', nf90_real, dims(1), varid), 'def_var', bad)
    call ok(nf90mpi_def_var_quantize(ncid, varid, nf90_quantize_bitround, 3), 'def_var_quantize', bad)
    call same(nf90mpi_def_var_quantize(ncid, varid, nf90_quantize_bitgroom, 7) == nf90_einval, '7 digits', bad)
    call told('7 significant digits are not in 1..6', bad)
    call ok(nf90mpi_enddef(ncid), 'enddef', bad)
    call ok(nf90mpi_put_var_all(ncid, varid, [1.3, 2.0, -1.3, 0.0]), 'put', bad)
    call ok(nf90mpi_get_var_all(ncid, varid, values), 'get', bad)
    call same(all(values == [1.25, 2.0, -1.25, 0.0]), 'quantized', bad)
    call ok(nf90mpi_inq_var_quantize(ncid, varid, a, b), 'inq_var_quantize', bad)
    call same(a == nf90_quantize_bitround .and. b == 3, 'how it is quantized', bad)
    call ok(nf90mpi_close(ncid), 'close', bad)

    err = nf90mpi_create(comm, 'f90.nc4', ior(nf90_clobber, nf90_netcdf4), MPI_INFO_NULL, ncid)
    if (err == nf90_enotbuilt) return
    call ok(err, 'create netCDF-4', bad)
    call ok(nf90mpi_def_dim(ncid, 'x', 40 * one, dims(1)), 'def_dim', bad)
    call ok(nf90mpi_def_dim(ncid, 'y', 30 * one, dims(2)), 'def_dim', bad)
    call ok(nf90mpi_def_var(ncid, 'a', nf90_real, dims, varid), 'def_var', bad)
    call ok(nf90mpi_def_var_chunking(ncid, varid, nf90_chunked, [20, 5]), 'def_var_chunking', bad)
    call ok(nf90mpi_def_var_deflate(ncid, varid, nf90_shuffle, 1, 4), 'def_var_deflate', bad)
    call ok(nf90mpi_def_var_fletcher32(ncid, varid, nf90_fletcher32), 'def_var_fletcher32', bad)
    call ok(nf90mpi_inq_var_chunking(ncid, varid, a, got), 'inq_var_chunking', bad)
    call same(a == nf90_chunked .and. all(got == [20, 5]), 'chunks', bad)
    call same(nf90mpi_def_var_chunking(ncid, varid, nf90_chunked, [20, 31]) /= nf90_noerr, 'chunks of 31 in 30', bad)
    call ok(nf90mpi_inq_var_deflate(ncid, varid, a, b, c), 'inq_var_deflate', bad)
    call same(a == nf90_shuffle .and. b == 1 .and. c == 4, 'deflate', bad)
    call ok(nf90mpi_inq_var_fletcher32(ncid, varid, a), 'inq_var_fletcher32', bad)
    call same(a == nf90_fletcher32, 'fletcher32', bad)
    call ok(nf90mpi_abort(ncid), 'abort', bad)
  end subroutine stored

  ! Sentences count as Fortran does: from 1, the first dimension is the fastest.
  subroutine sentences(comm, bad)
    integer, intent(in) :: comm
    integer, intent(inout) :: bad
    integer(MPI_OFFSET_KIND), parameter :: one = 1
    integer :: ncid, dims(2), varid, values(3), err
    character(len=40) :: name
    values = 0
    call ok(nf90mpi_create(comm, 'f90.nc', nf90_clobber, MPI_INFO_NULL, ncid), 'create', bad)
    call ok(nf90mpi_def_dim(ncid, 'x', 3 * one, dims(1)), 'def_dim', bad)
    call ok(nf90mpi_def_dim(ncid, 'time', nf90mpi_unlimited, dims(2)), 'def_dim', bad)
    call ok(nf90mpi_def_var(ncid, 'a', nf90_int, dims, varid), 'def_var', bad)
    err = nf90mpi_def_dim(ncid, 'x', 3 * one, dims(1))
    call told('dimension 1 has the name "x"', bad)
    err = nf90mpi_def_var(ncid, 'b', nf90_int, [dims(1), 9], varid)
    call told('dimids[2] is 9, the file has 2', bad)
    err = nf90mpi_def_var(ncid, 'b', nf90_int, [dims(2), dims(1)], varid)
    call told('unlimited dimension stands at 1, not last', bad)
    call ok(nf90mpi_enddef(ncid), 'enddef', bad)
    err = nf90mpi_put_var_all(ncid, varid, values, [4 * one, one])
    call told('f90.nc, rank', bad)
    call told('variable a, dimension 1: start 4 is outside 1..3', bad)
    err = nf90mpi_put_var_all(ncid, varid, values, [2 * one, one], [3 * one, one])
    call told('variable a, dimension 1: start 2, count 3, stride 1, length 3', bad)
    err = nf90mpi_get_var_all(ncid, varid, values, [one, 5 * one], [3 * one, one])
    call told('variable a has no records yet: there is no record 5', bad)
    err = nf90mpi_def_dim(ncid, 'y', 3 * one, dims(1))
    call told('call nf90mpi_redef first', bad)
    err = nfmpi_def_dim(ncid, 'y', 3 * one, dims(1))
    call told('call nfmpi_redef first', bad)
    err = nf90mpi_enddef(ncid)
    call told('nf90mpi_redef begins', bad)
    err = nfmpi_enddef(ncid)
    call told('nfmpi_redef begins', bad)
    err = nf90mpi_put_var(ncid, varid, values)
    call told('call nf90mpi_begin_indep_data first', bad)
    err = nfmpi_put_vara_int(ncid, varid, [one, one], [3 * one, one], values)
    call told('call nfmpi_begin_indep_data first', bad)
    err = nfmpi_iput_vara_int(ncid, 7, [one, one], [3 * one, one], values, varid)
    call told('variable id 7', bad)
    err = nf90mpi_inquire_variable(ncid, 8, name)
    call told('variable 8: the file has 1', bad)
    call same(nfmpi_last_error() == nf90mpi_last_error(), 'nfmpi_last_error', bad)
    call ok(nf90mpi_close(ncid), 'close', bad)
  end subroutine sentences

  subroutine told(text, bad)
    character(len=*), intent(in) :: text
    integer, intent(inout) :: bad
    if (index(nf90mpi_last_error(), text) > 0) return
    bad = bad + 1
    print *, 'not "', text, '" but: ', trim(nf90mpi_last_error())
  end subroutine told
end module types90

program client90
  use types90
  implicit none
  integer :: bad, total, err
  bad = 0
  call MPI_Init(err)
  call onebyte(MPI_COMM_WORLD, nf90_clobber, bad)
  call twobyte(MPI_COMM_WORLD, nf90_64bit_offset, bad)
  call fourbyte(MPI_COMM_WORLD, nf90_clobber, bad)
  call eightbyte(MPI_COMM_WORLD, nf90_64bit_data, bad)
  call single(MPI_COMM_WORLD, nf90_64bit_offset, bad)
  call double(MPI_COMM_WORLD, nf90_64bit_data, bad)
  call words(MPI_COMM_WORLD, bad)
  call short_vectors(MPI_COMM_WORLD, bad)
  call records(MPI_COMM_WORLD, bad)
  call stored(MPI_COMM_WORLD, bad)
  call sentences(MPI_COMM_WORLD, bad)
  call same(nf90mpi_strerrno(nf90_ebadid) == 'NC_EBADID' .and. nf90mpi_inq_libvers() /= '', 'strings', bad)
  call same(nf90mpi_issyserr(1) .and. .not. nf90mpi_issyserr(nf90_ebadid), 'issyserr', bad)
  call MPI_Allreduce(bad, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, err)
  call MPI_Finalize(err)
  if (total /= 0) error stop
end program client90
