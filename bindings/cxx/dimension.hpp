/* ---- dimensions ---- */

namespace PnetCDF
{

/* A dimension of an open file, or none (isNull). */
class PNETCDF_PUBLIC_API NcmpiDim
{
  public:
    NcmpiDim() : nullObject(true), myId(-1), groupId() {}
    NcmpiDim(const NcmpiGroup &grp, int dimId);
    NcmpiDim(const NcmpiDim &) = default;
    NcmpiDim &operator=(const NcmpiDim &) = default;

    bool operator==(const NcmpiDim &rhs) const
    {
        if (nullObject || rhs.nullObject)
            return nullObject == rhs.nullObject;
        return myId == rhs.myId && groupId == rhs.groupId;
    }
    bool operator!=(const NcmpiDim &rhs) const { return !(*this == rhs); }
    friend bool operator<(const NcmpiDim &lhs, const NcmpiDim &rhs)
    {
        return lhs.groupId != rhs.groupId ? lhs.groupId < rhs.groupId : lhs.myId < rhs.myId;
    }
    friend bool operator>(const NcmpiDim &lhs, const NcmpiDim &rhs) { return rhs < lhs; }

    const std::string getName() const
    {
        char name[NC_MAX_NAME + 1];
        detail::check(ncmpi_inq_dimname(groupId, myId, name));
        return name;
    }
    int getId() const { return myId; }
    NcmpiGroup getParentGroup() const;
    bool isNull() const { return nullObject; }

    bool isUnlimited() const
    {
        int record;
        detail::check(ncmpi_inq_unlimdim(groupId, &record));
        return myId == record;
    }

    /* The length; of the unlimited dimension, the number of records. */
    MPI_Offset getSize() const
    {
        MPI_Offset length;
        detail::check(ncmpi_inq_dimlen(groupId, myId, &length));
        return length;
    }

    /* Collective. In data mode, the new name must not be longer. */
    void rename(const std::string &newName) { detail::check(ncmpi_rename_dim(groupId, myId, newName.c_str())); }

  private:
    bool nullObject;
    int myId;
    detail::FileNumber groupId;
};

} // namespace PnetCDF
