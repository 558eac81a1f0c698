/* ---- variables ---- */

namespace PnetCDF
{

/* A variable of an open file, or none (isNull).
 *
 * Data moves by functions whose names say how: putVar_all and getVar_all are collective; putVar and getVar need independent data mode
 * (NcmpiFile::beginIndepData); iputVar, bputVar and igetVar post a request that NcmpiFile::Wait_all completes. The arguments say what: nothing, the
 * whole variable; index, one value; start and count, a hyperslab; with stride, every n-th; with imap, memory in another order;
 * with bufcount and buftype, memory that an MPI datatype describes. ...Varn moves a list of hyperslabs. Each vector has one number for
 * each dimension: it must not be shorter. Values are converted between the type in memory and the type in the file. */
class PNETCDF_PUBLIC_API NcmpiVar
{
    typedef std::vector<MPI_Offset> Offsets; /* a number for each dimension */

  public:
    enum ChunkMode { ncmpi_CHUNKED = NC_CHUNKED, ncmpi_CONTIGUOUS = NC_CONTIGUOUS };
    enum EndianMode {
        ncmpi_ENDIAN_NATIVE = NC_ENDIAN_NATIVE,
        ncmpi_ENDIAN_LITTLE = NC_ENDIAN_LITTLE,
        ncmpi_ENDIAN_BIG = NC_ENDIAN_BIG
    };
    enum ChecksumMode { ncmpi_NOCHECKSUM = NC_NOCHECKSUM, ncmpi_FLETCHER32 = NC_FLETCHER32 };

    NcmpiVar() : nullObject(true), myId(-1), groupId() {}
    NcmpiVar(const NcmpiGroup &grp, const int &varId) : nullObject(false), myId(varId), groupId(grp.number()) {}
    NcmpiVar(const NcmpiVar &) = default;
    NcmpiVar &operator=(const NcmpiVar &) = default;

    bool operator==(const NcmpiVar &rhs) const
    {
        if (nullObject || rhs.nullObject)
            return nullObject == rhs.nullObject;
        return myId == rhs.myId && groupId == rhs.groupId;
    }
    bool operator!=(const NcmpiVar &rhs) const { return !(*this == rhs); }
    friend bool operator<(const NcmpiVar &lhs, const NcmpiVar &rhs)
    {
        return lhs.groupId != rhs.groupId ? lhs.groupId < rhs.groupId : lhs.myId < rhs.myId;
    }
    friend bool operator>(const NcmpiVar &lhs, const NcmpiVar &rhs) { return rhs < lhs; }

    std::string getName() const
    {
        char name[NC_MAX_NAME + 1];
        detail::check(ncmpi_inq_varname(groupId, myId, name));
        return name;
    }
    int getId() const { return myId; }
    NcmpiGroup getParentGroup() const { return nullObject ? NcmpiGroup() : NcmpiGroup(groupId); }
    bool isNull() const { return nullObject; }

    NcmpiType getType() const
    {
        if (nullObject)
            return NcmpiType();
        nc_type type;
        detail::check(ncmpi_inq_vartype(groupId, myId, &type));
        return NcmpiType(type);
    }

    /* Collective. In data mode, the new name must not be longer. */
    void rename(const std::string &newname) const { detail::check(ncmpi_rename_var(groupId, myId, newname.c_str())); }

    /* Where the data begins in the file, in bytes. */
    void Inq_file_offset(MPI_Offset *offset) { detail::check(ncmpi_inq_varoffset(groupId, myId, offset)); }

    /* -- dimensions -- */

    int getDimCount() const
    {
        int count;
        detail::check(ncmpi_inq_varndims(groupId, myId, &count));
        return count;
    }

    std::vector<NcmpiDim> getDims() const
    {
        std::vector<int> ids(static_cast<std::size_t>(getDimCount()));
        detail::check(ncmpi_inq_vardimid(groupId, myId, ids.data()));
        std::vector<NcmpiDim> dims;
        for (int id : ids)
            dims.push_back(NcmpiDim(NcmpiGroup(groupId), id));
        return dims;
    }

    /* Dimension number i, from 0. Throws NcBadDim if the variable has none of this number. */
    NcmpiDim getDim(int i) const
    {
        const std::vector<NcmpiDim> dims = getDims();
        if (i < 0 || static_cast<std::size_t>(i) >= dims.size())
            detail::complain<exceptions::NcBadDim>(place() + std::to_string(dims.size()) + " dimensions, none with the number " +
                                                   std::to_string(i));
        return dims[static_cast<std::size_t>(i)];
    }

    /* -- attributes -- */

    int getAttCount() const
    {
        int count;
        detail::check(ncmpi_inq_varnatts(groupId, myId, &count));
        return count;
    }

    /* Throws NcNotAtt if there is none of this name. */
    NcmpiVarAtt getAtt(const std::string &name) const
    {
        int index;
        const int code = ncmpi_inq_attid(groupId, myId, name.c_str(), &index);
        detail::check(detail::is_no_name(code) ? NC_ENOTATT : code);
        return NcmpiVarAtt(NcmpiGroup(groupId), *this, index);
    }

    std::map<std::string, NcmpiVarAtt> getAtts() const
    {
        std::map<std::string, NcmpiVarAtt> atts;
        for (int i = 0, count = getAttCount(); i < count; i++) {
            NcmpiVarAtt att(NcmpiGroup(groupId), *this, i);
            atts.insert(std::make_pair(att.getName(), att));
        }
        return atts;
    }

    /* Define an attribute, or replace it. `type` is the type in the file. Collective. */
@attributes put NcmpiVarAtt groupId myId

    /* -- fill values -- */

    /* Lets parts that nobody writes have a fill value: the one given (of the variable's type), or the default. Collective. */
    void setFill(bool fillMode, const void *fillValue = nullptr) const
    {
        detail::check(ncmpi_def_var_fill(groupId, myId, !fillMode, fillValue));
    }

    /* fillMode: are such parts filled? *fillValue gets the value, of the variable's type; NULL: not wanted. */
    void getFillModeParameters(bool &fillMode, void *fillValue = nullptr) const
    {
        int no_fill;
        detail::check(ncmpi_inq_var_fill(groupId, myId, &no_fill, fillValue));
        fillMode = no_fill == 0;
    }

    /* The same, with a variable of the right type. Throws NcBadType if it has another size. */
    template <class T> void getFillModeParameters(bool &fillMode, T &fillValue) const
    {
        unsigned char bytes[8];
        getFillModeParameters(fillMode, static_cast<void *>(bytes));
        if (getType().getSize() != static_cast<MPI_Offset>(sizeof(T)))
            detail::complain<exceptions::NcBadType>(place() + "the fill value is of type " + getType().getName() +
                                                    ", which has another size than the variable of the program");
        std::memcpy(&fillValue, bytes, sizeof(T));
    }
    template <class T> void getFillModeParameters(bool &fillMode, T *fillValue) const
    {
        getFillModeParameters(fillMode, static_cast<void *>(fillValue));
    }

    /* Fills a record, from 0. Collective. */
    void fillRec(MPI_Offset recno) const
    {
        collective([&] { return ncmpi_fill_var_rec(groupId, myId, recno); });
    }

    /* -- how netCDF-4 files store values. What is set is set before the first enddef behind addVar, by all ranks. A netCDF classic file
     * has values without gaps, big-endian, not compressed, without checksums of netCDF-4: the functions accept and tell that of it, and throw
     * NcNotNc4 if something else is asked for. -- */

    /* chunkSizes: elements along each dimension; empty: the library chooses. */
    void setChunking(ChunkMode chunkMode, std::vector<MPI_Offset> &chunkSizes) const
    {
        if (!is_netcdf4())
            return need(chunkMode == ncmpi_CONTIGUOUS);
        const std::vector<std::size_t> sizes(chunkSizes.begin(), chunkSizes.end());
        if (!sizes.empty() && sizes.size() < static_cast<std::size_t>(getDimCount()))
            detail::complain<exceptions::NcBadDim>(place() + "there is no length of a chunk for each dimension");
        detail::check(parcdf_def_var_chunking(groupId, myId, chunkMode, sizes.empty() ? nullptr : sizes.data()));
    }
    /* Without chunks, chunkSizes are 0. */
    void getChunkingParameters(ChunkMode &chunkMode, std::vector<MPI_Offset> &chunkSizes) const
    {
        std::vector<std::size_t> sizes(static_cast<std::size_t>(getDimCount()) + 1);
        int storage;
        detail::check(parcdf_inq_var_chunking(groupId, myId, &storage, sizes.data()));
        sizes.pop_back();
        chunkMode = storage == NC_CHUNKED ? ncmpi_CHUNKED : ncmpi_CONTIGUOUS;
        chunkSizes.assign(sizes.size(), 0);
        for (std::size_t i = 0; storage == NC_CHUNKED && i < sizes.size(); i++)
            chunkSizes[i] = static_cast<MPI_Offset>(sizes[i]);
    }
    void setCompression(bool enableShuffleFilter, bool enableDeflateFilter, int deflateLevel) const
    {
        if (!is_netcdf4())
            return need(!enableShuffleFilter && !enableDeflateFilter);
        detail::check(parcdf_def_var_deflate(groupId, myId, enableShuffleFilter, enableDeflateFilter, deflateLevel));
    }
    void getCompressionParameters(bool &shuffleFilterEnabled, bool &deflateFilterEnabled, int &deflateLevel) const
    {
        int shuffle, deflate;
        detail::check(parcdf_inq_var_deflate(groupId, myId, &shuffle, &deflate, &deflateLevel));
        shuffleFilterEnabled = shuffle != 0;
        deflateFilterEnabled = deflate != 0;
    }
    /* Values of a netCDF-4 file have the order of bytes of the machine, and are read in any order. */
    void setEndianness(EndianMode endianMode) const
    {
        if (!is_netcdf4())
            return need(endianMode == ncmpi_ENDIAN_BIG);
        if (endianMode != ncmpi_ENDIAN_NATIVE)
            detail::complain<exceptions::NcInvalidArg>(place() + "values get the order of bytes of the machine (ncmpi_ENDIAN_NATIVE)");
    }
    EndianMode getEndianness() const { return is_netcdf4() ? ncmpi_ENDIAN_NATIVE : ncmpi_ENDIAN_BIG; }
    void setChecksum(ChecksumMode checksumMode) const
    {
        if (!is_netcdf4())
            return need(checksumMode == ncmpi_NOCHECKSUM);
        detail::check(parcdf_def_var_fletcher32(groupId, myId, checksumMode));
    }
    ChecksumMode getChecksum() const
    {
        int fletcher32;
        detail::check(parcdf_inq_var_fletcher32(groupId, myId, &fletcher32));
        return fletcher32 ? ncmpi_FLETCHER32 : ncmpi_NOCHECKSUM;
    }

    /* Not in PnetCDF: parcdf_def_var_zstd, _szip and _quantize of parcdf.h, and their inquiries. Quantizing is for files of any format. */
    void setZstandard(int level) const { detail::check(parcdf_def_var_zstd(groupId, myId, level)); }
    void getZstandardParameters(bool &enabled, int &level) const
    {
        int zstd;
        detail::check(parcdf_inq_var_zstd(groupId, myId, &zstd, &level));
        enabled = zstd != 0;
    }
    void setSzip(int optionsMask, int pixelsPerBlock) const
    {
        detail::check(parcdf_def_var_szip(groupId, myId, optionsMask, pixelsPerBlock));
    }
    /* 0: it has none. */
    void getSzipParameters(int &optionsMask, int &pixelsPerBlock) const
    {
        detail::check(parcdf_inq_var_szip(groupId, myId, &optionsMask, &pixelsPerBlock));
    }
    void setQuantize(int mode, int digits) const { detail::check(parcdf_def_var_quantize(groupId, myId, mode, digits)); }
    void getQuantizeParameters(int &mode, int &digits) const
    {
        detail::check(parcdf_inq_var_quantize(groupId, myId, &mode, &digits));
    }

    /* -- reading -- */

@access get

    /* -- reading, posted -- */

@access iget

    /* -- writing -- */

@access put

    /* -- writing, posted: the values must stay as they are until the wait; a single value is copied -- */

@access iput

    /* -- writing, posted, from the buffer of NcmpiFile::Buffer_attach: the values are copied -- */

@access bput

    /* -- by MPI file types: the C interface returns NC_ENOTSUPPORT -- */

    void getVard(MPI_Datatype filetype, void *dataValues, MPI_Offset bufcount, MPI_Datatype buftype) const
    {
        detail::check(ncmpi_get_vard(groupId, myId, filetype, dataValues, bufcount, buftype));
    }
    void getVard_all(MPI_Datatype filetype, void *dataValues, MPI_Offset bufcount, MPI_Datatype buftype) const
    {
        detail::check(ncmpi_get_vard_all(groupId, myId, filetype, dataValues, bufcount, buftype));
    }
    void putVard(MPI_Datatype filetype, const void *dataValues, MPI_Offset bufcount, MPI_Datatype buftype) const
    {
        detail::check(ncmpi_put_vard(groupId, myId, filetype, dataValues, bufcount, buftype));
    }
    void putVard_all(MPI_Datatype filetype, const void *dataValues, MPI_Offset bufcount, MPI_Datatype buftype) const
    {
        detail::check(ncmpi_put_vard_all(groupId, myId, filetype, dataValues, bufcount, buftype));
    }

  private:
    template <class Call> void collective(Call call) const { detail::check_in_data_mode(groupId, call); }

    /* The begin of the sentence of an error. */
    std::string place() const { return detail::path_of(groupId) + ": variable " + getName() + ": "; }

    bool is_netcdf4() const
    {
        int format;
        detail::check(ncmpi_inq_format(groupId, &format));
        return format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
    }

    void need(bool is_classic) const
    {
        if (!is_classic)
            detail::complain<exceptions::NcNotNc4>(
                place() + "netCDF classic files are big-endian, contiguous, not compressed, without Fletcher32");
    }

    bool nullObject;
    int myId;
    detail::FileNumber groupId;
};

} // namespace PnetCDF
