/* ---- the file as a group ---- */

namespace PnetCDF
{

/* An open file, without owning it. A netCDF classic file is one group, "/", without a parent and without children; so all that is asked
 * of parents and children is empty. */
class PNETCDF_PUBLIC_API NcmpiGroup
{
  public:
    enum GroupLocation {
        ChildrenGrps,
        ParentsGrps,
        ChildrenOfChildrenGrps,
        AllChildrenGrps,
        ParentsAndCurrentGrps,
        AllGrps
    };
    enum Location { Current, Parents, Children, ParentsAndCurrent, ChildrenAndCurrent, All };

    NcmpiGroup() : nullObject(true), myId() {}
    NcmpiGroup(int groupId) : nullObject(false), myId(groupId) {} /* the ncid of an open file */
    NcmpiGroup(const detail::FileNumber &number) : nullObject(false), myId(number) {}
    NcmpiGroup(const NcmpiGroup &) = default;
    NcmpiGroup &operator=(const NcmpiGroup &) = default;
    virtual ~NcmpiGroup() = default;

    bool operator==(const NcmpiGroup &rhs) const
    {
        return nullObject == rhs.nullObject && (nullObject || myId == rhs.myId);
    }
    bool operator!=(const NcmpiGroup &rhs) const { return !(*this == rhs); }
    friend bool operator<(const NcmpiGroup &lhs, const NcmpiGroup &rhs) { return lhs.myId < rhs.myId; }
    friend bool operator>(const NcmpiGroup &lhs, const NcmpiGroup &rhs) { return rhs < lhs; }

    /* The ncid, for calls of the C interface. Throws NcNullGrp for a null group, as the functions below. */
    int getId() const { return number(); }
    const detail::FileNumber &number() const
    {
        if (nullObject)
            detail::complain<exceptions::NcNullGrp>("a null group has no id, name or content; was the file closed?");
        if (myId.is_closed())
            detail::raise(NC_EBADID, std::string(ncmpi_strerror(NC_EBADID)) + ": the file of this group was closed");
        return myId;
    }
    bool isNull() const { return nullObject; }

    /* -- groups -- */

    std::string getName(bool fullName = false) const; /* "/" */
    bool isRootGroup() const { return getName() == "/"; }
    NcmpiGroup getParentGroup() const; /* null */
    int getGroupCount(NcmpiGroup::GroupLocation location = ChildrenGrps) const;
    std::multimap<std::string, NcmpiGroup> getGroups(NcmpiGroup::GroupLocation location = ChildrenGrps) const;
    std::set<NcmpiGroup> getGroups(const std::string &name, NcmpiGroup::GroupLocation location = ChildrenGrps) const;
    NcmpiGroup getGroup(const std::string &name, NcmpiGroup::GroupLocation location = ChildrenGrps) const;
    NcmpiGroup addGroup(const std::string &name) const; /* throws NcNotNc4 */

    /* -- variables -- */

    int getVarCount(NcmpiGroup::Location location = Current) const;
    int getRecVarCount(NcmpiGroup::Location location = Current) const; /* record variables */
    int getFixVarCount(NcmpiGroup::Location location = Current) const; /* the others */
    MPI_Offset getRecSize(NcmpiGroup::Location location = Current) const; /* bytes of a record of all record variables */
    std::multimap<std::string, NcmpiVar> getVars(NcmpiGroup::Location location = Current) const;
    std::set<NcmpiVar> getVars(const std::string &name, NcmpiGroup::Location location = Current) const;
    NcmpiVar getVar(const std::string &name, NcmpiGroup::Location location = Current) const; /* null if there is none */

    /* Define a variable. Types and dimensions by name or as objects; a dimension of another file stands for the one of this name.
     * Throw NcNullType and NcNullDim where there is none. Collective. */
    NcmpiVar addVar(const std::string &name, const NcmpiType &ncmpiType) const; /* no dimension: one value */
    NcmpiVar addVar(const std::string &name, const std::string &typeName, const std::string &dimName) const;
    NcmpiVar addVar(const std::string &name, const NcmpiType &ncmpiType, const NcmpiDim &ncmpiDim) const;
    NcmpiVar addVar(const std::string &name, const std::string &typeName, const std::vector<std::string> &dimNames) const;
    NcmpiVar addVar(const std::string &name, const NcmpiType &ncmpiType, const std::vector<NcmpiDim> &ncmpiDimVector) const;

    /* -- attributes of the file -- */

    int getAttCount(NcmpiGroup::Location location = Current) const;
    std::multimap<std::string, NcmpiGroupAtt> getAtts(NcmpiGroup::Location location = Current) const;
    std::set<NcmpiGroupAtt> getAtts(const std::string &name, NcmpiGroup::Location location = Current) const;
    NcmpiGroupAtt getAtt(const std::string &name, NcmpiGroup::Location location = Current) const; /* null if there is none */

    /* Define an attribute, or replace it. `type` is the type in the file. Collective. */
@attributes put NcmpiGroupAtt myId NC_GLOBAL

    /* Netcdf classic files have no strings. PnetCDF declares this function and does not define it. */
    NcmpiGroupAtt putAtt(const std::string &name, MPI_Offset len, const char **dataValues) const = delete;

    /* -- dimensions -- */

    int getDimCount(NcmpiGroup::Location location = Current) const;
    std::multimap<std::string, NcmpiDim> getDims(NcmpiGroup::Location location = Current) const;
    std::set<NcmpiDim> getDims(const std::string &name, NcmpiGroup::Location location = Current) const;
    NcmpiDim getDim(const std::string &name, NcmpiGroup::Location location = Current) const; /* null if there is none */
    NcmpiDim addDim(const std::string &name, MPI_Offset dimSize) const; /* Collective. */
    NcmpiDim addDim(const std::string &name) const;                     /* the unlimited dimension. Collective. */

    /* -- types that users define: there are none; the functions that add one throw NcNotNc4 -- */

    int getTypeCount(NcmpiGroup::Location location = Current) const;
    int getTypeCount(NcmpiType::ncmpiType enumType, NcmpiGroup::Location location = Current) const;
    std::multimap<std::string, NcmpiType> getTypes(NcmpiGroup::Location location = Current) const;
    std::set<NcmpiType> getTypes(const std::string &name, NcmpiGroup::Location location = Current) const;
    std::set<NcmpiType> getTypes(NcmpiType::ncmpiType enumType, NcmpiGroup::Location location = Current) const;
    std::set<NcmpiType> getTypes(const std::string &name, NcmpiType::ncmpiType enumType,
                                 NcmpiGroup::Location location = Current) const;
    NcmpiType getType(const std::string &name, NcmpiGroup::Location location = Current) const; /* "int"...; otherwise null */
    NcmpiEnumType addEnumType(const std::string &name, NcmpiEnumType::ncmpiEnumType basetype) const;
    NcmpiVlenType addVlenType(const std::string &name, NcmpiType &basetype) const;
    NcmpiOpaqueType addOpaqueType(const std::string &name, MPI_Offset size) const;
    NcmpiCompoundType addCompoundType(const std::string &name, MPI_Offset size) const;

  protected:
    bool nullObject;
    detail::FileNumber myId;

  private:
    /* Does a location hold the file itself? Nothing else holds anything. */
    static bool has_current(Location location) { return location != Parents && location != Children; }
    bool has_content(Location location) const { return has_current(location) && !nullObject; }

    /* The ids of a type and a dimension of this file for variable `var`: of objects and names. */
    nc_type type_for(const std::string &var, const NcmpiType &type) const;
    nc_type type_for(const std::string &var, const std::string &typeName) const;
    int dim_for(const std::string &var, const NcmpiDim &dim) const;
    int dim_for(const std::string &var, const std::string &dimName) const;
    template <class Type, class Dim>
    NcmpiVar define(const std::string &name, const Type &type, const std::vector<Dim> &dims) const;
};

} // namespace PnetCDF
