//! A Rust program that uses the C interface with its own declarations, without bindgen: each rank writes its part of a variable, and
//! reads that of its neighbour. `--cfg openmpi` or `--cfg mpich` says which MPI it is, since their handles differ.
//!
//!     hello FILE

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_double, c_int, c_longlong};

#[allow(non_camel_case_types)]
type MPI_Offset = c_longlong;

/// Open MPI: a handle is the address of an object of the library.
#[cfg(openmpi)]
mod mpi {
    #[repr(C)]
    pub struct Object {
        _private: [u8; 0],
    }
    pub type Handle = *const Object;
    extern "C" {
        static ompi_mpi_comm_world: Object;
        static ompi_mpi_info_null: Object;
    }
    pub fn comm_world() -> Handle {
        unsafe { &ompi_mpi_comm_world }
    }
    pub fn info_null() -> Handle {
        unsafe { &ompi_mpi_info_null }
    }
}

/// MPICH: a handle is a number.
#[cfg(mpich)]
mod mpi {
    pub type Handle = std::os::raw::c_int;
    pub fn comm_world() -> Handle {
        0x44000000
    }
    pub fn info_null() -> Handle {
        0x1c000000
    }
}

const NC_CLOBBER: c_int = 0;
const NC_NOWRITE: c_int = 0;
const NC_64BIT_DATA: c_int = 0x20;
const NC_DOUBLE: c_int = 6;
const VALUES: usize = 5; // of each rank

extern "C" {
    fn MPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int;
    fn MPI_Comm_rank(comm: mpi::Handle, rank: *mut c_int) -> c_int;
    fn MPI_Comm_size(comm: mpi::Handle, size: *mut c_int) -> c_int;
    fn MPI_Finalize() -> c_int;

    fn ncmpi_create(comm: mpi::Handle, path: *const c_char, mode: c_int, info: mpi::Handle, id: *mut c_int) -> c_int;
    fn ncmpi_open(comm: mpi::Handle, path: *const c_char, mode: c_int, info: mpi::Handle, id: *mut c_int) -> c_int;
    fn ncmpi_def_dim(id: c_int, name: *const c_char, len: MPI_Offset, dim: *mut c_int) -> c_int;
    fn ncmpi_def_var(id: c_int, name: *const c_char, xtype: c_int, ndims: c_int, dims: *const c_int, var: *mut c_int) -> c_int;
    fn ncmpi_put_att_text(id: c_int, var: c_int, name: *const c_char, len: MPI_Offset, text: *const c_char) -> c_int;
    fn ncmpi_enddef(id: c_int) -> c_int;
    fn ncmpi_inq_varid(id: c_int, name: *const c_char, var: *mut c_int) -> c_int;
    fn ncmpi_put_vara_double_all(id: c_int, var: c_int, start: *const MPI_Offset, count: *const MPI_Offset, values: *const c_double) -> c_int;
    fn ncmpi_get_vara_double_all(id: c_int, var: c_int, start: *const MPI_Offset, count: *const MPI_Offset, values: *mut c_double) -> c_int;
    fn ncmpi_close(id: c_int) -> c_int;
    fn ncmpi_strerror(code: c_int) -> *const c_char;
    fn parcdf_last_error() -> *const c_char;
}

/// The sentences of an error.
fn tried(code: c_int) -> Result<(), String> {
    if code == 0 {
        return Ok(());
    }
    let text = |p| unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned();
    Err(unsafe { format!("{}: {}", text(ncmpi_strerror(code)), text(parcdf_last_error())) })
}

fn name(text: &str) -> CString {
    CString::new(text).expect("a name without NUL")
}

fn values_of(rank: c_int) -> Vec<c_double> {
    (0..VALUES).map(|i| 100.0 * f64::from(rank) + i as f64).collect()
}

fn write(path: &CString, rank: c_int, ranks: c_int) -> Result<(), String> {
    let (mut id, mut dim, mut var) = (0, 0, 0);
    let (start, count) = ([MPI_Offset::from(rank) * VALUES as MPI_Offset], [VALUES as MPI_Offset]);
    unsafe {
        tried(ncmpi_create(mpi::comm_world(), path.as_ptr(), NC_CLOBBER | NC_64BIT_DATA, mpi::info_null(), &mut id))?;
        tried(ncmpi_def_dim(id, name("x").as_ptr(), MPI_Offset::from(ranks) * VALUES as MPI_Offset, &mut dim))?;
        tried(ncmpi_def_var(id, name("hello").as_ptr(), NC_DOUBLE, 1, &dim, &mut var))?;
        tried(ncmpi_put_att_text(id, var, name("units").as_ptr(), 1, name("m").as_ptr()))?;
        tried(ncmpi_enddef(id))?;
        tried(ncmpi_put_vara_double_all(id, var, start.as_ptr(), count.as_ptr(), values_of(rank).as_ptr()))?;
        tried(ncmpi_close(id))
    }
}

fn read(path: &CString, rank: c_int, ranks: c_int) -> Result<(), String> {
    let (mut id, mut var, next) = (0, 0, (rank + 1) % ranks);
    let (start, count) = ([MPI_Offset::from(next) * VALUES as MPI_Offset], [VALUES as MPI_Offset]);
    let mut got = vec![0.0; VALUES];
    unsafe {
        tried(ncmpi_open(mpi::comm_world(), path.as_ptr(), NC_NOWRITE, mpi::info_null(), &mut id))?;
        tried(ncmpi_inq_varid(id, name("hello").as_ptr(), &mut var))?;
        tried(ncmpi_get_vara_double_all(id, var, start.as_ptr(), count.as_ptr(), got.as_mut_ptr()))?;
    }
    // An error has its sentence.
    let none = tried(unsafe { ncmpi_inq_varid(id, name("nothing").as_ptr(), &mut var) });
    if !none.as_ref().err().map_or(false, |sentence| sentence.contains("nothing")) {
        return Err(format!("no variable has this name, but {:?}", none));
    }
    tried(unsafe { ncmpi_close(id) })?;
    if got != values_of(next) {
        return Err(format!("rank {} read {:?}, not {:?}", rank, got, values_of(next)));
    }
    Ok(())
}

fn main() {
    let path = name(&std::env::args().nth(1).unwrap_or_else(|| "hello.nc".to_string()));
    let (mut rank, mut ranks) = (0, 0);
    unsafe {
        MPI_Init(std::ptr::null_mut(), std::ptr::null_mut());
        MPI_Comm_rank(mpi::comm_world(), &mut rank);
        MPI_Comm_size(mpi::comm_world(), &mut ranks);
    }
    let done = write(&path, rank, ranks).and_then(|()| read(&path, rank, ranks));
    if let Err(sentence) = &done {
        eprintln!("{}", sentence);
        std::process::exit(1); // mpiexec ends the other ranks
    }
    println!("rank {} of {}: hello from Rust", rank, ranks);
    unsafe {
        MPI_Finalize();
    }
}
