/* ---- errors ---- */

namespace PnetCDF
{

namespace exceptions
{

/* What every exception of this interface is. An error of the C interface that has no class of its own is thrown as this class. */
class PNETCDF_PUBLIC_API NcmpiException : public std::exception
{
  public:
    /* An error that has no code. `fileName` NULL: what() is the complaint alone. */
    NcmpiException(const char *complaint, const char *fileName, int lineNumber)
        : NcmpiException(0, complaint, fileName, lineNumber)
    {
    }
    NcmpiException(int errorCode, const char *complaint, const char *fileName, int lineNumber)
        : text(sentence(complaint, fileName, lineNumber)), code(errorCode)
    {
    }
    NcmpiException(const NcmpiException &) = default;
    NcmpiException &operator=(const NcmpiException &) = default;
    ~NcmpiException() noexcept override = default;

    /* The meaning of the error code, and the sentence of parcdf_last_error(), with the file, the object and the values. */
    const char *what() const noexcept override { return text.what(); }

    /* The number (NC_EBADID...); 0 if this interface found the error itself. */
    int errorCode() const noexcept { return code; }

  private:
    static std::string sentence(const char *complaint, const char *fileName, int lineNumber)
    {
        std::string all(complaint ? complaint : "");
        if (fileName)
            all += std::string("\nfile: ") + fileName + "  line:" + std::to_string(lineNumber);
        return all;
    }

    std::runtime_error text; /* a string whose copies do not throw */
    int code;
};

@exceptions

} // namespace exceptions

namespace detail
{

/* Throws the exception of an error code, with the sentence of this thread's last error. */
[[noreturn]] PNETCDF_PUBLIC_API inline void raise(int code, const char *file = nullptr, int line = 0)
{
    std::string all(ncmpi_strerror(code));
    const std::string last(parcdf_last_error());
    if (!last.empty())
        all += ": " + last;
    const char *text = all.c_str();
    switch (code) {
@throws
    default: throw exceptions::NcmpiException(code, text, file, line);
    }
}

/* Throws if a call of the C interface failed. */
inline void check(int code)
{
    if (code != NC_NOERR)
        raise(code);
}

/* Calls a collective function of the C interface. In define mode, which only a call can tell and where nothing
 * is moved, leaves it first: all ranks are in one mode, so all of them do. */
template <class Call> inline void check_in_data_mode(int ncid, Call call)
{
    int code = call();
    if (code == NC_EINDEFINE) {
        check(ncmpi_enddef(ncid));
        code = call();
    }
    check(code);
}

} // namespace detail

/* Throws the exception of `retCode`, unless it is NC_NOERR; what() names the place. */
inline void ncmpiCheck(int retCode, const char *file, int line)
{
    if (retCode != NC_NOERR)
        detail::raise(retCode, file, line);
}

/* Enters define mode, if the file is in data mode. Collective. */
inline void ncmpiCheckDefineMode(int ncid)
{
    const int code = ncmpi_redef(ncid);
    if (code != NC_EINDEFINE)
        detail::check(code);
}

/* Leaves define mode, if the file is in it. Collective. */
inline void ncmpiCheckDataMode(int ncid)
{
    const int code = ncmpi_enddef(ncid);
    if (code != NC_ENOTINDEFINE)
        detail::check(code);
}

} // namespace PnetCDF
