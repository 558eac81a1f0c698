/* ---- attributes ---- */

namespace PnetCDF
{

class NcmpiVar;

/* What attributes of a file and of a variable share. The name belongs to the object; all else is read from the open file. */
class PNETCDF_PUBLIC_API NcmpiAtt
{
  public:
    NcmpiAtt() : nullObject(true), groupId(), varId(-1) {}
    NcmpiAtt(bool isNullObject) : nullObject(isNullObject), groupId(), varId(-1) {}
    NcmpiAtt(const NcmpiAtt &) = default;
    virtual ~NcmpiAtt() = 0;

    std::string getName() const { return myName; }
    bool isNull() const { return nullObject; }
    NcmpiGroup getParentGroup() const;

    /* The number of values; of text, of bytes. */
    MPI_Offset getAttLength() const
    {
        MPI_Offset length;
        detail::check(ncmpi_inq_attlen(groupId, varId, myName.c_str(), &length));
        return length;
    }

    NcmpiType getType() const
    {
        nc_type type;
        detail::check(ncmpi_inq_atttype(groupId, varId, myName.c_str(), &type));
        return NcmpiType(type);
    }

    bool operator==(const NcmpiAtt &rhs) const
    {
        if (nullObject || rhs.nullObject)
            return nullObject == rhs.nullObject;
        return groupId == rhs.groupId && varId == rhs.varId && myName == rhs.myName;
    }
    bool operator!=(const NcmpiAtt &rhs) const { return !(*this == rhs); }

    /* Read the values into an array that has room for getAttLength() of them, and convert them to its type. */
@attributes get

    /* Reads the values as they are: the array has the attribute's type. */
    void getValues(void *dataValues) const { detail::check(ncmpi_get_att(groupId, varId, myName.c_str(), dataValues)); }

    /* Reads text; all bytes, also NUL. */
    void getValues(std::string &dataValues) const
    {
        std::vector<char> bytes(static_cast<std::size_t>(getAttLength()) + 1);
        getValues(bytes.data());
        dataValues.assign(bytes.data(), bytes.size() - 1);
    }

    /* Netcdf classic files have no strings. PnetCDF declares this function and does not define it. */
    void getValues(char **dataValues) const = delete;

  protected:
    NcmpiAtt &operator=(const NcmpiAtt &) = default;

    /* Finds the name of attribute number `index`. */
    NcmpiAtt(const detail::FileNumber &group, int var, int index) : nullObject(false), groupId(group), varId(var)
    {
        char name[NC_MAX_NAME + 1];
        detail::check(ncmpi_inq_attname(groupId, varId, index, name));
        myName = name;
    }

    static bool before(const NcmpiAtt &a, const NcmpiAtt &b)
    {
        if (a.groupId != b.groupId)
            return a.groupId < b.groupId;
        return a.varId != b.varId ? a.varId < b.varId : a.myName < b.myName;
    }

    bool nullObject;
    std::string myName;
    detail::FileNumber groupId;
    int varId;
};

inline NcmpiAtt::~NcmpiAtt() = default;

/* An attribute of the file. */
class PNETCDF_PUBLIC_API NcmpiGroupAtt : public NcmpiAtt
{
  public:
    NcmpiGroupAtt() = default;
    NcmpiGroupAtt(const NcmpiGroupAtt &) = default;
    NcmpiGroupAtt &operator=(const NcmpiGroupAtt &) = default;

    /* Attribute number `index`, from 0. */
    NcmpiGroupAtt(const NcmpiGroup &grp, const int index);

    bool operator==(const NcmpiGroupAtt &rhs) const { return NcmpiAtt::operator==(rhs); }
    friend bool operator<(const NcmpiGroupAtt &lhs, const NcmpiGroupAtt &rhs) { return before(lhs, rhs); }
    friend bool operator>(const NcmpiGroupAtt &lhs, const NcmpiGroupAtt &rhs) { return before(rhs, lhs); }
};

/* An attribute of a variable. */
class PNETCDF_PUBLIC_API NcmpiVarAtt : public NcmpiAtt
{
  public:
    NcmpiVarAtt() = default;
    NcmpiVarAtt(const NcmpiVarAtt &) = default;
    NcmpiVarAtt &operator=(const NcmpiVarAtt &) = default;

    /* Attribute number `index` of the variable, from 0. */
    NcmpiVarAtt(const NcmpiGroup &grp, const NcmpiVar &ncmpiVar, const int index);

    NcmpiVar getParentVar() const;
    friend bool operator<(const NcmpiVarAtt &lhs, const NcmpiVarAtt &rhs) { return before(lhs, rhs); }
    friend bool operator>(const NcmpiVarAtt &lhs, const NcmpiVarAtt &rhs) { return before(rhs, lhs); }
};

} // namespace PnetCDF
