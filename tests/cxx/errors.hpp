// Each error has its exception: the class, the code, and the sentence of the library. One table of what calls
// throw, one of the class of each code; errors on one rank alone; values out of range.
namespace errors
{

std::string path;

void classes_of_codes()
{
    const struct {
        int code;
        const std::type_info &type;
    } rows[] = {
        { NC_EBADID, typeid(exceptions::NcBadId) },
        { NC_ENFILE, typeid(exceptions::NcNFile) },
        { NC_EEXIST, typeid(exceptions::NcExist) },
        { NC_EINVAL, typeid(exceptions::NcInvalidArg) },
        { NC_EPERM, typeid(exceptions::NcInvalidWrite) },
        { NC_ENOTINDEFINE, typeid(exceptions::NcNotInDefineMode) },
        { NC_EINDEFINE, typeid(exceptions::NcInDefineMode) },
        { NC_EINVALCOORDS, typeid(exceptions::NcInvalidCoords) },
        { NC_EMAXDIMS, typeid(exceptions::NcMaxDims) },
        { NC_ENAMEINUSE, typeid(exceptions::NcNameInUse) },
        { NC_ENOTATT, typeid(exceptions::NcNotAtt) },
        { NC_EMAXATTS, typeid(exceptions::NcMaxAtts) },
        { NC_EBADTYPE, typeid(exceptions::NcBadType) },
        { NC_EBADDIM, typeid(exceptions::NcBadDim) },
        { NC_EUNLIMPOS, typeid(exceptions::NcUnlimPos) },
        { NC_EMAXVARS, typeid(exceptions::NcMaxVars) },
        { NC_ENOTVAR, typeid(exceptions::NcNotVar) },
        { NC_EGLOBAL, typeid(exceptions::NcGlobal) },
        { NC_ENOTNC, typeid(exceptions::NcNotNCF) },
        { NC_ESTS, typeid(exceptions::NcSts) },
        { NC_EMAXNAME, typeid(exceptions::NcMaxName) },
        { NC_EUNLIMIT, typeid(exceptions::NcUnlimit) },
        { NC_ENORECVARS, typeid(exceptions::NcNoRecVars) },
        { NC_ECHAR, typeid(exceptions::NcmpiChar) },
        { NC_EEDGE, typeid(exceptions::NcEdge) },
        { NC_ESTRIDE, typeid(exceptions::NcStride) },
        { NC_EBADNAME, typeid(exceptions::NcBadName) },
        { NC_ERANGE, typeid(exceptions::NcRange) },
        { NC_ENOMEM, typeid(exceptions::NcNoMem) },
        { NC_EVARSIZE, typeid(exceptions::NcmpiVarSize) },
        { NC_EDIMSIZE, typeid(exceptions::NcmpiDimSize) },
        { NC_ETRUNC, typeid(exceptions::NcTrunc) },
        { NC_EHDFERR, typeid(exceptions::NcHdfErr) },
        { NC_ECANTREAD, typeid(exceptions::NcCantRead) },
        { NC_ECANTWRITE, typeid(exceptions::NcCantWrite) },
        { NC_ECANTCREATE, typeid(exceptions::NcCantCreate) },
        { NC_EFILEMETA, typeid(exceptions::NcmpiFileMeta) },
        { NC_EDIMMETA, typeid(exceptions::NcmpiDimMeta) },
        { NC_EATTMETA, typeid(exceptions::NcmpiAttMeta) },
        { NC_EVARMETA, typeid(exceptions::NcmpiVarMeta) },
        { NC_ENOCOMPOUND, typeid(exceptions::NcNoCompound) },
        { NC_EATTEXISTS, typeid(exceptions::NcmpiAttExists) },
        { NC_ENOTNC4, typeid(exceptions::NcNotNc4) },
        { NC_ESTRICTNC3, typeid(exceptions::NcStrictNc3) },
        { NC_EBADGRPID, typeid(exceptions::NcBadGroupId) },
        { NC_EBADTYPID, typeid(exceptions::NcBadTypeId) },
        { NC_EBADFIELD, typeid(exceptions::NcBadFieldId) },
        { NC_ENOGRP, typeid(exceptions::NcEnoGrp) },
        { NC_ELATEDEF, typeid(exceptions::NcElateDef) },
        { NC_ENOTINDEP, typeid(exceptions::NcmpiException) }, // no class of its own
    };
    for (const auto &row : rows)
        try {
            ncmpiCheck(row.code, "f.cc", 5);
            job->fail(__FILE__, __LINE__, ncmpi_strerrno(row.code));
        } catch (const std::exception &e) {
            job->thrown(__FILE__, __LINE__, ncmpi_strerrno(row.code), e, row.type, row.code,
                        ncmpi_strerror(row.code));
            HOLDS(std::strstr(e.what(), "\nfile: f.cc  line:5"));
        }
    ncmpiCheck(NC_NOERR, __FILE__, __LINE__);
    THROWS(NcUnknownName, 0, "f.cc  line:5", throw exceptions::NcUnknownName("what", "f.cc", 5));
    THROWS(NcmpiException, 0, "what", throw exceptions::NcmpiException("what", "f.cc", 5));
    exceptions::NcmpiException first(3, "first", "f.cc", 5), second("second", nullptr, 0);
    second = first;
    SAME(std::string(second.what()), "first\nfile: f.cc  line:5");
    SAME(second.errorCode(), 3);
    SAME(std::string(exceptions::NcmpiException(nullptr, nullptr, 0).what()), "");
}

void definitions()
{
    THROWS(NcmpiException, NC_ENOENT, "no/such",
           NcmpiFile(MPI_COMM_WORLD, "no/such/file.nc", NcmpiFile::read));
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiDim time = file.addDim("time"), x = file.addDim("x", 4);
    const NcmpiVar v = file.addVar("v", ncmpiInt, { time, x });
    THROWS(NcNameInUse, NC_ENAMEINUSE, "x", file.addDim("x", 5));
    THROWS(NcUnlimit, NC_EUNLIMIT, "", file.addDim("t"));
    THROWS(NcmpiDimSize, NC_EDIMSIZE, "", file.addDim("y", -1));
    THROWS(NcBadName, NC_EBADNAME, "", file.addDim("a/b", 1));
    THROWS(NcMaxName, NC_EMAXNAME, "", file.addDim(std::string(300, 'a'), 1));
    THROWS(NcUnlimPos, NC_EUNLIMPOS, "", file.addVar("w", ncmpiInt, { x, time }));
    THROWS(NcmpiException, NC_ESTRICTCDF2, "", file.addVar("w", ncmpiUint64, x)); // only CDF-5 has it
    THROWS(NcBadType, NC_EBADTYPE, "", file.addVar("w", NcmpiType(99), x));
    THROWS(NcNotAtt, NC_ENOTATT, "units", v.getAtt("units"));
    THROWS(NcNotInDefineMode, NC_ENOTINDEFINE, "", (file.enddef(), file.enddef()));
    THROWS(NcNotVar, NC_ENOTVAR, "", NcmpiVar(file, 9).getName());
    THROWS(NcBadDim, NC_EBADDIM, "", NcmpiDim(file, 9).getName());
    THROWS(NcNotVar, NC_ENOTVAR, "", NcmpiVar(file, 9).getAttCount());
}

void data()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiDim x = file.addDim("x", 4);
    const NcmpiVar v = file.addVar("v", ncmpiInt, x), b = file.addVar("b", ncmpiByte, x),
                   c = file.addVar("c", ncmpiChar, x);
    const int values[4] = { 1, 2, 3, 4 }, large[4] = { 1, 2, 300, 4 };
    int got[4] = { 0, 0, 0, 0 }, req;
    signed char bytes[4] = { 0, 0, 0, 0 };
    THROWS(NcInDefineMode, NC_EINDEFINE, "define mode",
           v.putVar(values)); // not collective: it leaves no mode
    v.putVar_all(values);
    THROWS(NcInvalidCoords, NC_EINVALCOORDS, "variable v", v.putVar_all({ 5 }, { 1 }, values));
    THROWS(NcEdge, NC_EEDGE, "variable v", v.getVar_all({ 3 }, { 2 }, got));
    THROWS(NcStride, NC_ESTRIDE, "variable v", v.getVar_all({ 0 }, { 2 }, { 0 }, got));
    THROWS(NcmpiException, NC_ENEGATIVECNT, "variable v", v.getVar_all({ 0 }, { -2 }, got));
    THROWS(NcmpiChar, NC_ECHAR, "", c.putVar_all(values));
    THROWS(NcmpiException, NC_ENOTINDEP, "begin_indep_data", v.getVar(got));
    THROWS(NcmpiException, NC_ENULLABUF, "", b.bputVar({ 0 }, { 4 }, values, &req));
    THROWS(NcmpiException, NC_ENOTSUPPORT, "", v.putVard_all(MPI_INT, values, 1, MPI_INT));
    THROWS(NcRange, NC_ERANGE, "", b.putVar_all(large));
    b.getVar_all(bytes);
    HOLDS(bytes[0] == 1 && bytes[3] == 4); // all others were moved
    // One rank errs: it alone throws, after it took part; the others have their data.
    const MPI_Offset start = job->rank == 0 ? 9 : 0;
    bool threw = false;
    try {
        v.getVar_all({ start }, { 4 }, got);
    } catch (const exceptions::NcInvalidCoords &e) {
        threw = true;
        HOLDS(std::string(e.what()).find(parcdf_last_error()) != std::string::npos);
        HOLDS(std::string(e.what()).find("start 9") != std::string::npos);
    }
    HOLDS(threw == (job->rank == 0));
    HOLDS(threw || got[3] == 4);
}

// An exception ends the file of rank 0 in the middle; what the other ranks call next tells them, and nobody
// hangs.
void ends_alone()
{
    if (job->ranks == 1)
        return;
    int told = 0;
    try {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
        const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", 4));
        file.enddef();
        int values[4] = { 1, 2, 3, 4 };
        v.getVar_all({ job->rank == 0 ? 9 : 0 }, { 4 }, values); // rank 0 goes
        v.putVar_all(values);
    } catch (const exceptions::NcmpiException &e) {
        told = e.errorCode();
    }
    SAME(told, job->rank == 0 ? NC_EINVALCOORDS : NC_EMULTIDEFINE_FNC_ARGS);
}

// The mode of one rank differs: it is told, and leaves nothing open; so the others learn that it is gone.
void modes_differ()
{
    if (job->ranks == 1)
        return;
    int told = 0, open = -1;
    try {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace,
                       job->rank == 1 ? NcmpiFile::classic5 : NcmpiFile::classic2);
        file.enddef();
    } catch (const exceptions::NcmpiException &e) {
        told = e.errorCode();
    }
    SAME(told, job->rank == 1 ? NC_EMULTIDEFINE_CMODE : NC_EMULTIDEFINE_FNC_ARGS);
    ncmpi_inq_files_opened(&open, NULL);
    SAME(open, 0);
}

// Define mode ends with an error on rank 0: it still takes part in the put that ended it, and then throws.
void enddef_fails_alone()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", job->ranks));
    int told = 0;
    enddef_fails = job->rank == 0;
    try {
        v.putVar_all({ job->rank }, 5 + job->rank);
    } catch (const exceptions::NcmpiException &e) {
        told = e.errorCode();
        HOLDS(std::strstr(e.what(), ncmpi_strerror(NC_EWRITE)));
    }
    enddef_fails = false;
    SAME(told, job->rank == 0 ? NC_EWRITE : NC_NOERR);
    std::vector<int> all(static_cast<std::size_t>(job->ranks));
    v.getVar_all(all.data());
    SAME(all.front(), 5);
    SAME(all.back(), 4 + job->ranks);
}

// A rank whose argument is wrong is in define mode as the others are: the next call is the same for all.
void definition_fails_alone()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiDim x = file.addDim("x", 4);
    file.enddef();
    bool threw = false;
    try {
        file.addVar("v", ncmpiInt, job->rank == 0 ? NcmpiDim() : x);
    } catch (const exceptions::NcNullDim &) {
        threw = true;
    }
    HOLDS(threw == (job->rank == 0));
    file.enddef(); // what rank 0 defined holds
    SAME(file.getVarCount(), 0);
}

void null_objects()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    int value = 0;
    THROWS(NcBadId, NC_EBADID, "is the object null", file.getVar("missing").getVar_all(&value));
    THROWS(NcBadId, NC_EBADID, "is the object null", file.getDim("missing").getSize());
    THROWS(NcNullGrp, 0, "null group", NcmpiFile().addDim("x", 1));
}

// The library gives the number of a closed file to the next one: objects of the first must not reach it.
void closed_files()
{
    const std::string other = path + ".other";
    const int ones[4] = { 1, 1, 1, 1 };
    int got[4] = { 0, 0, 0, 0 }, req = NC_REQ_NULL;
    NcmpiFile first(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const int number = first.getId();
    const NcmpiDim x = first.addDim("x", 4);
    const NcmpiVar v = first.addVar("v", ncmpiInt, x);
    const NcmpiVarAtt units = v.putAtt("units", "m");
    const NcmpiGroupAtt title = first.putAtt("title", "first");
    const NcmpiGroup group(first), by_number(number);
    HOLDS(by_number == group && v.getParentGroup() == by_number && NcmpiVar(by_number, v.getId()) == v);
    first.close();

    NcmpiFile second(MPI_COMM_WORLD, other, NcmpiFile::replace);
    SAME(second.getId(), number);
    const NcmpiDim y = second.addDim("y", 4);
    const NcmpiVar w = second.addVar("w", ncmpiInt, y);
    w.putAtt("units", "kg");
    w.putVar_all({ 0 }, { 4 }, std::vector<int>(4, 7).data());
    THROWS(NcBadId, NC_EBADID, "its file closed?", v.putVar_all({ 0 }, { 4 }, ones));
    THROWS(NcBadId, NC_EBADID, "", v.getVar_all({ 0 }, { 4 }, got));
    THROWS(NcBadId, NC_EBADID, "", v.iputVar({ 0 }, { 4 }, ones, &req));
    THROWS(NcBadId, NC_EBADID, "", v.getName());
    THROWS(NcBadId, NC_EBADID, "", v.rename("u"));
    THROWS(NcBadId, NC_EBADID, "", v.getDims());
    THROWS(NcBadId, NC_EBADID, "", v.putAtt("units", "s"));
    THROWS(NcBadId, NC_EBADID, "", v.getAtt("units"));
    THROWS(NcBadId, NC_EBADID, "", x.getSize());
    THROWS(NcBadId, NC_EBADID, "", units.getAttLength());
    THROWS(NcBadId, NC_EBADID, "", title.getAttLength());
    THROWS(NcBadId, NC_EBADID, "", group.addDim("z", 1));
    THROWS(NcBadId, NC_EBADID, "", group.getVarCount());
    THROWS(NcBadId, NC_EBADID, "closed", group.getName());
    THROWS(NcBadId, NC_EBADID, "closed", group.getId());
    THROWS(NcBadId, NC_EBADID, "closed", NcmpiVar(group, 0));
    THROWS(NcBadId, NC_EBADID, "", v.getParentGroup().getVar("w"));
    THROWS(NcBadId, NC_EBADID, "", by_number.getVar("w")); // a number means the file that had it then
    THROWS(NcBadId, NC_EBADID, "", second.addVar("u", ncmpiInt, x));
    HOLDS(v != w && x != y && group != second && (v < w) != (w < v) && NcmpiGroup(number) == second);
    w.getVar_all(got);
    SAME(got[0], 7);
    SAME(std::string(1, got[3] == 7 ? 'y' : 'n'), "y");

    // the file moves: its objects stay; another one opens and closes under the first owner
    NcmpiFile owner(std::move(second));
    w.getVar_all(got);
    owner = NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::read);
    THROWS(NcBadId, NC_EBADID, "", w.getVar_all(got));
    SAME(owner.getVar("v").getAtt("units").getAttLength(), 1);
    // a file that C closed: its owner does not close the next one
    ncmpi_close(owner.getId());
    NcmpiFile third(MPI_COMM_WORLD, path, NcmpiFile::read);
    THROWS(NcBadId, NC_EBADID, "", owner.close());
    SAME(third.getVarCount(), 1);
    third.close();
    if (job->rank == 0)
        ncmpi_delete(other.c_str(), MPI_INFO_NULL);
}

// Names that nothing can have are names that are not there.
void odd_names()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiDim x = file.addDim("x", 4);
    const NcmpiVar v = file.addVar("v", ncmpiInt, x);
    for (const std::string &name : { std::string(), std::string(300, 'a'), std::string("a/b"),
                                     std::string("\xff"), std::string(" v"), std::string("v ") }) {
        HOLDS(file.getVar(name).isNull() && file.getVars(name).empty());
        HOLDS(file.getDim(name).isNull() && file.getDims(name).empty());
        HOLDS(file.getAtt(name).isNull() && file.getAtts(name).empty());
        HOLDS(file.getGroup(name).isNull() && file.getType(name).isNull());
        THROWS(NcNotAtt, NC_ENOTATT, "", v.getAtt(name));
        THROWS(NcNullDim, 0, "", file.addVar("w", "int", name));
        THROWS(NcNullType, 0, "", file.addVar("w", name, "x"));
    }
}

// A number that is none of an enumeration, as a program may pass it.
template <class Enum> Enum no_such(int number)
{
    Enum made;
    std::memcpy(&made, &number, sizeof made);
    return made;
}

// No values: an error before anything moves. A mode that is none: nothing is opened or made.
void no_values()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", 4));
    int *none = nullptr, req;
    THROWS(NcInvalidArg, NC_EINVAL, "", v.putAtt("a", ncmpiInt, 2, none));
    THROWS(NcInvalidArg, NC_EINVAL, "", file.putAtt("a", ncmpiInt, 2, none));
    v.putAtt("b", ncmpiInt, 5);
    THROWS(NcInvalidArg, NC_EINVAL, "", v.getAtt("b").getValues(none));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.getAtt("b").getValues(static_cast<void *>(none)));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.putVar_all({ 0 }, { 4 }, none));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.getVar_all({ 0 }, { 4 }, none));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.putVar_all(none));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.getVar_all(none));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.putVar_all({ 0 }, static_cast<const signed char *>(nullptr)));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.iputVar({ 0 }, { 4 }, none, &req));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.igetVar({ 0 }, { 4 }, none, &req));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.putVar_all({ 0 }, { 4 }, none, 4, MPI_INT));
    THROWS(NcInvalidArg, NC_EINVAL, "", v.getVar_all({ 0 }, { 4 }, none, 4, MPI_INT));
    THROWS(NcInvalidArg, NC_EINVAL, "", file.Wait_all(1, nullptr, nullptr));
    THROWS(NcInvalidArg, NC_EINVAL, "", file.Cancel(1, nullptr, nullptr));
    v.putVar_all({ 0 }, { 0 }, none); // nothing of nothing
    file.close();

    const NcmpiFile::FileMode none_of_them = no_such<NcmpiFile::FileMode>(77);
    int open = -1, value = 3;
    NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::write).getVar("v").putVar_all({ 0 }, value);
    for (int mode : { 77, -1, 4 }) {
        THROWS(NcInvalidArg, NC_EINVAL, "mode",
               NcmpiFile(MPI_COMM_WORLD, path, no_such<NcmpiFile::FileMode>(mode)));
        THROWS(NcInvalidArg, NC_EINVAL, "mode",
               NcmpiFile(MPI_COMM_WORLD, path, no_such<NcmpiFile::FileMode>(mode), NcmpiFile::classic5));
    }
    THROWS(NcNotNCF, NC_ENOTNC, "BadFormat",
           NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::replace, no_such<NcmpiFile::FileFormat>(9)));
    ncmpi_inq_files_opened(&open, NULL);
    SAME(open, 0);
    NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::read).getVar("v").getVar_all({ 0 }, &value);
    SAME(value, 3);

    // on one rank alone: nobody hangs, and nothing is left open
    if (job->ranks == 1)
        return;
    const bool last = job->rank == job->ranks - 1;
    const NcmpiFile::FileFormat format = job->rank == 0 ? NcmpiFile::BadFormat : NcmpiFile::classic;
    THROWS_ANY(NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::write, format).sync());
    THROWS_ANY(NcmpiFile(MPI_COMM_WORLD, path, last ? none_of_them : NcmpiFile::write).sync());
    NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::read).getVar("v").getVar_all({ 0 }, &value);
    SAME(value, 3);
    THROWS_ANY(NcmpiFile(MPI_COMM_WORLD, path, last ? none_of_them : NcmpiFile::replace).enddef());
    ncmpi_inq_files_opened(&open, NULL);
    SAME(open, 0);
}

void all(const std::string &file)
{
    path = file;
    classes_of_codes();
    definitions();
    data();
    ends_alone();
    modes_differ();
    enddef_fails_alone();
    definition_fails_alone();
    null_objects();
    closed_files();
    odd_names();
    no_values();
}

} // namespace errors
