// Every overload that moves data: each type, form and way writes a variable of its own by C++, and by the C
// function with MPI datatypes in another file; the test compares both files. Then every overload that reads
// finds these values.
namespace accesses
{

const MPI_Offset rows = 4, columns = 6; // of each rank
enum Form { VAR, VAR1, VARA, VARS, VARM, VARN, FORMS };
const char *const form_names[FORMS] = { "var", "var1", "vara", "vars", "varm", "varn" };
enum Way { PUT, PUT_ALL, IPUT, BPUT, WAYS };
const char *const way_names[WAYS] = { "put", "put_all", "iput", "bput" };

typedef std::vector<MPI_Offset> Offsets;

// A type of C: its MPI datatype, its type in the file, and PnetCDF's word for it.
template <class T> struct C;

#define C_TYPE(s, T, mpi, file)                                                                              \
    template <> struct C<T> {                                                                                \
        static MPI_Datatype type() { return mpi; }                                                           \
        static nc_type in_file() { return file; }                                                            \
        static const char *name() { return #s; }                                                             \
    };

C_TYPE(text, char, MPI_CHAR, NC_CHAR)
C_TYPE(schar, signed char, MPI_SIGNED_CHAR, NC_BYTE)
C_TYPE(uchar, unsigned char, MPI_UNSIGNED_CHAR, NC_UBYTE)
C_TYPE(short, short, MPI_SHORT, NC_SHORT)
C_TYPE(ushort, unsigned short, MPI_UNSIGNED_SHORT, NC_USHORT)
C_TYPE(int, int, MPI_INT, NC_INT)
C_TYPE(uint, unsigned int, MPI_UNSIGNED, NC_UINT)
C_TYPE(long, long, MPI_LONG, NC_INT64)
C_TYPE(float, float, MPI_FLOAT, NC_FLOAT)
C_TYPE(double, double, MPI_DOUBLE, NC_DOUBLE)
C_TYPE(longlong, long long, MPI_LONG_LONG_INT, NC_INT64)
C_TYPE(ulonglong, unsigned long long, MPI_UNSIGNED_LONG_LONG, NC_UINT64)

// Where a form writes: the hyperslabs of this rank, and how many values.
struct Place {
    Offsets index, start, count, stride, imap, start2, count2;
    MPI_Offset *starts[2], *counts[2];
    std::size_t values;

    explicit Place(Form form) : values(1)
    {
        const MPI_Offset left = columns * job->rank;
        index = { 1, left + 2 };
        start = { 0, left };
        count = { form == VARS || form == VARM ? 2 : rows, columns };
        stride = { 2, 1 };
        imap = { 1, 2 };
        start2 = { 3, left + 1 };
        count2 = { 1, 3 };
        if (form == VARN)
            count = { 2, columns };
        if (form == VAR)
            values = static_cast<std::size_t>(rows * columns * job->ranks);
        else if (form != VAR1)
            values = static_cast<std::size_t>(count[0] * count[1]);
        if (form == VARN)
            values += 3;
        starts[0] = start.data();
        starts[1] = start2.data();
        counts[0] = count.data();
        counts[1] = count2.data();
    }
};

// Number n in a way that few types have: the largest values and negative ones of integers, and fractions.
template <class T> T typical(int n)
{
    if (!std::numeric_limits<T>::is_integer)
        return static_cast<T>(n) / 3;
    if (!std::numeric_limits<T>::is_signed || n % 2)
        return static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(n));
    return static_cast<T>(-n);
}

template <> char typical(int n)
{
    return static_cast<char>(n);
}

// Values that tell variables and ranks from each other; those of a whole variable are the same on all ranks.
template <class T> std::vector<T> values_of(int number, Form form, std::size_t n)
{
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; i++)
        values[i] =
            typical<T>(static_cast<int>(1 + (static_cast<std::size_t>(number) * 7 + i +
                                             (form == VAR ? 0U : static_cast<unsigned>(job->rank) * 31U)) %
                                                120));
    return values;
}

// A value as putVar wants it with an index.
template <class T> T kept_by_library(const T *value)
{
    return *value;
}
std::string kept_by_library(const char *value)
{
    return std::string(1, *value);
}
const signed char *kept_by_library(const signed char *value)
{
    return value;
}
const unsigned char *kept_by_library(const unsigned char *value)
{
    return value;
}
// One variable by C++; with the MPI datatype where is_flexible.
#define CXX_FORMS(name, ...)                                                                                 \
    switch (form) {                                                                                          \
    case VAR:                                                                                                \
        v.name(__VA_ARGS__);                                                                                 \
        break;                                                                                               \
    case VARA:                                                                                               \
        v.name(p.start, p.count, __VA_ARGS__);                                                               \
        break;                                                                                               \
    case VARS:                                                                                               \
        v.name(p.start, p.count, p.stride, __VA_ARGS__);                                                     \
        break;                                                                                               \
    case VARM:                                                                                               \
        v.name(p.start, p.count, p.stride, p.imap, __VA_ARGS__);                                             \
        break;                                                                                               \
    default:                                                                                                 \
        break;                                                                                               \
    }

template <class T> void typed(const NcmpiVar &v, Form form, Way way, const Place &p, const T *b, int *req)
{
    switch (way) {
    case PUT:
        CXX_FORMS(putVar, b)
        if (form == VAR1)
            v.putVar(p.index, kept_by_library(b));
        if (form == VARN)
            v.putVarn(2, p.starts, p.counts, b);
        break;
    case PUT_ALL:
        CXX_FORMS(putVar_all, b)
        if (form == VAR1)
            v.putVar_all(p.index, kept_by_library(b));
        if (form == VARN)
            v.putVarn_all(2, p.starts, p.counts, b);
        break;
    case IPUT:
        CXX_FORMS(iputVar, b, req)
        if (form == VAR1)
            v.iputVar(p.index, kept_by_library(b), req);
        if (form == VARN)
            v.iputVarn(2, p.starts, p.counts, b, req);
        break;
    default:
        CXX_FORMS(bputVar, b, req)
        if (form == VAR1)
            v.bputVar(p.index, kept_by_library(b), req);
    }
}

void flexible(const NcmpiVar &v, Form form, Way way, const Place &p, const void *b, MPI_Datatype type,
              int *req)
{
    const MPI_Offset n = static_cast<MPI_Offset>(p.values);
    switch (way) {
    case PUT:
        CXX_FORMS(putVar, b, n, type)
        if (form == VAR1)
            v.putVar(p.index, b, n, type);
        if (form == VARN)
            v.putVarn(2, p.starts, p.counts, b, n, type);
        break;
    case PUT_ALL:
        CXX_FORMS(putVar_all, b, n, type)
        if (form == VAR1)
            v.putVar_all(p.index, b, n, type);
        if (form == VARN)
            v.putVarn_all(2, p.starts, p.counts, b, n, type);
        break;
    case IPUT:
        CXX_FORMS(iputVar, b, n, type, req)
        if (form == VAR1)
            v.iputVar(p.index, b, n, type, req);
        if (form == VARN)
            v.iputVarn(2, p.starts, p.counts, b, n, type, req);
        break;
    default:
        CXX_FORMS(bputVar, b, n, type, req)
        if (form == VAR1)
            v.bputVar(p.index, b, n, type, req);
    }
}

// The same by C. A flexible call leaves the same bytes as a typed one.
int by_c(int f, int v, Form form, Way way, const Place &p, const void *b, MPI_Datatype type, int *req)
{
    const MPI_Offset *i = p.start.data(), *n = p.count.data(), *d = p.stride.data(), *m = p.imap.data(),
                     *x = p.index.data(), size = static_cast<MPI_Offset>(p.values);
#define C_FORMS(way, end, ...)                                                                               \
    switch (form) {                                                                                          \
    case VAR:                                                                                                \
        return ncmpi_##way##_var##end(f, v, __VA_ARGS__);                                                    \
    case VAR1:                                                                                               \
        return ncmpi_##way##_var1##end(f, v, x, __VA_ARGS__);                                                \
    case VARA:                                                                                               \
        return ncmpi_##way##_vara##end(f, v, i, n, __VA_ARGS__);                                             \
    case VARS:                                                                                               \
        return ncmpi_##way##_vars##end(f, v, i, n, d, __VA_ARGS__);                                          \
    case VARM:                                                                                               \
        return ncmpi_##way##_varm##end(f, v, i, n, d, m, __VA_ARGS__);                                       \
    default:                                                                                                 \
        return ncmpi_##way##_varn##end(f, v, 2, p.starts, p.counts, __VA_ARGS__);                            \
    }
    switch (way) {
    case PUT:
        C_FORMS(put, , b, size, type)
    case PUT_ALL:
        C_FORMS(put, _all, b, size, type)
    case IPUT:
        C_FORMS(iput, , b, size, type, req)
    default:
        C_FORMS(bput, , b, size, type, req)
    }
}

// All variables in their order: each(type, number, form, way, is_flexible).
template <class Each, class T> void each_of(Each each, T *type, int &number)
{
    for (int form = 0; form < FORMS; form++)
        for (int way = 0; way < WAYS; way++)
            for (int flex = 0; flex < 2; flex++)
                if (form != VARN || way != BPUT) // PnetCDF has no bputVarn
                    each(type, number++, static_cast<Form>(form), static_cast<Way>(way), flex != 0);
}

template <class Each> void each_variable(Each each)
{
    int number = 0;
    each_of(each, static_cast<char *>(nullptr), number);
    each_of(each, static_cast<signed char *>(nullptr), number);
    each_of(each, static_cast<unsigned char *>(nullptr), number);
    each_of(each, static_cast<short *>(nullptr), number);
    each_of(each, static_cast<unsigned short *>(nullptr), number);
    each_of(each, static_cast<int *>(nullptr), number);
    each_of(each, static_cast<unsigned int *>(nullptr), number);
    each_of(each, static_cast<long *>(nullptr), number);
    each_of(each, static_cast<float *>(nullptr), number);
    each_of(each, static_cast<double *>(nullptr), number);
    each_of(each, static_cast<long long *>(nullptr), number);
    each_of(each, static_cast<unsigned long long *>(nullptr), number);
}

std::string name_of(const char *type, Form form, Way way, bool flex)
{
    return std::string(type) + "_" + form_names[form] + "_" + way_names[way] + (flex ? "_flexible" : "");
}

struct Defined {
    NcmpiFile &file;
    std::vector<NcmpiDim> dims;
    template <class T> void operator()(T *, int, Form form, Way way, bool flex)
    {
        file.addVar(name_of(C<T>::name(), form, way, flex), C<T>::in_file(), dims);
    }
};

// Puts one kind of way; what is posted completes in one wait.
struct Written {
    int ncid;
    bool by_cxx, independent;
    std::vector<int> &requests;
    std::vector<std::vector<unsigned long long>> &kept; // what iput may still read

    // Bytes of the buffer of bput that wait.
    MPI_Offset buffered() const
    {
        MPI_Offset usage = 0;
        return ncmpi_inq_buffer_usage(ncid, &usage) ? 0 : usage;
    }

    template <class T> void operator()(T *, int number, Form form, Way way, bool flex)
    {
        if ((way == PUT) != independent)
            return;
        const Place p(form);
        const std::vector<T> made = values_of<T>(number, form, p.values);
        kept.push_back(std::vector<unsigned long long>(made.size()));
        T *values = reinterpret_cast<T *>(kept.back().data());
        std::copy(made.begin(), made.end(), values);
        const NcmpiVar v(NcmpiGroup(ncid), number);
        const MPI_Offset bytes = static_cast<MPI_Offset>(p.values) * v.getType().getSize(),
                         before = buffered();
        int req = NC_REQ_NULL;
        if (!by_cxx)
            SAME(by_c(ncid, number, form, way, p, values, C<T>::type(), &req), NC_NOERR);
        else if (flex)
            flexible(v, form, way, p, values, C<T>::type(), &req);
        else
            typed(v, form, way, p, values, &req);
        HOLDS((req != NC_REQ_NULL) == (way == IPUT || way == BPUT));
        SAME(buffered() - before, way == BPUT ? bytes : 0);
        if (req != NC_REQ_NULL)
            requests.push_back(req);
        if (way != IPUT)
            kept.pop_back();
    }
};

void write(const std::string &path, bool by_cxx)
{
    std::vector<int> requests;
    std::vector<std::vector<unsigned long long>> kept;
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::classic5);
    file.set_fill(NcmpiFile::Fill);
    each_variable(Defined{ file, { file.addDim("y", rows), file.addDim("x", columns * job->ranks) } });
    file.enddef();
    file.Buffer_attach(1 << 20);
    each_variable(Written{ file.getId(), by_cxx, false, requests, kept });
    std::vector<int> statuses(requests.size(), NC_EINVAL);
    file.Wait_all(static_cast<int>(requests.size()), requests.data(), statuses.data());
    for (int status : statuses)
        SAME(status, NC_NOERR);
    file.Buffer_detach();
    file.beginIndepData();
    each_variable(Written{ file.getId(), by_cxx, true, requests, kept });
    file.endIndepData();
    file.close();
}

// Reads what the variable's own form wrote, by the other ways of reading with this form.
template <class T> struct Reader {
    NcmpiVar v;
    Form form;
    const Place &p;
    std::vector<T> got;
    std::vector<int> &requests;

    template <class... Buffer> void all(Buffer... b)
    {
        CXX_FORMS(getVar_all, b...)
        if (form == VAR1)
            v.getVar_all(p.index, b...);
        if (form == VARN)
            v.getVarn_all(2, p.starts, p.counts, b...);
    }
    template <class... Buffer> void alone(Buffer... b)
    {
        CXX_FORMS(getVar, b...)
        if (form == VAR1)
            v.getVar(p.index, b...);
        if (form == VARN)
            v.getVarn(2, p.starts, p.counts, b...);
    }
    template <class... Buffer> void posted(Buffer... b)
    {
        CXX_FORMS(igetVar, b...)
        if (form == VAR1)
            v.igetVar(p.index, b...);
        if (form == VARN)
            v.igetVarn(2, p.starts, p.counts, b...);
    }
};

enum Reading { READ_ALL, READ_ALONE, READ_POSTED };

struct Found {
    int ncid;
    Reading how;

    template <class T> void operator()(T *, int number, Form form, Way way, bool flex)
    {
        if (way != PUT_ALL) // one variable of each type and form is enough
            return;
        const Place p(form);
        const std::vector<T> wanted = values_of<T>(number, form, p.values);
        std::vector<T> got(wanted.size());
        std::vector<int> none;
        Reader<T> reader{ NcmpiVar(NcmpiGroup(ncid), number), form, p, {}, none };
        T *b = got.data();
        const MPI_Offset n = static_cast<MPI_Offset>(got.size());
        int req = NC_REQ_NULL, status = NC_NOERR;
        if (how == READ_ALL)
            flex ? reader.all(static_cast<void *>(b), n, C<T>::type()) : reader.all(b);
        else if (how == READ_ALONE)
            flex ? reader.alone(static_cast<void *>(b), n, C<T>::type()) : reader.alone(b);
        else {
            flex ? reader.posted(static_cast<void *>(b), n, C<T>::type(), &req) : reader.posted(b, &req);
            HOLDS(req != NC_REQ_NULL);
            SAME(ncmpi_wait_all(ncid, 1, &req, &status), NC_NOERR);
            SAME(status, NC_NOERR);
        }
        for (std::size_t i = 0; i < got.size(); i++)
            if (got[i] != wanted[i]) {
                job->fail(__FILE__, __LINE__, ("reading " + name_of(C<T>::name(), form, way, flex)).c_str());
                break;
            }
    }
};

void find(const std::string &path)
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::read);
    each_variable(Found{ file.getId(), READ_ALL });
    each_variable(Found{ file.getId(), READ_POSTED });
    file.beginIndepData();
    each_variable(Found{ file.getId(), READ_ALONE });
}

void all(const std::string &by_cxx, const std::string &by_c)
{
    write(by_cxx, true);
    write(by_c, false);
    find(by_cxx);
}

} // namespace accesses
