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

/* What an exception says of an error code: its meaning, and the sentence of this thread's last error. */
inline std::string said_of(int code)
{
    std::string all(ncmpi_strerror(code));
    const std::string last(parcdf_last_error());
    if (!last.empty())
        all += ": " + last;
    if (code == NC_EBADID)
        all += "; is the object null (isNull), or its file closed?";
    return all;
}

/* Throws the exception of an error code. */
[[noreturn]] PNETCDF_PUBLIC_API inline void raise(int code, const std::string &sentence, const char *file = nullptr, int line = 0)
{
    const char *text = sentence.c_str();
    switch (code) {
@throws
    default: throw exceptions::NcmpiException(code, text, file, line);
    }
}

/* Throws an error that this interface finds itself. */
template <class Exception> [[noreturn]] void complain(const std::string &sentence)
{
    throw Exception(sentence.c_str(), nullptr, 0);
}

/* The path of an open file; "" of another id. */
inline std::string path_of(int ncid)
{
    int length = 0;
    if (ncmpi_inq_path(ncid, &length, nullptr) != NC_NOERR)
        return std::string();
    std::vector<char> path(static_cast<std::size_t>(length) + 1);
    ncmpi_inq_path(ncid, nullptr, path.data());
    return path.data();
}

/* Throws if a call of the C interface failed. */
inline void check(int code)
{
    if (code != NC_NOERR)
        raise(code, said_of(code));
}

/* Calls a collective function of the C interface. It returns NC_EINDEFINE in define mode, on all ranks and before anything is moved;
 * then leaves define mode and calls it once more. An enddef that fails on this rank alone has ended define mode on all ranks, and the
 * others make the second call: this rank makes it, too, before it throws. */
template <class Number, class Call> inline void check_in_data_mode(const Number &ncid, Call call)
{
    int code = call();
    if (code == NC_NOERR) /* nearly always: nothing more is looked at */
        return;
    if (code == NC_EINDEFINE) {
        const int ended = ncmpi_enddef(ncid);
        const std::string sentence(ended == NC_NOERR ? std::string() : said_of(ended));
        code = call();
        if (ended != NC_NOERR)
            raise(ended, sentence);
    }
    check(code);
}

/* Does a look-up say that nothing can have such a name? Then nothing has it. */
inline bool is_no_name(int code) { return code == NC_EBADNAME || code == NC_EMAXNAME; }

} // namespace detail

/* Throws the exception of `retCode`, unless it is NC_NOERR; what() names the place. */
inline void ncmpiCheck(int retCode, const char *file, int line)
{
    if (retCode != NC_NOERR)
        detail::raise(retCode, detail::said_of(retCode), file, line);
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
