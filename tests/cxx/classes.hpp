// Every class but for the data functions (accesses.hpp): what files, dimensions, variables, attributes, types
// and groups tell, and what their functions do; copies, comparisons and ends of files.
const void *type_object_of_second_unit(); // second_unit.cc
std::string name_by_second_unit(const NcmpiVar &var);

namespace classes
{

std::string path;

template <class Thing> std::string names(const std::multimap<std::string, Thing> &things)
{
    std::string all;
    for (const auto &thing : things)
        all += thing.first + " ";
    return all;
}

void types()
{
    const struct {
        NcmpiType type;
        nc_type id;
        const char *name, *word;
        MPI_Offset size;
    } rows[] = {
        { ncmpiByte, NC_BYTE, "byte", "ncmpi_BYTE", 1 },
        { ncmpiUbyte, NC_UBYTE, "ubyte", "ncmpi_UBYTE", 1 },
        { ncmpiChar, NC_CHAR, "char", "ncmpi_CHAR", 1 },
        { ncmpiShort, NC_SHORT, "short", "ncmpi_SHORT", 2 },
        { ncmpiUshort, NC_USHORT, "ushort", "ncmpi_USHORT", 2 },
        { ncmpiInt, NC_INT, "int", "ncmpi_INT", 4 },
        { ncmpiUint, NC_UINT, "uint", "ncmpi_UINT", 4 },
        { ncmpiInt64, NC_INT64, "int64", "ncmpi_INT64", 8 },
        { ncmpiUint64, NC_UINT64, "uint64", "ncmpi_UINT64", 8 },
        { ncmpiFloat, NC_FLOAT, "float", "ncmpi_FLOAT", 4 },
        { ncmpiDouble, NC_DOUBLE, "double", "ncmpi_DOUBLE", 8 },
    };
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::classic5);
    for (const auto &row : rows) {
        SAME(row.type.getId(), row.id);
        SAME(row.type.getName(), row.name);
        SAME(row.type.getTypeClassName(), row.word);
        SAME(static_cast<int>(row.type.getTypeClass()), row.id);
        SAME(row.type.getSize(), row.size);
        HOLDS(!row.type.isNull() && row.type.getParentGroup().isNull());
        HOLDS(file.getType(row.name) == row.type && NcmpiType(file, row.name) == row.type);
        HOLDS(NcmpiType(file, row.id) == row.type && NcmpiType(row.id) == row.type);
        const NcmpiVar var = file.addVar(row.name, row.type);
        HOLDS(var.getType() == row.type);
    }
    HOLDS(ncmpiInt == ncmpiInt && ncmpiInt != ncmpiUint && ncmpiByte < ncmpiChar && ncmpiDouble > ncmpiFloat);
    HOLDS(NcmpiType().isNull() && NcmpiType() == NcmpiType() && NcmpiType() != ncmpiInt);
    HOLDS(file.getType("real").isNull() && NcmpiType(file, "real").isNull());
    SAME(ncmpiByte.sizeoff(), 1);
    HOLDS(&ncmpiInt == type_object_of_second_unit()); // one object in the program
    THROWS(NcBadType, NC_EBADTYPE, "type 12 is no type", NcmpiType(NC_STRING).getSize());
    THROWS(NcBadType, NC_EBADTYPE, "is null", NcmpiType().getTypeClass());
}

void user_types()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    SAME(file.getTypeCount(), 0);
    SAME(file.getTypeCount(NcmpiType::ncmpi_ENUM), 0);
    HOLDS(file.getTypes().empty() && file.getTypes("t").empty() &&
          file.getTypes(NcmpiType::ncmpi_VLEN).empty());
    HOLDS(file.getTypes("t", NcmpiType::ncmpi_VLEN).empty());
    THROWS(NcNotNc4, NC_ENOTNC4, "types that users define", file.addEnumType("t", NcmpiEnumType::ncmpi_INT));
    THROWS(NcNotNc4, NC_ENOTNC4, "types that users define", file.addVlenType("t", ncmpiInt));
    THROWS(NcNotNc4, NC_ENOTNC4, "types that users define", file.addOpaqueType("t", 8));
    THROWS(NcNotNc4, NC_ENOTNC4, "types that users define", file.addCompoundType("t", 8));
    THROWS(NcNotNc4, NC_ENOTNC4, "types that users define", NcmpiEnumType(file, "t"));
    THROWS(NcNotNc4, NC_ENOTNC4, "types that users define", NcmpiCompoundType(NcmpiType(NC_INT)));
    NcmpiEnumType e;
    NcmpiVlenType v;
    NcmpiOpaqueType o;
    NcmpiCompoundType c;
    HOLDS(e.isNull() && v.isNull() && o.isNull() && c.isNull() && c == c);
    int value;
    THROWS(NcNotNc4, NC_ENOTNC4, "", e.addMember("m", 1));
    THROWS(NcNotNc4, NC_ENOTNC4, "", e.getMemberNameFromValue(1));
    THROWS(NcNotNc4, NC_ENOTNC4, "", e.getMemberValue(0, value));
    THROWS(NcNotNc4, NC_ENOTNC4, "", v.getBaseType());
    THROWS(NcNotNc4, NC_ENOTNC4, "", o.getTypeSize());
    THROWS(NcNotNc4, NC_ENOTNC4, "", c.addMember("m", ncmpiInt, 0));
    THROWS(NcNotNc4, NC_ENOTNC4, "", c.addMember("m", ncmpiInt, 0, std::vector<int>(1, 2)));
    THROWS(NcNotNc4, NC_ENOTNC4, "", c = NcmpiType(NC_INT));
}

void groups()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiGroup group = file, none; // a name of the file, and of nothing
    SAME(group.getName(), "/");
    SAME(group.getName(true), "/");
    HOLDS(group.isRootGroup() && group.getParentGroup().isNull() && group == file && group != none &&
          none == NcmpiGroup());
    HOLDS(none < group && group > none && !(group < group));
    SAME(group.getGroupCount(), 0);
    SAME(group.getGroupCount(NcmpiGroup::AllGrps), 1);
    SAME(names(group.getGroups(NcmpiGroup::ParentsAndCurrentGrps)), "/ ");
    HOLDS(group.getGroups(NcmpiGroup::AllChildrenGrps).empty() && group.getGroups("/").empty());
    HOLDS(group.getGroup("/", NcmpiGroup::AllGrps) == group && group.getGroup("g").isNull());
    HOLDS(group.getGroups("/", NcmpiGroup::AllGrps).size() == 1);
    THROWS(NcNotNc4, NC_ENOTNC4, "no groups", group.addGroup("g"));
    THROWS(NcNullGrp, 0, "null group", none.getId());
    THROWS(NcNullGrp, 0, "null group", none.getName());
    THROWS(NcNullGrp, 0, "null group", none.getDimCount());
    THROWS(NcNullGrp, 0, "null group", none.addDim("d", 1));
    THROWS(NcNullGrp, 0, "null group", none.getType("int"));
    THROWS(NcNullGrp, 0, "null group", none.getGroups());
    SAME(none.getVarCount() + none.getAttCount() + none.getRecVarCount() + none.getFixVarCount(), 0);
    HOLDS(none.getVar("v").isNull() && none.getAtt("a").isNull() && none.getVars().empty() &&
          none.getAtts().empty());
}

void dimensions()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiDim time = file.addDim("time"), x = file.addDim("x", 7);
    NcmpiDim copy(x), none;
    HOLDS(time.isUnlimited() && !x.isUnlimited() && copy == x && x != time && none.isNull() &&
          none == NcmpiDim() && none != x);
    HOLDS(time < x && x > time && none < time);
    SAME(time.getSize(), 0);
    SAME(x.getSize(), 7);
    SAME(x.getName(), "x");
    SAME(x.getId(), 1);
    HOLDS(x.getParentGroup() == file && none.getParentGroup().isNull());
    SAME(file.getDimCount(), 2);
    SAME(file.getDimCount(NcmpiGroup::Parents), 0);
    SAME(file.getDimCount(NcmpiGroup::All), 2);
    SAME(names(file.getDims()), "time x ");
    HOLDS(file.getDims("x").size() == 1);
    HOLDS(file.getDims("z").empty() && file.getDim("z").isNull() &&
          file.getDim("x", NcmpiGroup::Children).isNull());
    HOLDS(file.getDim("x") == x);
    copy.rename("longer");
    SAME(x.getName(), "longer");
    copy = time;
    HOLDS(copy == time);
    const std::set<NcmpiDim> both = { time, x }; // a strict order: both are in it
    HOLDS(both.size() == 2);
}

void variables()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::classic5);
    const NcmpiDim time = file.addDim("time"), x = file.addDim("x", 3);
    const NcmpiVar scalar = file.addVar("scalar", ncmpiDouble), a = file.addVar("a", "float", "x");
    const NcmpiVar b = file.addVar("b", ncmpiInt, x),
                   c = file.addVar("c", "short", std::vector<std::string>{ "time", "x" });
    NcmpiVar d = file.addVar("d", NC_INT64, { time, x }), none;
    SAME(file.getVarCount(), 5);
    SAME(file.getVarCount(NcmpiGroup::Children), 0);
    SAME(file.getRecVarCount(), 2);
    SAME(file.getFixVarCount(), 3);
    SAME(names(file.getVars()), "a b c d scalar ");
    HOLDS(file.getVars("a").size() == 1);
    HOLDS(file.getVars("z").empty() && file.getVar("z").isNull() &&
          file.getVar("a", NcmpiGroup::Parents).isNull());
    HOLDS(file.getVar("c") == c && a != b && a < b && b > a && none.isNull() && none == NcmpiVar() &&
          none != a);
    HOLDS(none.getType().isNull() && none.getParentGroup().isNull() && a.getParentGroup() == file);
    SAME(d.getId(), 4);
    SAME(scalar.getDimCount(), 0);
    HOLDS(scalar.getDims().empty() && c.getDims() == d.getDims() && c.getDim(0) == time && c.getDim(1) == x);
    THROWS(NcBadDim, NC_EBADDIM, "variable c: 2 dimensions, none with the number 2", c.getDim(2));
    THROWS(NcBadDim, NC_EBADDIM, "number -1", c.getDim(-1));
    SAME(name_by_second_unit(c), "c");
    b.rename("other");
    SAME(b.getName(), "other");
    THROWS(NcNullType, 0, (path + ": variable e: there is no type real").c_str(),
           file.addVar("e", "real", "x"));
    THROWS(NcNullDim, 0, "variable e: there is no dimension y", file.addVar("e", "int", "y"));
    THROWS(NcNullDim, 0, "dimensions is null", file.addVar("e", ncmpiInt, NcmpiDim()));
    THROWS(NcNullType, 0, "type is null", file.addVar("e", NcmpiType()));
    file.enddef();
    SAME(file.getRecSize(), 3 * 8 + 8); // shorts of a record are padded to 4 bytes
    MPI_Offset at = 0;
    d.Inq_file_offset(&at);
    HOLDS(at > 0);
    {
        // A dimension of another file stands for the one of its name.
        NcmpiFile second(MPI_COMM_WORLD, path + "2", NcmpiFile::replace);
        second.addDim("unused", 1);
        const NcmpiDim mine = second.addDim("x", 5);
        const NcmpiVar var = second.addVar("a", ncmpiInt, x);
        HOLDS(var.getDim(0) == mine && var.getDim(0) != x && var.getId() == scalar.getId() && var != scalar);
        THROWS(NcNullDim, 0, "no dimension time", second.addVar("t", ncmpiInt, time));
    }
    ncmpi_delete((path + "2").c_str(), MPI_INFO_NULL);
}

// What netCDF-4 has and this format has not.
void storage_of_variables()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", 3));
    std::vector<MPI_Offset> chunks(1, 3);
    NcmpiVar::ChunkMode chunking = NcmpiVar::ncmpi_CHUNKED;
    bool shuffle = true, deflate = true;
    int level = 5;
    v.setChunking(NcmpiVar::ncmpi_CONTIGUOUS, chunks);
    v.getChunkingParameters(chunking, chunks);
    HOLDS(chunking == NcmpiVar::ncmpi_CONTIGUOUS && chunks == std::vector<MPI_Offset>(1, 0));
    v.setCompression(false, false, 9);
    v.getCompressionParameters(shuffle, deflate, level);
    HOLDS(!shuffle && !deflate && level == 0);
    v.setEndianness(NcmpiVar::ncmpi_ENDIAN_BIG);
    v.setChecksum(NcmpiVar::ncmpi_NOCHECKSUM);
    HOLDS(v.getEndianness() == NcmpiVar::ncmpi_ENDIAN_BIG && v.getChecksum() == NcmpiVar::ncmpi_NOCHECKSUM);
    THROWS(NcNotNc4, NC_ENOTNC4, "contiguous", v.setChunking(NcmpiVar::ncmpi_CHUNKED, chunks));
    THROWS(NcNotNc4, NC_ENOTNC4, "not compressed", v.setCompression(false, true, 1));
    THROWS(NcNotNc4, NC_ENOTNC4, "big-endian", v.setEndianness(NcmpiVar::ncmpi_ENDIAN_LITTLE));
    THROWS(NcNotNc4, NC_ENOTNC4, "Fletcher32", v.setChecksum(NcmpiVar::ncmpi_FLETCHER32));
    THROWS(NcNotNc4, NC_ENOTNC4, "classic file", v.setZstandard(1));
    THROWS(NcNotNc4, NC_ENOTNC4, "classic file", v.setSzip(32, 8));
    int mode = 0, digits = 0;
    const NcmpiVar f = file.addVar("f", ncmpiFloat);
    f.setQuantize(3, 9);
    f.getQuantizeParameters(mode, digits);
    HOLDS(mode == 3 && digits == 9);
}

struct Stored {
    NcmpiVar::ChunkMode chunking;
    std::vector<MPI_Offset> chunks;
    bool shuffle, deflate, zstd;
    int level, zstd_level, mask, pixels;
    NcmpiVar::ChecksumMode sum;
};

Stored stored(const NcmpiVar &v)
{
    Stored s;
    v.getChunkingParameters(s.chunking, s.chunks);
    v.getCompressionParameters(s.shuffle, s.deflate, s.level);
    v.getZstandardParameters(s.zstd, s.zstd_level);
    v.getSzipParameters(s.mask, s.pixels);
    s.sum = v.getChecksum();
    return s;
}

void check_stored(const NcmpiFile &file)
{
    const Stored d = stored(file.getVar("deflated")), z = stored(file.getVar("zstd")),
                 s = stored(file.getVar("szip")), c = stored(file.getVar("contiguous"));
    HOLDS(d.chunking == NcmpiVar::ncmpi_CHUNKED && d.chunks == (std::vector<MPI_Offset>{ 2, 3 }));
    HOLDS(d.shuffle && d.deflate && d.level == 4 && !d.zstd && d.mask == 0 &&
          d.sum == NcmpiVar::ncmpi_FLETCHER32);
    HOLDS(z.chunking == NcmpiVar::ncmpi_CHUNKED && !z.deflate && z.zstd && z.zstd_level == 5);
    HOLDS(s.mask == 32 && s.pixels == 4 && s.sum == NcmpiVar::ncmpi_NOCHECKSUM);
    HOLDS(c.chunking == NcmpiVar::ncmpi_CONTIGUOUS && c.chunks == std::vector<MPI_Offset>(2, 0) &&
          !c.shuffle && !c.zstd);
    HOLDS(file.getVar("zstd").getEndianness() == NcmpiVar::ncmpi_ENDIAN_NATIVE);
}

// A library without the part or the plug-ins says so when such a file is made.
bool has_netcdf4()
{
    try {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::nc4);
    } catch (const exceptions::NcmpiException &e) {
        HOLDS(e.errorCode() == NC_ENOTBUILT);
        return false;
    }
    return true;
}

void storage_of_netcdf4()
{
    const NcmpiFile::FileFormat formats[] = { NcmpiFile::nc4, NcmpiFile::nc4classic };
    for (NcmpiFile::FileFormat format : formats) {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, format);
        const std::vector<NcmpiDim> dims = { file.addDim("y", 4), file.addDim("x", 6) };
        const NcmpiVar d = file.addVar("deflated", ncmpiInt, dims), z = file.addVar("zstd", ncmpiShort, dims),
                       s = file.addVar("szip", ncmpiFloat, dims),
                       c = file.addVar("contiguous", ncmpiInt, dims);
        std::vector<MPI_Offset> chunks = { 2, 3 }, none, few = { 2 };
        d.setChunking(NcmpiVar::ncmpi_CHUNKED, chunks);
        d.setCompression(true, true, 4);
        d.setChecksum(NcmpiVar::ncmpi_FLETCHER32);
        z.setChunking(NcmpiVar::ncmpi_CHUNKED, none);
        z.setZstandard(5);
        s.setSzip(32, 4);
        c.setChunking(NcmpiVar::ncmpi_CONTIGUOUS, none);
        c.setEndianness(NcmpiVar::ncmpi_ENDIAN_NATIVE);
        THROWS(NcBadDim, NC_EBADDIM, "each dimension", d.setChunking(NcmpiVar::ncmpi_CHUNKED, few));
        THROWS(NcInvalidArg, NC_EINVAL, "order of bytes", c.setEndianness(NcmpiVar::ncmpi_ENDIAN_BIG));
        THROWS(NcInvalidArg, NC_EINVAL, "levels", d.setCompression(true, true, 10));
        file.enddef();
        HOLDS(file.getFormat() == format);
        check_stored(file);
        THROWS(NcElateDef, NC_ELATEDEF, "first enddef", d.setCompression(true, true, 1));
        std::vector<int> values(24);
        for (int i = 0; i < 24; i++)
            values[static_cast<std::size_t>(i)] = i;
        d.putVar_all(values.data());
        file.close();
        NcmpiFile again(MPI_COMM_WORLD, path, NcmpiFile::read);
        check_stored(again);
        std::vector<int> got(24);
        again.getVar("deflated").getVar_all(got.data());
        HOLDS(got == values);
    }
}

// Does a call compile? A function that is deleted counts as one that is not there.
template <class Values>
constexpr auto reads(int) -> decltype(std::declval<NcmpiGroupAtt>().getValues(std::declval<Values>()), true)
{
    return true;
}
template <class Values> constexpr bool reads(...)
{
    return false;
}

template <class Group>
constexpr auto puts(int)
    -> decltype(std::declval<Group>().putAtt("a", MPI_Offset(1), std::declval<const char **>()), true)
{
    return true;
}
template <class Group> constexpr bool puts(...)
{
    return false;
}

template <class T> bool has(const NcmpiAtt &att, const std::vector<T> &wanted)
{
    std::vector<T> got(wanted.size());
    att.getValues(got.data());
    return got == wanted && att.getAttLength() == static_cast<MPI_Offset>(wanted.size());
}

// Arrays and single values of a type, of the file and of a variable.
template <class T, class Where>
void number(const Where &where, const NcmpiType &type, T largest = std::numeric_limits<T>::max())
{
    const std::vector<T> values = { 1, 2, largest };
    const auto att = where.putAtt("numbers", type, 3, values.data());
    HOLDS(att.getType() == type && has(att, values) && where.getAtt("numbers") == att);
}

template <class T, class Where>
void single(const Where &where, const NcmpiType &type, T largest = std::numeric_limits<T>::max())
{
    number<T>(where, type, largest);
    HOLDS(has(where.putAtt("single", type, largest), std::vector<T>(1, largest)));
}

template <class Where> void attributes_of(const Where &where)
{
    const int before = where.getAttCount();
    const auto text = where.putAtt("text", "some text");
    std::string words;
    text.getValues(words);
    SAME(words, "some text");
    SAME(text.getAttLength(), 9);
    HOLDS(has(text, std::vector<char>{ 's', 'o', 'm', 'e', ' ', 't', 'e', 'x', 't' }) &&
          text.getType() == ncmpiChar);
    where.putAtt("text", std::string("a\0b", 3)).getValues(words); // all bytes
    SAME(words, std::string("a\0b", 3));
    where.putAtt("empty", "").getValues(words);
    SAME(words, "");
    number<signed char>(where, ncmpiByte);
    number<unsigned char>(where, ncmpiUbyte);
    single<short>(where, ncmpiShort);
    single<unsigned short>(where, ncmpiUshort);
    single<int>(where, ncmpiInt);
    single<unsigned int>(where, ncmpiUint);
    single<long>(where, ncmpiInt64);
    single<long long>(where, ncmpiInt64);
    single<unsigned long long>(where, ncmpiUint64);
    single<float>(where, ncmpiFloat);
    single<double>(where, ncmpiDouble);
    single<double>(where, ncmpiShort, 7); // converted both ways
    const int raw[] = { 4, 5 };
    int again[2] = { 0, 0 };
    where.putAtt("raw", ncmpiInt, 2, static_cast<const void *>(raw)).getValues(static_cast<void *>(again));
    HOLDS(std::equal(raw, raw + 2, again));
    SAME(where.getAttCount(), before + 5);
    SAME(static_cast<int>(where.getAtts().size()), where.getAttCount());
}

void attributes()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::classic5);
    const NcmpiVar v = file.addVar("v", ncmpiInt), w = file.addVar("w", ncmpiInt);
    attributes_of(file);
    attributes_of(v);
    SAME(names(file.getAtts()), "empty numbers raw single text ");
    HOLDS(file.getAtts("raw").size() == 1);
    SAME(file.getAttCount(NcmpiGroup::Parents), 0);
    HOLDS(file.getAtts("z").empty() && file.getAtt("z").isNull() &&
          file.getAtt("raw", NcmpiGroup::Children).isNull());
    THROWS(NcNotAtt, NC_ENOTATT, "z", v.getAtt("z"));
    const NcmpiGroupAtt g = file.getAtt("text"), none;
    NcmpiVarAtt a = v.getAtt("text"), b(file, v, 0), copy;
    SAME(g.getName(), "text");
    HOLDS(a == b && a.getParentVar() == v && a.getParentGroup() == file && g.getParentGroup() == file);
    HOLDS(none.isNull() && none == NcmpiGroupAtt() && copy.isNull() && copy != a &&
          copy.getParentVar().isNull());
    HOLDS(NcmpiGroupAtt(file, 0) == g && static_cast<const NcmpiAtt &>(g) != a);
    copy = w.putAtt("text", "other");
    HOLDS(copy != a && a < copy && copy > a && v.getAtt("empty") < a);
    std::string words;
    THROWS(NcmpiChar, NC_ECHAR, "", file.getAtt("raw").getValues(words)); // numbers are no text
    HOLDS((std::is_abstract<NcmpiAtt>::value));
    HOLDS(reads<int *>(0) && reads<void *>(0) && !reads<char **>(0)); // there are no strings
    HOLDS(!puts<NcmpiGroup>(0));
}

void fill_values()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    NcmpiFile::FillMode old = NcmpiFile::Bad;
    file.set_fill(NcmpiFile::Fill, &old);
    HOLDS(old == NcmpiFile::NoFill);
    const NcmpiDim time = file.addDim("time"), x = file.addDim("x", 3);
    const NcmpiVar a = file.addVar("a", ncmpiInt, { time, x }), b = file.addVar("b", ncmpiInt, x),
                   c = file.addVar("c", ncmpiDouble);
    const int mine = -9;
    int value = 0, values[3] = { 1, 1, 1 };
    bool fills = false;
    a.setFill(true, &mine);
    c.setFill(false);
    a.getFillModeParameters(fills, &value);
    HOLDS(fills && value == mine);
    value = 0;
    a.getFillModeParameters(fills, value);
    HOLDS(value == mine);
    value = 0;
    int *pointer = &value;
    a.getFillModeParameters(fills, pointer); // the pointer leads to the value
    HOLDS(value == mine && pointer == &value);
    c.getFillModeParameters(fills);
    HOLDS(!fills);
    float narrow = 0;
    THROWS(NcBadType, NC_EBADTYPE, "size", c.getFillModeParameters(fills, narrow));
    a.fillRec(1); // leaves define mode
    a.getVar_all({ 1, 0 }, { 1, 3 }, values);
    HOLDS(values[0] == mine && values[2] == mine && time.getSize() == 2);
    b.getVar_all(values);
    HOLDS(values[1] == NC_FILL_INT);
}

std::string hint_of(NcmpiFile &file, const char *hint)
{
    MPI_Info used;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    file.Inq_file_info(&used);
    MPI_Info_get(used, hint, MPI_MAX_INFO_VAL, value, &found);
    MPI_Info_free(&used);
    return value;
}

void files()
{
    const NcmpiFile::FileFormat formats[] = { NcmpiFile::classic, NcmpiFile::classic2, NcmpiFile::classic5 };
    for (NcmpiFile::FileFormat format : formats) {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, format);
        HOLDS(file.getFormat() == format);
    }
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_var_align_size", "512");
    {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, info), none;
        HOLDS(file.getFormat() == NcmpiFile::classic && none.isNull() && !file.isNull());
        file.addVar("v", ncmpiInt, file.addDim("x", 2));
        SAME(hint_of(file, "nc_var_align_size"), "512");
        file.enddef();
        file.redef();
        THROWS(NcInDefineMode, NC_EINDEFINE, "redef", file.redef());
        ncmpiCheckDefineMode(file.getId()); // is in it already
        ncmpiCheckDataMode(file.getId());
        THROWS(NcNotInDefineMode, NC_ENOTINDEFINE, "enddef", file.enddef());
        ncmpiCheckDataMode(file.getId());
        ncmpiCheckDefineMode(file.getId());
        file.flush(); // in any mode
        file.sync();  // leaves define mode
        THROWS(NcNotInDefineMode, NC_ENOTINDEFINE, "enddef", file.enddef());
        MPI_Offset size = 0, extent = 0, moved = -1, before = -1;
        int length = 0;
        std::vector<char> name(4096);
        file.Inq_header_size(&size);
        file.Inq_header_extent(&extent);
        HOLDS(size > 0 && size < 512 && extent % 512 == 0 && extent > 0); // as the hint says
        file.Inq_path(&length, name.data());
        SAME(std::string(name.data()), path);
        SAME(length, static_cast<int>(path.size()));
        int values[2] = { 3, 4 };
        file.Inq_put_size(&before);
        file.getVar("v").putVar_all(values);
        file.Inq_put_size(&moved);
        HOLDS(moved >= before + 8);
        file.Inq_get_size(&before);
        file.getVar("v").getVar_all(values);
        file.Inq_get_size(&moved);
        HOLDS(moved >= before + 8);
    }
    THROWS(NcExist, NC_EEXIST, path.c_str(), NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::newFile));
    {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::read, NcmpiFile::classic5);
        const int values[2] = { 0, 0 };
        THROWS(NcInvalidWrite, NC_EPERM, "reading", file.getVar("v").putVar_all(values));
    }
    {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::write, info);
        SAME(hint_of(file, "nc_var_align_size"), "512");
        file.putAtt("title", "a title"); // enters define mode, which data leaves
        int values[2] = { 0, 0 };
        file.getVar("v").getVar_all(values);
        HOLDS(values[0] == 3 && values[1] == 4);
    }
    MPI_Info_free(&info);
    THROWS(NcNotNCF, NC_ENOTNC, (path + ": BadFormat").c_str(),
           NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::BadFormat));
    HOLDS((!std::is_copy_constructible<NcmpiFile>::value && !std::is_copy_assignable<NcmpiFile>::value));
    HOLDS((!std::is_constructible<NcmpiFile, NcmpiGroup>::value &&
           std::is_nothrow_destructible<NcmpiFile>::value));
}

// Who owns a file, and when it is closed.
void ends_of_files()
{
    int open = -1;
    NcmpiVar left;
    {
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
        left = file.addVar("v", ncmpiInt);
        NcmpiFile moved(std::move(file)), assigned;
        HOLDS(file.isNull() && !moved.isNull());
        assigned = std::move(moved);
        HOLDS(moved.isNull() && !assigned.isNull());
        SAME(left.getName(), "v");
        ncmpi_inq_files_opened(&open, NULL);
        SAME(open, 1);
    }
    ncmpi_inq_files_opened(&open, NULL);
    SAME(open, 0);
    THROWS(NcBadId, NC_EBADID, "", left.getName()); // a name of what is closed
    try {                                           // an exception closes files on its way
        NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
        file.addDim("x", 1);
        file.addDim("x", 2);
    } catch (const std::exception &e) {
        HOLDS(std::string(e.what()).find("x") != std::string::npos);
    }
    ncmpi_inq_files_opened(&open, NULL);
    SAME(open, 0);
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::read);
    file = NcmpiFile(MPI_COMM_WORLD, path, NcmpiFile::read); // closes the one it had
    ncmpi_inq_files_opened(&open, NULL);
    SAME(open, 1);
    file.close();
    file.close(); // nothing is left to close
    HOLDS(file.isNull());
    THROWS(NcBadId, NC_EBADID, "", file.sync());
    THROWS(NcBadId, NC_EBADID, "", file.flush());
    THROWS(NcNullGrp, 0, "", file.getId());
}

// Pending requests: posted in define mode, canceled, waited for alone.
void requests()
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", job->ranks)),
                   w = file.addVar("w", ncmpiInt, v.getDim(0));
    const std::vector<MPI_Offset> mine(1, job->rank);
    int reqs[2], statuses[2] = { NC_EINVAL, NC_EINVAL }, pending = 0;
    v.iputVar(mine, 10 + job->rank, &reqs[0]);
    w.iputVar(mine, 1, &reqs[1]);
    file.Inq_nreqs(&pending);
    SAME(pending, 2);
    file.Cancel(1, &reqs[1], NULL);
    file.Inq_nreqs(&pending);
    SAME(pending, 1);
    file.Wait_all(1, reqs, statuses); // leaves define mode
    SAME(statuses[0], NC_NOERR);
    MPI_Offset bytes = 0;
    file.Buffer_attach(64);
    w.bputVar(mine, 20 + job->rank, &reqs[0]);
    file.Inq_buffer_size(&bytes);
    SAME(bytes, 64);
    file.Inq_buffer_usage(&bytes);
    SAME(bytes, 4);
    file.beginIndepData();
    file.Wait(1, reqs, statuses);
    file.endIndepData();
    file.Buffer_detach();
    THROWS(NcmpiException, NC_ENULLABUF, "", file.Buffer_detach());
    file.sync();
    std::vector<int> all(static_cast<std::size_t>(job->ranks));
    v.getVar_all(all.data());
    SAME(all.back(), 10 + job->ranks - 1);
    w.getVar_all(all.data());
    SAME(all.front(), 20);
}

// The functions have addresses, one for each signature, as functions that are no templates have.
void addresses()
{
    void (NcmpiVar::*put)(const std::vector<MPI_Offset> &, const std::vector<MPI_Offset> &, const float *)
        const = &NcmpiVar::putVar_all;
    void (NcmpiVar::*get)(int *) const = &NcmpiVar::getVar_all;
    std::string (NcmpiGroup::*name)(bool) const = &NcmpiGroup::getName;
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace);
    const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", 2)), scalar = file.addVar("s", ncmpiInt);
    const std::vector<MPI_Offset> nowhere; // the index of a scalar
    const float values[] = { 1, 2 };
    int got[2] = { 0, 0 };
    (v.*put)({ 0 }, { 2 }, values); // implicit conversions: lists become vectors, 2 a length
    (v.*get)(got);
    HOLDS(got[0] == 1 && got[1] == 2 && (file.*name)(false) == "/");
    v.putVar_all({ 1 }, 'c'); // a char is a number here, as in PnetCDF
    v.getVar_all({ 1 }, got);
    SAME(got[0], static_cast<int>('c'));
    scalar.putVar_all(nowhere, 8);
    scalar.getVar_all(nowhere, nowhere, got);
    SAME(got[0], 8);
}

void all(const std::string &file)
{
    path = file;
    types();
    user_types();
    groups();
    dimensions();
    variables();
    storage_of_variables();
    if (has_netcdf4())
        storage_of_netcdf4();
    attributes();
    fill_values();
    files();
    ends_of_files();
    requests();
    addresses();
}

} // namespace classes
