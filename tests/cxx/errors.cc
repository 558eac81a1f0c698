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

void classes_of_codes()
{
#define OF_CODE(Class, code) THROWS(Class, code, ncmpi_strerror(code), ncmpiCheck(code, __FILE__, __LINE__))
    OF_CODE(NcBadId, NC_EBADID);
    OF_CODE(NcNFile, NC_ENFILE);
    OF_CODE(NcExist, NC_EEXIST);
    OF_CODE(NcInvalidArg, NC_EINVAL);
    OF_CODE(NcInvalidWrite, NC_EPERM);
    OF_CODE(NcNotInDefineMode, NC_ENOTINDEFINE);
    OF_CODE(NcInDefineMode, NC_EINDEFINE);
    OF_CODE(NcInvalidCoords, NC_EINVALCOORDS);
    OF_CODE(NcMaxDims, NC_EMAXDIMS);
    OF_CODE(NcNameInUse, NC_ENAMEINUSE);
    OF_CODE(NcNotAtt, NC_ENOTATT);
    OF_CODE(NcMaxAtts, NC_EMAXATTS);
    OF_CODE(NcBadType, NC_EBADTYPE);
    OF_CODE(NcBadDim, NC_EBADDIM);
    OF_CODE(NcUnlimPos, NC_EUNLIMPOS);
    OF_CODE(NcMaxVars, NC_EMAXVARS);
    OF_CODE(NcNotVar, NC_ENOTVAR);
    OF_CODE(NcGlobal, NC_EGLOBAL);
    OF_CODE(NcNotNCF, NC_ENOTNC);
    OF_CODE(NcSts, NC_ESTS);
    OF_CODE(NcMaxName, NC_EMAXNAME);
    OF_CODE(NcUnlimit, NC_EUNLIMIT);
    OF_CODE(NcNoRecVars, NC_ENORECVARS);
    OF_CODE(NcmpiChar, NC_ECHAR);
    OF_CODE(NcEdge, NC_EEDGE);
    OF_CODE(NcStride, NC_ESTRIDE);
    OF_CODE(NcBadName, NC_EBADNAME);
    OF_CODE(NcRange, NC_ERANGE);
    OF_CODE(NcNoMem, NC_ENOMEM);
    OF_CODE(NcmpiVarSize, NC_EVARSIZE);
    OF_CODE(NcmpiDimSize, NC_EDIMSIZE);
    OF_CODE(NcTrunc, NC_ETRUNC);
    OF_CODE(NcHdfErr, NC_EHDFERR);
    OF_CODE(NcCantRead, NC_ECANTREAD);
    OF_CODE(NcCantWrite, NC_ECANTWRITE);
    OF_CODE(NcCantCreate, NC_ECANTCREATE);
    OF_CODE(NcmpiFileMeta, NC_EFILEMETA);
    OF_CODE(NcmpiDimMeta, NC_EDIMMETA);
    OF_CODE(NcmpiAttMeta, NC_EATTMETA);
    OF_CODE(NcmpiVarMeta, NC_EVARMETA);
    OF_CODE(NcNoCompound, NC_ENOCOMPOUND);
    OF_CODE(NcmpiAttExists, NC_EATTEXISTS);
    OF_CODE(NcNotNc4, NC_ENOTNC4);
    OF_CODE(NcStrictNc3, NC_ESTRICTNC3);
    OF_CODE(NcBadGroupId, NC_EBADGRPID);
    OF_CODE(NcBadTypeId, NC_EBADTYPID);
    OF_CODE(NcBadFieldId, NC_EBADFIELD);
    OF_CODE(NcEnoGrp, NC_ENOGRP);
    OF_CODE(NcElateDef, NC_ELATEDEF);
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
