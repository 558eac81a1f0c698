/* ---- types ---- */

namespace PnetCDF
{

class NcmpiGroup;

/* A type of values in a file, or no type (isNull). An nc_type, such as NC_INT, serves as well where an NcmpiType is wanted. */
class PNETCDF_PUBLIC_API NcmpiType
{
  public:
    enum ncmpiType {
        ncmpi_BYTE = NC_BYTE,
        ncmpi_CHAR = NC_CHAR,
        ncmpi_SHORT = NC_SHORT,
        ncmpi_INT = NC_INT,
        ncmpi_FLOAT = NC_FLOAT,
        ncmpi_DOUBLE = NC_DOUBLE,
        ncmpi_UBYTE = NC_UBYTE,
        ncmpi_USHORT = NC_USHORT,
        ncmpi_UINT = NC_UINT,
        ncmpi_INT64 = NC_INT64,
        ncmpi_UINT64 = NC_UINT64,
        /* types that netCDF classic files do not have */
        ncmpi_STRING = NC_STRING,
        ncmpi_VLEN = NC_VLEN,
        ncmpi_OPAQUE = NC_OPAQUE,
        ncmpi_ENUM = NC_ENUM,
        ncmpi_COMPOUND = NC_COMPOUND
    };

    constexpr NcmpiType() : nullObject(true), myId(-1), groupId(-1) {}
    constexpr NcmpiType(nc_type id) : nullObject(false), myId(id), groupId(0) {}

    /* A type by its CDL name ("int", "double"...); null if there is no such type. */
    NcmpiType(const NcmpiGroup &grp, const std::string &name);
    NcmpiType(const NcmpiGroup &grp, nc_type id);

    NcmpiType(const NcmpiType &) = default;
    NcmpiType &operator=(const NcmpiType &) = default;
    virtual ~NcmpiType() = default;

    bool operator==(const NcmpiType &rhs) const
    {
        return nullObject == rhs.nullObject && (nullObject || myId == rhs.myId);
    }
    bool operator!=(const NcmpiType &rhs) const { return !(*this == rhs); }
    friend bool operator<(const NcmpiType &lhs, const NcmpiType &rhs) { return lhs.myId < rhs.myId; }
    friend bool operator>(const NcmpiType &lhs, const NcmpiType &rhs) { return rhs < lhs; }

    nc_type getId() const { return myId; }
    NcmpiGroup getParentGroup() const; /* null */
    bool isNull() const { return nullObject; }

    /* The name in CDL: "byte", "ubyte", "char", "short", "ushort", "int", "uint", "int64", "uint64", "float", "double"; "" for
     * other types. */
    std::string getName() const { return detail_row().name; }

    /* The number of bytes of a value in the file. Throws NcBadType if it is no type of netCDF classic files. */
    MPI_Offset getSize() const { return known().size; }

    /* Throws NcBadType if it is no type of netCDF classic files. */
    ncmpiType getTypeClass() const { return static_cast<ncmpiType>(known().id); }

    /* "ncmpi_BYTE"... */
    std::string getTypeClassName() const { return known().word; }

  protected:
    bool nullObject;
    nc_type myId;
    int groupId;

  private:
    friend class NcmpiGroup;

    struct row {
        nc_type id;
        const char *name, *word;
        MPI_Offset size;
    };

    static const row *rows()
    {
        static const row all[] = {
@typerows
            { -1, "", "", 0 },
        };
        return all;
    }

    const row &detail_row() const
    {
        const row *r = rows();
        while (r->id != myId && r->id != -1)
            r++;
        return *r;
    }

    const row &known() const
    {
        const row &r = detail_row();
        if (r.id == -1)
            detail::complain<exceptions::NcBadType>(
                nullObject ? "the type is null" : "type " + std::to_string(myId) + " is no type of netCDF classic files");
        return r;
    }
};

@types

namespace detail
{

/* The objects of the types exist once in a program, although every source file that includes this header names them. */
template <class Type> struct one {
    static Type object;
};
template <class Type> Type one<Type>::object;

} // namespace detail

@typeobjects

namespace detail
{

/* Throws what every use of a type throws that only netCDF-4 has. */
[[noreturn]] inline void no_such_type()
{
    complain<exceptions::NcNotNc4>("netCDF classic files have no types that users define");
}

} // namespace detail

/* The types that only netCDF-4 files have are declared, so that programs compile that name them. A file never has one: all functions
 * throw NcNotNc4. */
class PNETCDF_PUBLIC_API NcmpiEnumType : public NcmpiType
{
  public:
    enum ncmpiEnumType {
        ncmpi_BYTE = NC_BYTE,
        ncmpi_SHORT = NC_SHORT,
        ncmpi_INT = NC_INT,
        ncmpi_UBYTE = NC_UBYTE,
        ncmpi_USHORT = NC_USHORT,
        ncmpi_UINT = NC_UINT,
        ncmpi_INT64 = NC_INT64,
        ncmpi_UINT64 = NC_UINT64
    };

    NcmpiEnumType() = default;
    NcmpiEnumType(const NcmpiGroup &, const std::string &) { detail::no_such_type(); }
    NcmpiEnumType(const NcmpiType &) { detail::no_such_type(); }
    NcmpiEnumType(const NcmpiEnumType &) = default;
    NcmpiEnumType &operator=(const NcmpiEnumType &) = default;
    NcmpiEnumType &operator=(const NcmpiType &) { detail::no_such_type(); }

    template <class T> void addMember(const std::string &, T) { detail::no_such_type(); }
    MPI_Offset getMemberCount() const { detail::no_such_type(); }
    std::string getMemberNameFromIndex(int) const { detail::no_such_type(); }
    template <class T> std::string getMemberNameFromValue(const T) const { detail::no_such_type(); }
    template <class T> void getMemberValue(int, T &) const { detail::no_such_type(); }
    NcmpiType getBaseType() const { detail::no_such_type(); }
};

class PNETCDF_PUBLIC_API NcmpiVlenType : public NcmpiType
{
  public:
    NcmpiVlenType() = default;
    NcmpiVlenType(const NcmpiGroup &, const std::string &) { detail::no_such_type(); }
    NcmpiVlenType(const NcmpiType &) { detail::no_such_type(); }
    NcmpiVlenType(const NcmpiVlenType &) = default;
    NcmpiVlenType &operator=(const NcmpiVlenType &) = default;
    NcmpiVlenType &operator=(const NcmpiType &) { detail::no_such_type(); }

    NcmpiType getBaseType() const { detail::no_such_type(); }
};

class PNETCDF_PUBLIC_API NcmpiOpaqueType : public NcmpiType
{
  public:
    NcmpiOpaqueType() = default;
    NcmpiOpaqueType(const NcmpiGroup &, const std::string &) { detail::no_such_type(); }
    NcmpiOpaqueType(const NcmpiType &) { detail::no_such_type(); }
    NcmpiOpaqueType(const NcmpiOpaqueType &) = default;
    NcmpiOpaqueType &operator=(const NcmpiOpaqueType &) = default;
    NcmpiOpaqueType &operator=(const NcmpiType &) { detail::no_such_type(); }

    MPI_Offset getTypeSize() const { detail::no_such_type(); }
};

class PNETCDF_PUBLIC_API NcmpiCompoundType : public NcmpiType
{
  public:
    NcmpiCompoundType() = default;
    NcmpiCompoundType(const NcmpiGroup &, const std::string &) { detail::no_such_type(); }
    NcmpiCompoundType(const NcmpiType &) { detail::no_such_type(); }
    NcmpiCompoundType(const NcmpiCompoundType &) = default;
    NcmpiCompoundType &operator=(const NcmpiCompoundType &) = default;
    NcmpiCompoundType &operator=(const NcmpiType &) { detail::no_such_type(); }

    void addMember(const std::string &, const NcmpiType &, MPI_Offset) { detail::no_such_type(); }
    void addMember(const std::string &, const NcmpiType &, MPI_Offset, const std::vector<int> &) { detail::no_such_type(); }
    MPI_Offset getMemberCount() const { detail::no_such_type(); }
    NcmpiType getMember(int) const { detail::no_such_type(); }
    MPI_Offset getMemberOffset(const int) const { detail::no_such_type(); }
    int getMemberDimCount(int) const { detail::no_such_type(); }
    std::vector<int> getMemberShape(int) const { detail::no_such_type(); }
};

} // namespace PnetCDF
