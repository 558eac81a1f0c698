/* ---- members that need all classes ---- */

namespace PnetCDF
{

inline NcmpiType::NcmpiType(const NcmpiGroup &grp, const std::string &name) : NcmpiType(grp.getType(name)) {}
inline NcmpiType::NcmpiType(const NcmpiGroup &, nc_type id) : NcmpiType(id) {}
inline NcmpiGroup NcmpiType::getParentGroup() const { return NcmpiGroup(); }

inline NcmpiGroup NcmpiAtt::getParentGroup() const { return nullObject ? NcmpiGroup() : NcmpiGroup(groupId); }
inline NcmpiGroupAtt::NcmpiGroupAtt(const NcmpiGroup &grp, const int index) : NcmpiAtt(grp.number(), NC_GLOBAL, index) {}
inline NcmpiVarAtt::NcmpiVarAtt(const NcmpiGroup &grp, const NcmpiVar &ncmpiVar, const int index)
    : NcmpiAtt(grp.number(), ncmpiVar.getId(), index)
{
}
inline NcmpiVar NcmpiVarAtt::getParentVar() const { return nullObject ? NcmpiVar() : NcmpiVar(NcmpiGroup(groupId), varId); }

inline NcmpiDim::NcmpiDim(const NcmpiGroup &grp, int dimId) : nullObject(false), myId(dimId), groupId(grp.number()) {}
inline NcmpiGroup NcmpiDim::getParentGroup() const { return nullObject ? NcmpiGroup() : NcmpiGroup(groupId); }

namespace detail
{

/* The objects of one name in a collection by name. */
template <class Object>
std::set<Object> named(const std::multimap<std::string, Object> &all, const std::string &name)
{
    std::set<Object> found;
    const auto range = all.equal_range(name);
    for (auto it = range.first; it != range.second; ++it)
        found.insert(it->second);
    return found;
}

/* A number that a function of the C interface returns. */
template <class Number> Number inquired(int (*inquire)(int, Number *), int ncid)
{
    Number n = 0;
    check(inquire(ncid, &n));
    return n;
}

} // namespace detail

inline std::string NcmpiGroup::getName(bool) const
{
    getId();
    return "/";
}

inline NcmpiGroup NcmpiGroup::getParentGroup() const
{
    getId();
    return NcmpiGroup();
}

inline std::multimap<std::string, NcmpiGroup> NcmpiGroup::getGroups(NcmpiGroup::GroupLocation location) const
{
    std::multimap<std::string, NcmpiGroup> groups;
    const std::string name = getName();
    if (location == ParentsAndCurrentGrps || location == AllGrps)
        groups.insert(std::make_pair(name, NcmpiGroup(*this)));
    return groups;
}

inline int NcmpiGroup::getGroupCount(NcmpiGroup::GroupLocation location) const
{
    return static_cast<int>(getGroups(location).size());
}

inline std::set<NcmpiGroup> NcmpiGroup::getGroups(const std::string &name, NcmpiGroup::GroupLocation location) const
{
    return detail::named(getGroups(location), name);
}

inline NcmpiGroup NcmpiGroup::getGroup(const std::string &name, NcmpiGroup::GroupLocation location) const
{
    const std::set<NcmpiGroup> groups = getGroups(name, location);
    return groups.empty() ? NcmpiGroup() : *groups.begin();
}

inline NcmpiGroup NcmpiGroup::addGroup(const std::string &) const
{
    detail::complain<exceptions::NcNotNc4>(detail::path_of(getId()) + ": netCDF classic files have no groups");
}

inline int NcmpiGroup::getVarCount(NcmpiGroup::Location location) const
{
    return has_content(location) ? detail::inquired(ncmpi_inq_nvars, myId) : 0;
}

inline int NcmpiGroup::getRecVarCount(NcmpiGroup::Location location) const
{
    return has_content(location) ? detail::inquired(ncmpi_inq_num_rec_vars, myId) : 0;
}

inline int NcmpiGroup::getFixVarCount(NcmpiGroup::Location location) const
{
    return has_content(location) ? detail::inquired(ncmpi_inq_num_fix_vars, myId) : 0;
}

inline MPI_Offset NcmpiGroup::getRecSize(NcmpiGroup::Location location) const
{
    return has_content(location) ? detail::inquired(ncmpi_inq_recsize, myId) : 0;
}

inline std::multimap<std::string, NcmpiVar> NcmpiGroup::getVars(NcmpiGroup::Location location) const
{
    std::multimap<std::string, NcmpiVar> vars;
    for (int i = 0, count = getVarCount(location); i < count; i++) {
        const NcmpiVar var(*this, i);
        vars.insert(std::make_pair(var.getName(), var));
    }
    return vars;
}

inline std::set<NcmpiVar> NcmpiGroup::getVars(const std::string &name, NcmpiGroup::Location location) const
{
    const NcmpiVar var = getVar(name, location);
    return var.isNull() ? std::set<NcmpiVar>() : std::set<NcmpiVar>{ var };
}

inline NcmpiVar NcmpiGroup::getVar(const std::string &name, NcmpiGroup::Location location) const
{
    int id = -1, code = NC_ENOTVAR;
    if (has_content(location))
        code = ncmpi_inq_varid(myId, name.c_str(), &id);
    if (code == NC_ENOTVAR || detail::is_no_name(code))
        return NcmpiVar();
    detail::check(code);
    return NcmpiVar(*this, id);
}

inline nc_type NcmpiGroup::type_for(const std::string &var, const NcmpiType &type) const
{
    if (type.isNull())
        detail::complain<exceptions::NcNullType>(detail::path_of(myId) + ": variable " + var + ": its type is null");
    return type.getId();
}

inline nc_type NcmpiGroup::type_for(const std::string &var, const std::string &typeName) const
{
    const NcmpiType type = getType(typeName);
    if (type.isNull())
        detail::complain<exceptions::NcNullType>(detail::path_of(myId) + ": variable " + var + ": there is no type " + typeName);
    return type.getId();
}

inline int NcmpiGroup::dim_for(const std::string &var, const NcmpiDim &dim) const
{
    if (dim.isNull())
        detail::complain<exceptions::NcNullDim>(detail::path_of(myId) + ": variable " + var + ": one of its dimensions is null");
    return dim.getParentGroup() == *this ? dim.getId() : dim_for(var, dim.getName());
}

inline int NcmpiGroup::dim_for(const std::string &var, const std::string &dimName) const
{
    const NcmpiDim dim = getDim(dimName);
    if (dim.isNull())
        detail::complain<exceptions::NcNullDim>(detail::path_of(myId) + ": variable " + var + ": there is no dimension " + dimName);
    return dim.getId();
}

/* Enters define mode first: a rank that then finds an argument wrong is in the same mode as the others. */
template <class Type, class Dim>
NcmpiVar NcmpiGroup::define(const std::string &name, const Type &type, const std::vector<Dim> &dims) const
{
    ncmpiCheckDefineMode(getId());
    const nc_type type_id = type_for(name, type);
    std::vector<int> ids;
    for (const Dim &dim : dims)
        ids.push_back(dim_for(name, dim));
    int id;
    detail::check(ncmpi_def_var(myId, name.c_str(), type_id, static_cast<int>(ids.size()), ids.data(), &id));
    return NcmpiVar(*this, id);
}

inline NcmpiVar NcmpiGroup::addVar(const std::string &name, const NcmpiType &ncmpiType) const
{
    return define(name, ncmpiType, std::vector<NcmpiDim>());
}

inline NcmpiVar NcmpiGroup::addVar(const std::string &name, const std::string &typeName, const std::string &dimName) const
{
    return define(name, typeName, std::vector<std::string>(1, dimName));
}

inline NcmpiVar NcmpiGroup::addVar(const std::string &name, const NcmpiType &ncmpiType, const NcmpiDim &ncmpiDim) const
{
    return define(name, ncmpiType, std::vector<NcmpiDim>(1, ncmpiDim));
}

inline NcmpiVar NcmpiGroup::addVar(const std::string &name, const std::string &typeName,
                                   const std::vector<std::string> &dimNames) const
{
    return define(name, typeName, dimNames);
}

inline NcmpiVar NcmpiGroup::addVar(const std::string &name, const NcmpiType &ncmpiType,
                                   const std::vector<NcmpiDim> &ncmpiDimVector) const
{
    return define(name, ncmpiType, ncmpiDimVector);
}

inline int NcmpiGroup::getAttCount(NcmpiGroup::Location location) const
{
    return has_content(location) ? detail::inquired(ncmpi_inq_natts, myId) : 0;
}

inline std::multimap<std::string, NcmpiGroupAtt> NcmpiGroup::getAtts(NcmpiGroup::Location location) const
{
    std::multimap<std::string, NcmpiGroupAtt> atts;
    for (int i = 0, count = getAttCount(location); i < count; i++) {
        const NcmpiGroupAtt att(*this, i);
        atts.insert(std::make_pair(att.getName(), att));
    }
    return atts;
}

inline std::set<NcmpiGroupAtt> NcmpiGroup::getAtts(const std::string &name, NcmpiGroup::Location location) const
{
    const NcmpiGroupAtt att = getAtt(name, location);
    return att.isNull() ? std::set<NcmpiGroupAtt>() : std::set<NcmpiGroupAtt>{ att };
}

inline NcmpiGroupAtt NcmpiGroup::getAtt(const std::string &name, NcmpiGroup::Location location) const
{
    int index = -1, code = NC_ENOTATT;
    if (has_content(location))
        code = ncmpi_inq_attid(myId, NC_GLOBAL, name.c_str(), &index);
    if (code == NC_ENOTATT || detail::is_no_name(code))
        return NcmpiGroupAtt();
    detail::check(code);
    return NcmpiGroupAtt(*this, index);
}

inline int NcmpiGroup::getDimCount(NcmpiGroup::Location location) const
{
    const int id = getId();
    return has_current(location) ? detail::inquired(ncmpi_inq_ndims, id) : 0;
}

inline std::multimap<std::string, NcmpiDim> NcmpiGroup::getDims(NcmpiGroup::Location location) const
{
    std::multimap<std::string, NcmpiDim> dims;
    for (int i = 0, count = getDimCount(location); i < count; i++) {
        const NcmpiDim dim(*this, i);
        dims.insert(std::make_pair(dim.getName(), dim));
    }
    return dims;
}

inline std::set<NcmpiDim> NcmpiGroup::getDims(const std::string &name, NcmpiGroup::Location location) const
{
    const NcmpiDim dim = getDim(name, location);
    return dim.isNull() ? std::set<NcmpiDim>() : std::set<NcmpiDim>{ dim };
}

inline NcmpiDim NcmpiGroup::getDim(const std::string &name, NcmpiGroup::Location location) const
{
    int id = getId(), code = NC_EBADDIM;
    if (has_current(location))
        code = ncmpi_inq_dimid(myId, name.c_str(), &id);
    if (code == NC_EBADDIM || detail::is_no_name(code))
        return NcmpiDim();
    detail::check(code);
    return NcmpiDim(*this, id);
}

inline NcmpiDim NcmpiGroup::addDim(const std::string &name, MPI_Offset dimSize) const
{
    int id;
    ncmpiCheckDefineMode(getId());
    detail::check(ncmpi_def_dim(myId, name.c_str(), dimSize, &id));
    return NcmpiDim(*this, id);
}

inline NcmpiDim NcmpiGroup::addDim(const std::string &name) const { return addDim(name, NC_UNLIMITED); }

inline int NcmpiGroup::getTypeCount(NcmpiGroup::Location) const
{
    getId();
    return 0;
}

inline int NcmpiGroup::getTypeCount(NcmpiType::ncmpiType, NcmpiGroup::Location location) const { return getTypeCount(location); }

inline std::multimap<std::string, NcmpiType> NcmpiGroup::getTypes(NcmpiGroup::Location) const
{
    getId();
    return std::multimap<std::string, NcmpiType>();
}

inline std::set<NcmpiType> NcmpiGroup::getTypes(const std::string &name, NcmpiGroup::Location location) const
{
    return detail::named(getTypes(location), name);
}

inline std::set<NcmpiType> NcmpiGroup::getTypes(NcmpiType::ncmpiType, NcmpiGroup::Location location) const
{
    return getTypes("", location);
}

inline std::set<NcmpiType> NcmpiGroup::getTypes(const std::string &name, NcmpiType::ncmpiType, NcmpiGroup::Location location) const
{
    return getTypes(name, location);
}

inline NcmpiType NcmpiGroup::getType(const std::string &name, NcmpiGroup::Location) const
{
    getId();
    for (const NcmpiType::row *r = NcmpiType::rows(); r->id != -1; r++)
        if (name == r->name)
            return NcmpiType(r->id);
    return NcmpiType();
}

inline NcmpiEnumType NcmpiGroup::addEnumType(const std::string &, NcmpiEnumType::ncmpiEnumType) const { detail::no_such_type(); }
inline NcmpiVlenType NcmpiGroup::addVlenType(const std::string &, NcmpiType &) const { detail::no_such_type(); }
inline NcmpiOpaqueType NcmpiGroup::addOpaqueType(const std::string &, MPI_Offset) const { detail::no_such_type(); }
inline NcmpiCompoundType NcmpiGroup::addCompoundType(const std::string &, MPI_Offset) const { detail::no_such_type(); }

} // namespace PnetCDF
