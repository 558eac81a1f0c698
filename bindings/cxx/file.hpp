/* ---- files ---- */

namespace PnetCDF
{

/* A file that this object opened, and closes when it ends. */
class PNETCDF_PUBLIC_API NcmpiFile : public NcmpiGroup
{
  public:
    enum FileMode {
        read,    /* an existing file, for reading */
        write,   /* an existing file, for writing */
        replace, /* a new file, also in the place of another */
        newFile  /* a new file; throws NcExist if the name is taken */
    };
    enum FileFormat {
        classic,    /* CDF-1 */
        classic2,   /* CDF-2 */
        nc4,        /* netCDF-4 */
        nc4classic, /* netCDF-4 with the classic model */
        classic5,   /* CDF-5 */
        BadFormat
    };
    enum FillMode { Fill = NC_FILL, NoFill = NC_NOFILL, Bad };

    /* No file. */
    NcmpiFile() = default;

    /* Opens or creates a file. A new file is in define mode, and CDF-1 unless a format is given. Collective. */
    NcmpiFile(const MPI_Comm &comm, const std::string &filePath, FileMode fMode, const MPI_Info &info = MPI_INFO_NULL)
        : NcmpiFile()
    {
        open(comm, filePath, fMode, 0, info);
    }
    NcmpiFile(const MPI_Comm &comm, const std::string &filePath, FileMode fMode, FileFormat fFormat,
              const MPI_Info &info = MPI_INFO_NULL)
        : NcmpiFile()
    {
        open(comm, filePath, fMode, mode_of(fFormat), info);
    }

    NcmpiFile(const NcmpiFile &) = delete;
    NcmpiFile &operator=(const NcmpiFile &) = delete;
    NcmpiFile(const NcmpiGroup &) = delete;
    NcmpiFile &operator=(const NcmpiGroup &) = delete;

    /* Not in PnetCDF: the file changes its owner; `other` has none then. */
    NcmpiFile(NcmpiFile &&other) noexcept : NcmpiGroup(other) { other.forget(); }
    NcmpiFile &operator=(NcmpiFile &&other)
    {
        if (this != &other) {
            close();
            NcmpiGroup::operator=(other);
            other.forget();
        }
        return *this;
    }

    /* Closes the file, if it is open and MPI has not been finalized. Never throws: call close() to be told of errors. Collective. */
    ~NcmpiFile() noexcept override
    {
        int finalized = 1;
        if (!nullObject && MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized)
            ncmpi_close(myId.close());
    }

    /* Not in PnetCDF: closes the file and throws what ncmpi_close returns. No file: does nothing. Collective. */
    void close()
    {
        const detail::FileNumber id = myId;
        const bool is_open = !nullObject;
        forget();
        if (is_open)
            detail::check(ncmpi_close(id.close()));
    }

    /* Makes what this rank wrote visible to all, and writes it to the storage. Collective. */
    void sync()
    {
        detail::check_in_data_mode(myId, [&] { return ncmpi_sync(myId); });
    }

    /* Writes the puts that the library keeps (hints pcdf_defer, pcdf_async), in any mode. Collective; in independent data mode local. */
    void flush() { detail::check(ncmpi_flush(myId)); }

    /* Leaves define mode. Other functions do it by themselves where they need data mode. Collective. */
    void enddef() { detail::check(ncmpi_enddef(myId)); }

    /* Not in PnetCDF: enters define mode. Collective. */
    void redef() { detail::check(ncmpi_redef(myId)); }

    /* Not in PnetCDF: begins and ends independent data mode, in which putVar, getVar and Wait work. Collective. */
    void beginIndepData()
    {
        detail::check_in_data_mode(myId, [&] { return ncmpi_begin_indep_data(myId); });
    }
    void endIndepData() { detail::check(ncmpi_end_indep_data(myId)); }

    FileFormat getFormat() const
    {
        switch (detail::inquired(ncmpi_inq_format, myId)) {
        case NC_FORMAT_CLASSIC: return classic;
        case NC_FORMAT_CDF2: return classic2;
        case NC_FORMAT_NETCDF4: return nc4;
        case NC_FORMAT_NETCDF4_CLASSIC: return nc4classic;
        case NC_FORMAT_CDF5: return classic5;
        default: return BadFormat;
        }
    }

    /* Complete posted requests: some, or all (NC_REQ_ALL, NC_PUT_REQ_ALL, NC_GET_REQ_ALL). Each gets a status, unless
     * `array_of_statuses` is NULL. Wait_all is collective. Wait needs independent data mode. Cancel is local. */
    void Wait_all(int num, int *array_of_requests, int *array_of_statuses)
    {
        detail::check_in_data_mode(myId, [&] { return ncmpi_wait_all(myId, num, array_of_requests, array_of_statuses); });
    }
    void Wait(int num, int *array_of_requests, int *array_of_statuses)
    {
        detail::check(ncmpi_wait(myId, num, array_of_requests, array_of_statuses));
    }
    void Cancel(int num, int *array_of_requests, int *array_of_statuses)
    {
        detail::check(ncmpi_cancel(myId, num, array_of_requests, array_of_statuses));
    }

    /* The buffer of bputVar, in bytes. Local. */
    void Buffer_attach(MPI_Offset bufsize) { detail::check(ncmpi_buffer_attach(myId, bufsize)); }
    void Buffer_detach() { detail::check(ncmpi_buffer_detach(myId)); }
    void Inq_buffer_usage(MPI_Offset *usage) { detail::check(ncmpi_inq_buffer_usage(myId, usage)); }
    void Inq_buffer_size(MPI_Offset *buf_size) { detail::check(ncmpi_inq_buffer_size(myId, buf_size)); }
    void Inq_nreqs(int *nreqs) { detail::check(ncmpi_inq_nreqs(myId, nreqs)); } /* pending requests */

    /* The hints in use, as a new MPI_Info, which the caller frees. */
    void Inq_file_info(MPI_Info *info) { detail::check(ncmpi_inq_file_info(myId, info)); }

    void Inq_put_size(MPI_Offset *put_size) { detail::check(ncmpi_inq_put_size(myId, put_size)); } /* bytes of this rank */
    void Inq_get_size(MPI_Offset *get_size) { detail::check(ncmpi_inq_get_size(myId, get_size)); }
    void Inq_header_size(MPI_Offset *header_size) { detail::check(ncmpi_inq_header_size(myId, header_size)); }
    void Inq_header_extent(MPI_Offset *header_extent) { detail::check(ncmpi_inq_header_extent(myId, header_extent)); }

    /* pathlen: the length without NUL; either may be NULL. */
    void Inq_path(int *pathlen, char *path) { detail::check(ncmpi_inq_path(myId, pathlen, path)); }

    /* Fill values for variables that are defined from now on. Collective. */
    void set_fill(FillMode fillmode, FillMode *old_modep = nullptr)
    {
        int old;
        detail::check(ncmpi_set_fill(myId, fillmode == Fill ? NC_FILL : NC_NOFILL, &old));
        if (old_modep)
            *old_modep = old == NC_FILL ? Fill : NoFill;
    }

  private:
    /* A mode that the library refuses, on all ranks, before it looks at a file: a rank whose argument is wrong takes part, as the other
     * ranks wait for it. */
    enum { no_mode = NC_DISKLESS };

    static int mode_of(FileFormat format)
    {
        switch (format) {
        case classic: return 0;
        case classic2: return NC_64BIT_OFFSET;
        case nc4: return NC_NETCDF4;
        case nc4classic: return NC_NETCDF4 | NC_CLASSIC_MODEL;
        case classic5: return NC_64BIT_DATA;
        case BadFormat: break;
        }
        return no_mode;
    }

    /* A rank whose mode is not that of rank 0 gets an error and an open file. The constructors delegate to NcmpiFile(), so that the
     * destructor runs although they throw, and closes it. */
    void open(const MPI_Comm &comm, const std::string &path, FileMode how, int format, const MPI_Info &info)
    {
        const bool opens = how == read || how == write, creates = how == replace || how == newFile;
        int code, id = -1;
        if (creates)
            code = ncmpi_create(comm, path.c_str(), format | (how == newFile ? NC_NOCLOBBER : NC_CLOBBER), info, &id);
        else
            code = ncmpi_open(comm, path.c_str(), opens ? format | (how == write ? NC_WRITE : NC_NOWRITE) : no_mode, info, &id);
        nullObject = id < 0;
        if (!nullObject)
            myId = detail::FileNumber::opened(id);
        if (!opens && !creates)
            detail::complain<exceptions::NcInvalidArg>(path + ": mode " + std::to_string(static_cast<int>(how)) +
                                                       " is none of read, write, replace, newFile");
        if (format == no_mode)
            detail::complain<exceptions::NcNotNCF>(path + ": BadFormat is no format of a file");
        detail::check(code);
    }

    void forget()
    {
        nullObject = true;
        myId = detail::FileNumber();
    }
};

} // namespace PnetCDF

#endif
