// Each error has its exception: the class, the code, and the sentence of the library. One table of what calls
// throw, one of the class of each code; errors on one rank alone; values out of range.
//
//     errors FILE
#include <pnetcdf>
#include <parcdf.h>
#include "job.hpp"

using namespace PnetCDF;

Job *job;

namespace
{

std::string path;

#define EACH_CODE(X)                                                                                         \
    X(NcBadId, NC_EBADID)                                                                                    \
    X(NcNFile, NC_ENFILE)                                                                                    \
    X(NcExist, NC_EEXIST) X(NcInvalidArg, NC_EINVAL) X(NcInvalidWrite, NC_EPERM) X(NcNotInDefineMode,        \
                                                                                   NC_ENOTINDEFINE)          \
        X(NcInDefineMode, NC_EINDEFINE) X(NcInvalidCoords, NC_EINVALCOORDS) X(NcMaxDims, NC_EMAXDIMS) X(     \
            NcNameInUse, NC_ENAMEINUSE) X(NcNotAtt, NC_ENOTATT) X(NcMaxAtts, NC_EMAXATTS)                    \
            X(NcBadType, NC_EBADTYPE) X(NcBadDim, NC_EBADDIM) X(NcUnlimPos, NC_EUNLIMPOS) X(                 \
                NcMaxVars, NC_EMAXVARS) X(NcNotVar, NC_ENOTVAR) X(NcGlobal, NC_EGLOBAL)                      \
                X(NcNotNCF, NC_ENOTNC) X(NcSts, NC_ESTS) X(NcMaxName, NC_EMAXNAME) X(NcUnlimit, NC_EUNLIMIT) \
                    X(NcNoRecVars, NC_ENORECVARS) X(NcmpiChar, NC_ECHAR) X(NcEdge, NC_EEDGE)                 \
                        X(NcStride, NC_ESTRIDE) X(NcBadName, NC_EBADNAME) X(NcRange, NC_ERANGE)              \
                            X(NcNoMem, NC_ENOMEM) X(NcmpiVarSize, NC_EVARSIZE) X(NcmpiDimSize, NC_EDIMSIZE)  \
                                X(NcTrunc, NC_ETRUNC) X(NcHdfErr, NC_EHDFERR) X(NcCantRead, NC_ECANTREAD)    \
                                    X(NcCantWrite, NC_ECANTWRITE) X(NcCantCreate, NC_ECANTCREATE)            \
                                        X(NcmpiFileMeta, NC_EFILEMETA) X(NcmpiDimMeta, NC_EDIMMETA)          \
                                            X(NcmpiAttMeta, NC_EATTMETA) X(NcmpiVarMeta, NC_EVARMETA)        \
                                                X(NcNoCompound, NC_ENOCOMPOUND)                              \
                                                    X(NcmpiAttExists, NC_EATTEXISTS) X(NcNotNc4, NC_ENOTNC4) \
                                                        X(NcStrictNc3, NC_ESTRICTNC3)                        \
                                                            X(NcBadGroupId, NC_EBADGRPID)                    \
                                                                X(NcBadTypeId, NC_EBADTYPID)                 \
                                                                    X(NcBadFieldId, NC_EBADFIELD)            \
                                                                        X(NcEnoGrp, NC_ENOGRP)               \
                                                                            X(NcElateDef, NC_ELATEDEF)

void classes_of_codes()
{
#define ONE_CODE(Class, code) THROWS(Class, code, ncmpi_strerror(code), ncmpiCheck(code, __FILE__, __LINE__));
    EACH_CODE(ONE_CODE)
    THROWS(NcmpiException, NC_ENOTINDEP, "errors.cc",
           ncmpiCheck(NC_ENOTINDEP, __FILE__, __LINE__)); // no class of its own
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
    THROWS(NcmpiException, NC_ENOTBUILT, "",
           NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::nc4));
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

} // namespace

int main(int argc, char **argv)
{
    Job here(&argc, &argv);
    job = &here;
    path = argv[1];
    try {
        classes_of_codes();
        definitions();
        data();
        ends_alone();
    } catch (const std::exception &e) {
        here.fail(__FILE__, __LINE__, e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return here.end("errors");
}
