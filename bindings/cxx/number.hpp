/* ---- numbers of open files ---- */

namespace PnetCDF
{

namespace detail
{

/* How often each number of a file was given and taken back by an NcmpiFile; the last one is for what is no number. One table for all
 * source files of a program. */
template <class Any> struct PNETCDF_PUBLIC_API uses_of_numbers {
    static std::atomic<unsigned> of[NC_MAX_NFILES + 1];
};
template <class Any> std::atomic<unsigned> uses_of_numbers<Any>::of[NC_MAX_NFILES + 1];

/* The number of an open file, as objects keep it. The library gives the number of a closed file to the next one; this is -1 then, which
 * is no file. A number from elsewhere means the file that has it now; its end is seen if an NcmpiFile closes it, or gets its number. */
class FileNumber
{
  public:
    FileNumber() : FileNumber(-1) {}
    FileNumber(int ncid) : number(ncid), use(count_of(ncid)->load(std::memory_order_relaxed)), count(count_of(ncid)) {}

    /* The number of a file that was just opened: older objects with this number are done with. */
    static FileNumber opened(int ncid)
    {
        end(ncid);
        return FileNumber(ncid);
    }

    /* From now on this number is -1 for all objects that have it. Returns what it was. */
    int close() const
    {
        const int ncid = *this;
        end(ncid);
        return ncid;
    }

    operator int() const { return is_closed() ? -1 : number; }
    bool is_closed() const { return count->load(std::memory_order_relaxed) != use; }

    bool operator==(const FileNumber &other) const { return number == other.number && use == other.use; }
    bool operator!=(const FileNumber &other) const { return !(*this == other); }
    bool operator<(const FileNumber &other) const { return number != other.number ? number < other.number : use < other.use; }

  private:
    static bool is_number(int ncid) { return ncid >= 0 && ncid < NC_MAX_NFILES; }
    static std::atomic<unsigned> *count_of(int ncid) { return &uses_of_numbers<void>::of[is_number(ncid) ? ncid : NC_MAX_NFILES]; }
    static void end(int ncid)
    {
        if (is_number(ncid))
            count_of(ncid)->fetch_add(1, std::memory_order_relaxed);
    }

    int number;
    unsigned use;
    const std::atomic<unsigned> *count;
};

} // namespace detail

} // namespace PnetCDF
