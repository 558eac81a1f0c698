! Written by bindings/fortran/bindings.py from pnetcdf.f90.in and include/pnetcdf.h; change those.
!
! The Fortran 90 interface: use pnetcdf. Values of put and get are of any type that netCDF has and of any rank, and
! may be sections with gaps; character values have their length as the first dimension. Dimensions stand in Fortran's
! order, numbers of dimensions, variables and attributes count from 1, start counts from 1, start, count, stride and map
! are integer(kind=MPI_OFFSET_KIND). comm and info are handles of mpif.h and mpi; of mpi_f08 pass comm%MPI_VAL.
module pnetcdf
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
  implicit none
  public
  private :: c_char, c_int, c_int64_t

  integer, parameter :: pnetcdf_version_major = 1
  integer, parameter :: pnetcdf_version_minor = 15
  integer, parameter :: pnetcdf_version_sub = 0
  integer, parameter :: pnetcdf_erange_fill = 1
  integer, parameter :: pnetcdf_subfiling = 0
  integer, parameter :: pnetcdf_relax_coord_bound = 1
  integer, parameter :: pnetcdf_debug_mode = 0
  integer, parameter :: pnetcdf_profiling = 0
  integer, parameter :: pnetcdf_null_byte_header_padding = 0
  integer, parameter :: pnetcdf_byte_swap_in_place = 0
  integer, parameter :: pnetcdf_burst_buffering = 0
  integer, parameter :: pnetcdf_thread_safe = 0
  integer, parameter :: pnetcdf_driver_netcdf4 = 0
  integer, parameter :: pnetcdf_driver_adios = 0
  integer, parameter :: pnetcdf_driver_gio = 0
  integer, parameter :: nf_byte = 1
  integer, parameter :: nf_char = 2
  integer, parameter :: nf_short = 3
  integer, parameter :: nf_int = 4
  integer, parameter :: nf_float = 5
  integer, parameter :: nf_double = 6
  integer, parameter :: nf_ubyte = 7
  integer, parameter :: nf_ushort = 8
  integer, parameter :: nf_uint = 9
  integer, parameter :: nf_int64 = 10
  integer, parameter :: nf_uint64 = 11
  integer, parameter :: nf_nowrite = 0
  integer, parameter :: nf_write = 1
  integer, parameter :: nf_clobber = 0
  integer, parameter :: nf_noclobber = 4
  integer, parameter :: nf_lock = 1024
  integer, parameter :: nf_share = 2048
  integer, parameter :: nf_classic_model = 256
  integer, parameter :: nf_64bit_offset = 512
  integer, parameter :: nf_64bit_data = 32
  integer, parameter :: nf_netcdf4 = 4096
  integer, parameter :: nf_pnetcdf = 8192
  integer, parameter :: nf_mpiio = 8192
  integer, parameter :: nf_format_classic = 1
  integer, parameter :: nf_format_64bit_offset = 2
  integer, parameter :: nf_format_64bit = 2
  integer, parameter :: nf_format_64bit_data = 5
  integer, parameter :: nf_format_netcdf4 = 3
  integer, parameter :: nf_format_netcdf4_classic = 4
  integer, parameter :: nf_format_unknown = -1
  integer, parameter :: nf_fill = 0
  integer, parameter :: nf_nofill = 256
  integer, parameter :: nf_sizehint_default = 0
  integer, parameter :: nf_max_name = 256
  integer, parameter :: nf_max_nfiles = 1024
  integer, parameter :: nf_max_dims = 2147483647
  integer, parameter :: nf_max_attrs = 2147483647
  integer, parameter :: nf_max_vars = 2147483647
  integer, parameter :: nf_max_var_dims = 2147483647
  integer, parameter :: nf_req_null = -1
  integer, parameter :: nf_req_all = -1
  integer, parameter :: nf_get_req_all = -2
  integer, parameter :: nf_put_req_all = -3
  integer, parameter :: nf_count_ignore = -1
  integer, parameter :: nf_noquantize = 0
  integer, parameter :: nf_quantize_bitgroom = 1
  integer, parameter :: nf_quantize_granularbr = 2
  integer, parameter :: nf_quantize_bitround = 3
  integer, parameter :: nf_chunked = 0
  integer, parameter :: nf_contiguous = 1
  integer, parameter :: nf_noshuffle = 0
  integer, parameter :: nf_shuffle = 1
  integer, parameter :: nf_nochecksum = 0
  integer, parameter :: nf_fletcher32 = 1
  integer, parameter :: nf_szip_ec = 4
  integer, parameter :: nf_szip_nn = 32
  integer, parameter :: nf_int1 = 1
  integer, parameter :: nf_int2 = 3
  integer, parameter :: nf_int4 = 4
  integer, parameter :: nf_real = 5
  integer, parameter :: nf_real4 = 5
  integer, parameter :: nf_real8 = 6
  integer, parameter :: nf_cdf2 = 512
  integer, parameter :: nf_cdf5 = 32
  integer, parameter :: nf_format_cdf2 = 2
  integer, parameter :: nf_format_cdf5 = 5
  integer, parameter :: nf_noerr = 0
  integer, parameter :: nf2_err = -1
  integer, parameter :: nf_ebadid = -33
  integer, parameter :: nf_enfile = -34
  integer, parameter :: nf_eexist = -35
  integer, parameter :: nf_einval = -36
  integer, parameter :: nf_eperm = -37
  integer, parameter :: nf_enotindefine = -38
  integer, parameter :: nf_eindefine = -39
  integer, parameter :: nf_einvalcoords = -40
  integer, parameter :: nf_emaxdims = -41
  integer, parameter :: nf_enameinuse = -42
  integer, parameter :: nf_enotatt = -43
  integer, parameter :: nf_emaxatts = -44
  integer, parameter :: nf_ebadtype = -45
  integer, parameter :: nf_ebaddim = -46
  integer, parameter :: nf_eunlimpos = -47
  integer, parameter :: nf_emaxvars = -48
  integer, parameter :: nf_enotvar = -49
  integer, parameter :: nf_eglobal = -50
  integer, parameter :: nf_enotnc = -51
  integer, parameter :: nf_ests = -52
  integer, parameter :: nf_emaxname = -53
  integer, parameter :: nf_eunlimit = -54
  integer, parameter :: nf_enorecvars = -55
  integer, parameter :: nf_echar = -56
  integer, parameter :: nf_eedge = -57
  integer, parameter :: nf_estride = -58
  integer, parameter :: nf_ebadname = -59
  integer, parameter :: nf_erange = -60
  integer, parameter :: nf_enomem = -61
  integer, parameter :: nf_evarsize = -62
  integer, parameter :: nf_edimsize = -63
  integer, parameter :: nf_etrunc = -64
  integer, parameter :: nf_eaxistype = -65
  integer, parameter :: nf_edap = -66
  integer, parameter :: nf_ecurl = -67
  integer, parameter :: nf_eio = -68
  integer, parameter :: nf_enodata = -69
  integer, parameter :: nf_edapsvc = -70
  integer, parameter :: nf_edas = -71
  integer, parameter :: nf_edds = -72
  integer, parameter :: nf_edatadds = -73
  integer, parameter :: nf_edapurl = -74
  integer, parameter :: nf_edapconstraint = -75
  integer, parameter :: nf_etranslation = -76
  integer, parameter :: nf_eaccess = -77
  integer, parameter :: nf_eauth = -78
  integer, parameter :: nf_enotfound = -90
  integer, parameter :: nf_ecantremove = -91
  integer, parameter :: nf_einternal = -92
  integer, parameter :: nf_epnetcdf = -93
  integer, parameter :: nf_ehdferr = -101
  integer, parameter :: nf_ecantread = -102
  integer, parameter :: nf_ecantwrite = -103
  integer, parameter :: nf_ecantcreate = -104
  integer, parameter :: nf_efilemeta = -105
  integer, parameter :: nf_edimmeta = -106
  integer, parameter :: nf_eattmeta = -107
  integer, parameter :: nf_evarmeta = -108
  integer, parameter :: nf_enocompound = -109
  integer, parameter :: nf_eattexists = -110
  integer, parameter :: nf_enotnc4 = -111
  integer, parameter :: nf_estrictnc3 = -112
  integer, parameter :: nf_enotnc3 = -113
  integer, parameter :: nf_enopar = -114
  integer, parameter :: nf_eparinit = -115
  integer, parameter :: nf_ebadgrpid = -116
  integer, parameter :: nf_ebadtypid = -117
  integer, parameter :: nf_etypdefined = -118
  integer, parameter :: nf_ebadfield = -119
  integer, parameter :: nf_ebadclass = -120
  integer, parameter :: nf_emaptype = -121
  integer, parameter :: nf_elatefill = -122
  integer, parameter :: nf_elatedef = -123
  integer, parameter :: nf_edimscale = -124
  integer, parameter :: nf_enogrp = -125
  integer, parameter :: nf_estorage = -126
  integer, parameter :: nf_ebadchunk = -127
  integer, parameter :: nf_enotbuilt = -128
  integer, parameter :: nf_ediskless = -129
  integer, parameter :: nf_ecantextend = -130
  integer, parameter :: nf_empi = -131
  integer, parameter :: nf_efilter = -132
  integer, parameter :: nf_ercfile = -133
  integer, parameter :: nf_enullpad = -134
  integer, parameter :: nf_einmemory = -135
  integer, parameter :: nf_enofilter = -136
  integer, parameter :: nf_enczarr = -137
  integer, parameter :: nf_es3 = -138
  integer, parameter :: nf_eempty = -139
  integer, parameter :: nf_eobject = -140
  integer, parameter :: nf_enoobject = -141
  integer, parameter :: nf_eplugin = -142
  integer, parameter :: nf_eurl = -74
  integer, parameter :: nf_econstraint = -75
  integer, parameter :: nf_edmr = -72
  integer, parameter :: nf_edatadap = -73
  integer, parameter :: nf_esmall = -201
  integer, parameter :: nf_enotindep = -202
  integer, parameter :: nf_eindep = -203
  integer, parameter :: nf_efile = -204
  integer, parameter :: nf_eread = -205
  integer, parameter :: nf_ewrite = -206
  integer, parameter :: nf_eofile = -207
  integer, parameter :: nf_emultitypes = -208
  integer, parameter :: nf_eiomismatch = -209
  integer, parameter :: nf_enegativecnt = -210
  integer, parameter :: nf_eunsptetype = -211
  integer, parameter :: nf_einval_request = -212
  integer, parameter :: nf_eaint_too_small = -213
  integer, parameter :: nf_enotsupport = -214
  integer, parameter :: nf_enullbuf = -215
  integer, parameter :: nf_eprevattachbuf = -216
  integer, parameter :: nf_enullabuf = -217
  integer, parameter :: nf_ependingbput = -218
  integer, parameter :: nf_einsuffbuf = -219
  integer, parameter :: nf_enoent = -220
  integer, parameter :: nf_eintoverflow = -221
  integer, parameter :: nf_enotenabled = -222
  integer, parameter :: nf_ebad_file = -223
  integer, parameter :: nf_eno_space = -224
  integer, parameter :: nf_equota = -225
  integer, parameter :: nf_enullstart = -226
  integer, parameter :: nf_enullcount = -227
  integer, parameter :: nf_einval_cmode = -228
  integer, parameter :: nf_etypesize = -229
  integer, parameter :: nf_etype_mismatch = -230
  integer, parameter :: nf_etypesize_mismatch = -231
  integer, parameter :: nf_estrictcdf2 = -232
  integer, parameter :: nf_enotrecvar = -233
  integer, parameter :: nf_enotfill = -234
  integer, parameter :: nf_einval_omode = -235
  integer, parameter :: nf_epending = -236
  integer, parameter :: nf_emax_req = -237
  integer, parameter :: nf_ebadlog = -238
  integer, parameter :: nf_eflushed = -239
  integer, parameter :: nf_eadios = -240
  integer, parameter :: nf_efstype = -241
  integer, parameter :: nf_edriver = -242
  integer, parameter :: nf_efileview = -243
  integer, parameter :: nf_emultidefine = -250
  integer, parameter :: nf_emultidefine_omode = -251
  integer, parameter :: nf_emultidefine_dim_num = -252
  integer, parameter :: nf_emultidefine_dim_size = -253
  integer, parameter :: nf_emultidefine_dim_name = -254
  integer, parameter :: nf_emultidefine_var_num = -255
  integer, parameter :: nf_emultidefine_var_name = -256
  integer, parameter :: nf_emultidefine_var_ndims = -257
  integer, parameter :: nf_emultidefine_var_dimids = -258
  integer, parameter :: nf_emultidefine_var_type = -259
  integer, parameter :: nf_emultidefine_var_len = -260
  integer, parameter :: nf_emultidefine_numrecs = -261
  integer, parameter :: nf_emultidefine_var_begin = -262
  integer, parameter :: nf_emultidefine_attr_num = -263
  integer, parameter :: nf_emultidefine_attr_size = -264
  integer, parameter :: nf_emultidefine_attr_name = -265
  integer, parameter :: nf_emultidefine_attr_type = -266
  integer, parameter :: nf_emultidefine_attr_len = -267
  integer, parameter :: nf_emultidefine_attr_val = -268
  integer, parameter :: nf_emultidefine_fnc_args = -269
  integer, parameter :: nf_emultidefine_fill_mode = -270
  integer, parameter :: nf_emultidefine_var_fill_mode = -271
  integer, parameter :: nf_emultidefine_var_fill_value = -272
  integer, parameter :: nf_emultidefine_cmode = -273
  integer, parameter :: nf_emultidefine_hints = -274
  integer, parameter :: nf_emultidefine_first = -250
  integer, parameter :: nf_emultidefine_last = -274
  integer, parameter :: nf_ecmode = -251
  integer, parameter :: nf_edims_nelems_multidefine = -252
  integer, parameter :: nf_edims_size_multidefine = -253
  integer, parameter :: nf_edims_name_multidefine = -254
  integer, parameter :: nf_evars_nelems_multidefine = -255
  integer, parameter :: nf_evars_name_multidefine = -256
  integer, parameter :: nf_evars_ndims_multidefine = -257
  integer, parameter :: nf_evars_dimids_multidefine = -258
  integer, parameter :: nf_evars_type_multidefine = -259
  integer, parameter :: nf_evars_len_multidefine = -260
  integer, parameter :: nf_enumrecs_multidefine = -261
  integer, parameter :: nf_evars_begin_multidefine = -262
  integer, parameter :: nf_erecover = -280
  integer, parameter :: nf_estale = -281
  integer, parameter :: nf_global = 0
  integer, parameter :: nf_unlimited = 0
  integer, parameter :: nf_fatal = 1
  integer, parameter :: nf_verbose = 2
  integer, parameter :: nf_align_chunk = -1
  integer, parameter :: nf_32bit = 16777216
  integer, parameter :: nf_bp = 65536
  integer, parameter :: nf_format_bp = 6
  integer, parameter :: nf_fill_byte = -127
  integer, parameter :: nf_fill_int1 = -127
  integer, parameter :: nf_fill_char = 0
  integer, parameter :: nf_fill_short = -32767
  integer, parameter :: nf_fill_int2 = -32767
  integer, parameter :: nf_fill_int = -2147483647
  real, parameter :: nf_fill_float = 9.9692099683868690e+36
  real, parameter :: nf_fill_real = 9.9692099683868690e+36
  real, parameter :: nf_fill_real4 = 9.9692099683868690e+36
  double precision, parameter :: nf_fill_double = 9.9692099683868690d+36
  double precision, parameter :: nf_fill_real8 = 9.9692099683868690d+36
  integer, parameter :: nf_fill_ubyte = 255
  integer, parameter :: nf_fill_ushort = 65535
  integer(8), parameter :: nf_fill_uint = 4294967295_8
  integer(8), parameter :: nf_fill_int64 = -9223372036854775806_8
  double precision, parameter :: nf_fill_uint64 = 1.8446744073709551614d+19
  integer, parameter :: nf90_byte = 1
  integer, parameter :: nf90_char = 2
  integer, parameter :: nf90_short = 3
  integer, parameter :: nf90_int = 4
  integer, parameter :: nf90_float = 5
  integer, parameter :: nf90_double = 6
  integer, parameter :: nf90_ubyte = 7
  integer, parameter :: nf90_ushort = 8
  integer, parameter :: nf90_uint = 9
  integer, parameter :: nf90_int64 = 10
  integer, parameter :: nf90_uint64 = 11
  integer, parameter :: nf90_nowrite = 0
  integer, parameter :: nf90_write = 1
  integer, parameter :: nf90_clobber = 0
  integer, parameter :: nf90_noclobber = 4
  integer, parameter :: nf90_lock = 1024
  integer, parameter :: nf90_share = 2048
  integer, parameter :: nf90_classic_model = 256
  integer, parameter :: nf90_64bit_offset = 512
  integer, parameter :: nf90_64bit_data = 32
  integer, parameter :: nf90_netcdf4 = 4096
  integer, parameter :: nf90_pnetcdf = 8192
  integer, parameter :: nf90_mpiio = 8192
  integer, parameter :: nf90_format_classic = 1
  integer, parameter :: nf90_format_64bit_offset = 2
  integer, parameter :: nf90_format_64bit = 2
  integer, parameter :: nf90_format_64bit_data = 5
  integer, parameter :: nf90_format_netcdf4 = 3
  integer, parameter :: nf90_format_netcdf4_classic = 4
  integer, parameter :: nf90_format_unknown = -1
  integer, parameter :: nf90_fill = 0
  integer, parameter :: nf90_nofill = 256
  integer, parameter :: nf90_sizehint_default = 0
  integer, parameter :: nf90_max_name = 256
  integer, parameter :: nf90_max_nfiles = 1024
  integer, parameter :: nf90_max_dims = 2147483647
  integer, parameter :: nf90_max_attrs = 2147483647
  integer, parameter :: nf90_max_vars = 2147483647
  integer, parameter :: nf90_max_var_dims = 2147483647
  integer, parameter :: nf90_req_null = -1
  integer, parameter :: nf90_req_all = -1
  integer, parameter :: nf90_get_req_all = -2
  integer, parameter :: nf90_put_req_all = -3
  integer, parameter :: nf90_count_ignore = -1
  integer, parameter :: nf90_noquantize = 0
  integer, parameter :: nf90_quantize_bitgroom = 1
  integer, parameter :: nf90_quantize_granularbr = 2
  integer, parameter :: nf90_quantize_bitround = 3
  integer, parameter :: nf90_chunked = 0
  integer, parameter :: nf90_contiguous = 1
  integer, parameter :: nf90_noshuffle = 0
  integer, parameter :: nf90_shuffle = 1
  integer, parameter :: nf90_nochecksum = 0
  integer, parameter :: nf90_fletcher32 = 1
  integer, parameter :: nf90_szip_ec = 4
  integer, parameter :: nf90_szip_nn = 32
  integer, parameter :: nf90_int1 = 1
  integer, parameter :: nf90_int2 = 3
  integer, parameter :: nf90_int4 = 4
  integer, parameter :: nf90_real = 5
  integer, parameter :: nf90_real4 = 5
  integer, parameter :: nf90_real8 = 6
  integer, parameter :: nf90_cdf2 = 512
  integer, parameter :: nf90_cdf5 = 32
  integer, parameter :: nf90_format_cdf2 = 2
  integer, parameter :: nf90_format_cdf5 = 5
  integer, parameter :: nf90_noerr = 0
  integer, parameter :: nf90_ebadid = -33
  integer, parameter :: nf90_enfile = -34
  integer, parameter :: nf90_eexist = -35
  integer, parameter :: nf90_einval = -36
  integer, parameter :: nf90_eperm = -37
  integer, parameter :: nf90_enotindefine = -38
  integer, parameter :: nf90_eindefine = -39
  integer, parameter :: nf90_einvalcoords = -40
  integer, parameter :: nf90_emaxdims = -41
  integer, parameter :: nf90_enameinuse = -42
  integer, parameter :: nf90_enotatt = -43
  integer, parameter :: nf90_emaxatts = -44
  integer, parameter :: nf90_ebadtype = -45
  integer, parameter :: nf90_ebaddim = -46
  integer, parameter :: nf90_eunlimpos = -47
  integer, parameter :: nf90_emaxvars = -48
  integer, parameter :: nf90_enotvar = -49
  integer, parameter :: nf90_eglobal = -50
  integer, parameter :: nf90_enotnc = -51
  integer, parameter :: nf90_ests = -52
  integer, parameter :: nf90_emaxname = -53
  integer, parameter :: nf90_eunlimit = -54
  integer, parameter :: nf90_enorecvars = -55
  integer, parameter :: nf90_echar = -56
  integer, parameter :: nf90_eedge = -57
  integer, parameter :: nf90_estride = -58
  integer, parameter :: nf90_ebadname = -59
  integer, parameter :: nf90_erange = -60
  integer, parameter :: nf90_enomem = -61
  integer, parameter :: nf90_evarsize = -62
  integer, parameter :: nf90_edimsize = -63
  integer, parameter :: nf90_etrunc = -64
  integer, parameter :: nf90_eaxistype = -65
  integer, parameter :: nf90_edap = -66
  integer, parameter :: nf90_ecurl = -67
  integer, parameter :: nf90_eio = -68
  integer, parameter :: nf90_enodata = -69
  integer, parameter :: nf90_edapsvc = -70
  integer, parameter :: nf90_edas = -71
  integer, parameter :: nf90_edds = -72
  integer, parameter :: nf90_edatadds = -73
  integer, parameter :: nf90_edapurl = -74
  integer, parameter :: nf90_edapconstraint = -75
  integer, parameter :: nf90_etranslation = -76
  integer, parameter :: nf90_eaccess = -77
  integer, parameter :: nf90_eauth = -78
  integer, parameter :: nf90_enotfound = -90
  integer, parameter :: nf90_ecantremove = -91
  integer, parameter :: nf90_einternal = -92
  integer, parameter :: nf90_epnetcdf = -93
  integer, parameter :: nf90_ehdferr = -101
  integer, parameter :: nf90_ecantread = -102
  integer, parameter :: nf90_ecantwrite = -103
  integer, parameter :: nf90_ecantcreate = -104
  integer, parameter :: nf90_efilemeta = -105
  integer, parameter :: nf90_edimmeta = -106
  integer, parameter :: nf90_eattmeta = -107
  integer, parameter :: nf90_evarmeta = -108
  integer, parameter :: nf90_enocompound = -109
  integer, parameter :: nf90_eattexists = -110
  integer, parameter :: nf90_enotnc4 = -111
  integer, parameter :: nf90_estrictnc3 = -112
  integer, parameter :: nf90_enotnc3 = -113
  integer, parameter :: nf90_enopar = -114
  integer, parameter :: nf90_eparinit = -115
  integer, parameter :: nf90_ebadgrpid = -116
  integer, parameter :: nf90_ebadtypid = -117
  integer, parameter :: nf90_etypdefined = -118
  integer, parameter :: nf90_ebadfield = -119
  integer, parameter :: nf90_ebadclass = -120
  integer, parameter :: nf90_emaptype = -121
  integer, parameter :: nf90_elatefill = -122
  integer, parameter :: nf90_elatedef = -123
  integer, parameter :: nf90_edimscale = -124
  integer, parameter :: nf90_enogrp = -125
  integer, parameter :: nf90_estorage = -126
  integer, parameter :: nf90_ebadchunk = -127
  integer, parameter :: nf90_enotbuilt = -128
  integer, parameter :: nf90_ediskless = -129
  integer, parameter :: nf90_ecantextend = -130
  integer, parameter :: nf90_empi = -131
  integer, parameter :: nf90_efilter = -132
  integer, parameter :: nf90_ercfile = -133
  integer, parameter :: nf90_enullpad = -134
  integer, parameter :: nf90_einmemory = -135
  integer, parameter :: nf90_enofilter = -136
  integer, parameter :: nf90_enczarr = -137
  integer, parameter :: nf90_es3 = -138
  integer, parameter :: nf90_eempty = -139
  integer, parameter :: nf90_eobject = -140
  integer, parameter :: nf90_enoobject = -141
  integer, parameter :: nf90_eplugin = -142
  integer, parameter :: nf90_eurl = -74
  integer, parameter :: nf90_econstraint = -75
  integer, parameter :: nf90_edmr = -72
  integer, parameter :: nf90_edatadap = -73
  integer, parameter :: nf90_esmall = -201
  integer, parameter :: nf90_enotindep = -202
  integer, parameter :: nf90_eindep = -203
  integer, parameter :: nf90_efile = -204
  integer, parameter :: nf90_eread = -205
  integer, parameter :: nf90_ewrite = -206
  integer, parameter :: nf90_eofile = -207
  integer, parameter :: nf90_emultitypes = -208
  integer, parameter :: nf90_eiomismatch = -209
  integer, parameter :: nf90_enegativecnt = -210
  integer, parameter :: nf90_eunsptetype = -211
  integer, parameter :: nf90_einval_request = -212
  integer, parameter :: nf90_eaint_too_small = -213
  integer, parameter :: nf90_enotsupport = -214
  integer, parameter :: nf90_enullbuf = -215
  integer, parameter :: nf90_eprevattachbuf = -216
  integer, parameter :: nf90_enullabuf = -217
  integer, parameter :: nf90_ependingbput = -218
  integer, parameter :: nf90_einsuffbuf = -219
  integer, parameter :: nf90_enoent = -220
  integer, parameter :: nf90_eintoverflow = -221
  integer, parameter :: nf90_enotenabled = -222
  integer, parameter :: nf90_ebad_file = -223
  integer, parameter :: nf90_eno_space = -224
  integer, parameter :: nf90_equota = -225
  integer, parameter :: nf90_enullstart = -226
  integer, parameter :: nf90_enullcount = -227
  integer, parameter :: nf90_einval_cmode = -228
  integer, parameter :: nf90_etypesize = -229
  integer, parameter :: nf90_etype_mismatch = -230
  integer, parameter :: nf90_etypesize_mismatch = -231
  integer, parameter :: nf90_estrictcdf2 = -232
  integer, parameter :: nf90_enotrecvar = -233
  integer, parameter :: nf90_enotfill = -234
  integer, parameter :: nf90_einval_omode = -235
  integer, parameter :: nf90_epending = -236
  integer, parameter :: nf90_emax_req = -237
  integer, parameter :: nf90_ebadlog = -238
  integer, parameter :: nf90_eflushed = -239
  integer, parameter :: nf90_eadios = -240
  integer, parameter :: nf90_efstype = -241
  integer, parameter :: nf90_edriver = -242
  integer, parameter :: nf90_efileview = -243
  integer, parameter :: nf90_emultidefine = -250
  integer, parameter :: nf90_emultidefine_omode = -251
  integer, parameter :: nf90_emultidefine_dim_num = -252
  integer, parameter :: nf90_emultidefine_dim_size = -253
  integer, parameter :: nf90_emultidefine_dim_name = -254
  integer, parameter :: nf90_emultidefine_var_num = -255
  integer, parameter :: nf90_emultidefine_var_name = -256
  integer, parameter :: nf90_emultidefine_var_ndims = -257
  integer, parameter :: nf90_emultidefine_var_dimids = -258
  integer, parameter :: nf90_emultidefine_var_type = -259
  integer, parameter :: nf90_emultidefine_var_len = -260
  integer, parameter :: nf90_emultidefine_numrecs = -261
  integer, parameter :: nf90_emultidefine_var_begin = -262
  integer, parameter :: nf90_emultidefine_attr_num = -263
  integer, parameter :: nf90_emultidefine_attr_size = -264
  integer, parameter :: nf90_emultidefine_attr_name = -265
  integer, parameter :: nf90_emultidefine_attr_type = -266
  integer, parameter :: nf90_emultidefine_attr_len = -267
  integer, parameter :: nf90_emultidefine_attr_val = -268
  integer, parameter :: nf90_emultidefine_fnc_args = -269
  integer, parameter :: nf90_emultidefine_fill_mode = -270
  integer, parameter :: nf90_emultidefine_var_fill_mode = -271
  integer, parameter :: nf90_emultidefine_var_fill_value = -272
  integer, parameter :: nf90_emultidefine_cmode = -273
  integer, parameter :: nf90_emultidefine_hints = -274
  integer, parameter :: nf90_emultidefine_first = -250
  integer, parameter :: nf90_emultidefine_last = -274
  integer, parameter :: nf90_ecmode = -251
  integer, parameter :: nf90_edims_nelems_multidefine = -252
  integer, parameter :: nf90_edims_size_multidefine = -253
  integer, parameter :: nf90_edims_name_multidefine = -254
  integer, parameter :: nf90_evars_nelems_multidefine = -255
  integer, parameter :: nf90_evars_name_multidefine = -256
  integer, parameter :: nf90_evars_ndims_multidefine = -257
  integer, parameter :: nf90_evars_dimids_multidefine = -258
  integer, parameter :: nf90_evars_type_multidefine = -259
  integer, parameter :: nf90_evars_len_multidefine = -260
  integer, parameter :: nf90_enumrecs_multidefine = -261
  integer, parameter :: nf90_evars_begin_multidefine = -262
  integer, parameter :: nf90_erecover = -280
  integer, parameter :: nf90_estale = -281
  integer, parameter :: nf90_global = 0
  integer, parameter :: nf90_unlimited = 0
  integer, parameter :: nf90_fatal = 1
  integer, parameter :: nf90_verbose = 2
  integer, parameter :: nf90_align_chunk = -1
  integer, parameter :: nf90_32bit = 16777216
  integer, parameter :: nf90_bp = 65536
  integer, parameter :: nf90_format_bp = 6
  integer(1), parameter :: nf90_fill_byte = -127
  integer(1), parameter :: nf90_fill_int1 = -127
  integer(1), parameter :: nf90_fill_char = 0
  integer(2), parameter :: nf90_fill_short = -32767
  integer(2), parameter :: nf90_fill_int2 = -32767
  integer, parameter :: nf90_fill_int = -2147483647
  real, parameter :: nf90_fill_float = 9.9692099683868690e+36
  real, parameter :: nf90_fill_real = 9.9692099683868690e+36
  real, parameter :: nf90_fill_real4 = 9.9692099683868690e+36
  double precision, parameter :: nf90_fill_double = 9.9692099683868690d+36
  double precision, parameter :: nf90_fill_real8 = 9.9692099683868690d+36
  integer(2), parameter :: nf90_fill_ubyte = 255
  integer, parameter :: nf90_fill_ushort = 65535
  integer(8), parameter :: nf90_fill_uint = 4294967295_8
  integer(8), parameter :: nf90_fill_int64 = -9223372036854775806_8
  double precision, parameter :: nf90_fill_uint64 = 1.8446744073709551614d+19
  integer(8), parameter :: nfmpi_unlimited = 0
  integer(8), parameter :: nf90mpi_unlimited = 0

  integer, external :: nfmpi_def_var_fill
  integer, external :: nfmpi_inq_var_fill
  integer, external :: nfmpi_put_att
  integer, external :: nfmpi_get_att
  integer, external :: nfmpi_put_var
  integer, external :: nfmpi_put_var_all
  integer, external :: nfmpi_put_var1
  integer, external :: nfmpi_put_var1_all
  integer, external :: nfmpi_put_vara
  integer, external :: nfmpi_put_vara_all
  integer, external :: nfmpi_put_vars
  integer, external :: nfmpi_put_vars_all
  integer, external :: nfmpi_put_varm
  integer, external :: nfmpi_put_varm_all
  integer, external :: nfmpi_put_varn
  integer, external :: nfmpi_put_varn_all
  integer, external :: nfmpi_get_var
  integer, external :: nfmpi_get_var_all
  integer, external :: nfmpi_get_var1
  integer, external :: nfmpi_get_var1_all
  integer, external :: nfmpi_get_vara
  integer, external :: nfmpi_get_vara_all
  integer, external :: nfmpi_get_vars
  integer, external :: nfmpi_get_vars_all
  integer, external :: nfmpi_get_varm
  integer, external :: nfmpi_get_varm_all
  integer, external :: nfmpi_get_varn
  integer, external :: nfmpi_get_varn_all
  integer, external :: nfmpi_put_vard
  integer, external :: nfmpi_put_vard_all
  integer, external :: nfmpi_get_vard
  integer, external :: nfmpi_get_vard_all
  integer, external :: nfmpi_iput_var
  integer, external :: nfmpi_iput_var1
  integer, external :: nfmpi_iput_vara
  integer, external :: nfmpi_iput_vars
  integer, external :: nfmpi_iput_varm
  integer, external :: nfmpi_iput_varn
  integer, external :: nfmpi_iget_var
  integer, external :: nfmpi_iget_var1
  integer, external :: nfmpi_iget_vara
  integer, external :: nfmpi_iget_vars
  integer, external :: nfmpi_iget_varm
  integer, external :: nfmpi_iget_varn
  integer, external :: nfmpi_bput_var
  integer, external :: nfmpi_bput_var1
  integer, external :: nfmpi_bput_vara
  integer, external :: nfmpi_bput_vars
  integer, external :: nfmpi_bput_varm
  integer, external :: nfmpi_bput_varn

  interface
    integer function nfmpi_create(comm, path, cmode, info, ncid)
      integer, intent(in) :: comm
      character(len=*), intent(in) :: path
      integer, intent(in) :: cmode
      integer, intent(in) :: info
      integer, intent(out) :: ncid
    end function nfmpi_create
    integer function nfmpi_open(comm, path, omode, info, ncid)
      integer, intent(in) :: comm
      character(len=*), intent(in) :: path
      integer, intent(in) :: omode
      integer, intent(in) :: info
      integer, intent(out) :: ncid
    end function nfmpi_open
    integer function nfmpi_close(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_close
    integer function nfmpi_abort(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_abort
    integer function nfmpi_enddef(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_enddef
    integer function nfmpi__enddef(ncid, h_minfree, v_align, v_minfree, r_align)
      integer, intent(in) :: ncid
      integer(8), intent(in) :: h_minfree
      integer(8), intent(in) :: v_align
      integer(8), intent(in) :: v_minfree
      integer(8), intent(in) :: r_align
    end function nfmpi__enddef
    integer function nfmpi_redef(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_redef
    integer function nfmpi_sync(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_sync
    integer function nfmpi_flush(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_flush
    integer function nfmpi_sync_numrecs(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_sync_numrecs
    integer function nfmpi_begin_indep_data(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_begin_indep_data
    integer function nfmpi_end_indep_data(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_end_indep_data
    integer function nfmpi_delete(filename, info)
      character(len=*), intent(in) :: filename
      integer, intent(in) :: info
    end function nfmpi_delete
    integer function nfmpi_set_default_format(format, old_format)
      integer, intent(in) :: format
      integer, intent(out) :: old_format
    end function nfmpi_set_default_format
    integer function nfmpi_inq_default_format(format)
      integer, intent(out) :: format
    end function nfmpi_inq_default_format
    integer function nfmpi_inq_file_format(filename, format)
      character(len=*), intent(in) :: filename
      integer, intent(out) :: format
    end function nfmpi_inq_file_format
    integer function nfmpi_inq_files_opened(num, ncids)
      integer, intent(out) :: num
      integer, intent(inout) :: ncids(*)
    end function nfmpi_inq_files_opened
    integer function nfmpi_inq(ncid, ndims, nvars, ngatts, unlimdimid)
      integer, intent(in) :: ncid
      integer, intent(out) :: ndims
      integer, intent(out) :: nvars
      integer, intent(out) :: ngatts
      integer, intent(out) :: unlimdimid
    end function nfmpi_inq
    integer function nfmpi_inq_ndims(ncid, ndims)
      integer, intent(in) :: ncid
      integer, intent(out) :: ndims
    end function nfmpi_inq_ndims
    integer function nfmpi_inq_nvars(ncid, nvars)
      integer, intent(in) :: ncid
      integer, intent(out) :: nvars
    end function nfmpi_inq_nvars
    integer function nfmpi_inq_natts(ncid, ngatts)
      integer, intent(in) :: ncid
      integer, intent(out) :: ngatts
    end function nfmpi_inq_natts
    integer function nfmpi_inq_unlimdim(ncid, unlimdimid)
      integer, intent(in) :: ncid
      integer, intent(out) :: unlimdimid
    end function nfmpi_inq_unlimdim
    integer function nfmpi_inq_num_rec_vars(ncid, nvars)
      integer, intent(in) :: ncid
      integer, intent(out) :: nvars
    end function nfmpi_inq_num_rec_vars
    integer function nfmpi_inq_num_fix_vars(ncid, nvars)
      integer, intent(in) :: ncid
      integer, intent(out) :: nvars
    end function nfmpi_inq_num_fix_vars
    integer function nfmpi_inq_format(ncid, format)
      integer, intent(in) :: ncid
      integer, intent(out) :: format
    end function nfmpi_inq_format
    integer function nfmpi_inq_version(ncid, nc_mode)
      integer, intent(in) :: ncid
      integer, intent(out) :: nc_mode
    end function nfmpi_inq_version
    integer function nfmpi_inq_file_info(ncid, info_used)
      integer, intent(in) :: ncid
      integer, intent(out) :: info_used
    end function nfmpi_inq_file_info
    integer function nfmpi_get_file_info(ncid, info_used)
      integer, intent(in) :: ncid
      integer, intent(out) :: info_used
    end function nfmpi_get_file_info
    integer function nfmpi_inq_striping(ncid, striping_size, striping_count)
      integer, intent(in) :: ncid
      integer, intent(out) :: striping_size
      integer, intent(out) :: striping_count
    end function nfmpi_inq_striping
    integer function nfmpi_inq_put_size(ncid, size)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: size
    end function nfmpi_inq_put_size
    integer function nfmpi_inq_get_size(ncid, size)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: size
    end function nfmpi_inq_get_size
    integer function nfmpi_inq_header_size(ncid, size)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: size
    end function nfmpi_inq_header_size
    integer function nfmpi_inq_header_extent(ncid, extent)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: extent
    end function nfmpi_inq_header_extent
    integer function nfmpi_inq_recsize(ncid, recsize)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: recsize
    end function nfmpi_inq_recsize
    integer function nfmpi_inq_malloc_size(size)
      integer(8), intent(out) :: size
    end function nfmpi_inq_malloc_size
    integer function nfmpi_inq_malloc_max_size(size)
      integer(8), intent(out) :: size
    end function nfmpi_inq_malloc_max_size
    integer function nfmpi_inq_malloc_list()
    end function nfmpi_inq_malloc_list
    integer function nfmpi_inq_nreqs(ncid, nreqs)
      integer, intent(in) :: ncid
      integer, intent(out) :: nreqs
    end function nfmpi_inq_nreqs
    integer function nfmpi_inq_buffer_usage(ncid, usage)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: usage
    end function nfmpi_inq_buffer_usage
    integer function nfmpi_inq_buffer_size(ncid, buf_size)
      integer, intent(in) :: ncid
      integer(8), intent(out) :: buf_size
    end function nfmpi_inq_buffer_size
    integer function nfmpi_def_dim(ncid, name, len, id)
      integer, intent(in) :: ncid
      character(len=*), intent(in) :: name
      integer(8), intent(in) :: len
      integer, intent(out) :: id
    end function nfmpi_def_dim
    integer function nfmpi_rename_dim(ncid, dimid, name)
      integer, intent(in) :: ncid
      integer, intent(in) :: dimid
      character(len=*), intent(in) :: name
    end function nfmpi_rename_dim
    integer function nfmpi_inq_dimid(ncid, name, id)
      integer, intent(in) :: ncid
      character(len=*), intent(in) :: name
      integer, intent(out) :: id
    end function nfmpi_inq_dimid
    integer function nfmpi_inq_dim(ncid, dimid, name, len)
      integer, intent(in) :: ncid
      integer, intent(in) :: dimid
      character(len=*), intent(out) :: name
      integer(8), intent(out) :: len
    end function nfmpi_inq_dim
    integer function nfmpi_inq_dimname(ncid, dimid, name)
      integer, intent(in) :: ncid
      integer, intent(in) :: dimid
      character(len=*), intent(out) :: name
    end function nfmpi_inq_dimname
    integer function nfmpi_inq_dimlen(ncid, dimid, len)
      integer, intent(in) :: ncid
      integer, intent(in) :: dimid
      integer(8), intent(out) :: len
    end function nfmpi_inq_dimlen
    integer function nfmpi_rename_var(ncid, varid, name)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
    end function nfmpi_rename_var
    integer function nfmpi_inq_varid(ncid, name, varid)
      integer, intent(in) :: ncid
      character(len=*), intent(in) :: name
      integer, intent(out) :: varid
    end function nfmpi_inq_varid
    integer function nfmpi_inq_varname(ncid, varid, name)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(out) :: name
    end function nfmpi_inq_varname
    integer function nfmpi_inq_vartype(ncid, varid, xtype)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: xtype
    end function nfmpi_inq_vartype
    integer function nfmpi_inq_varndims(ncid, varid, ndims)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: ndims
    end function nfmpi_inq_varndims
    integer function nfmpi_inq_varnatts(ncid, varid, natts)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: natts
    end function nfmpi_inq_varnatts
    integer function nfmpi_inq_varoffset(ncid, varid, offset)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(out) :: offset
    end function nfmpi_inq_varoffset
    integer function nfmpi_set_fill(ncid, fillmode, old_mode)
      integer, intent(in) :: ncid
      integer, intent(in) :: fillmode
      integer, intent(out) :: old_mode
    end function nfmpi_set_fill
    integer function nfmpi_fill_var_rec(ncid, varid, recno)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: recno
    end function nfmpi_fill_var_rec
    integer function nfmpi_inq_att(ncid, varid, name, xtype, len)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(out) :: xtype
      integer(8), intent(out) :: len
    end function nfmpi_inq_att
    integer function nfmpi_inq_attid(ncid, varid, name, id)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(out) :: id
    end function nfmpi_inq_attid
    integer function nfmpi_inq_atttype(ncid, varid, name, xtype)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(out) :: xtype
    end function nfmpi_inq_atttype
    integer function nfmpi_inq_attlen(ncid, varid, name, len)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer(8), intent(out) :: len
    end function nfmpi_inq_attlen
    integer function nfmpi_inq_attname(ncid, varid, attnum, name)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: attnum
      character(len=*), intent(out) :: name
    end function nfmpi_inq_attname
    integer function nfmpi_copy_att(ncid_in, varid_in, name, ncid_out, varid_out)
      integer, intent(in) :: ncid_in
      integer, intent(in) :: varid_in
      character(len=*), intent(in) :: name
      integer, intent(in) :: ncid_out
      integer, intent(in) :: varid_out
    end function nfmpi_copy_att
    integer function nfmpi_rename_att(ncid, varid, name, newname)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      character(len=*), intent(in) :: newname
    end function nfmpi_rename_att
    integer function nfmpi_del_att(ncid, varid, name)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
    end function nfmpi_del_att
    integer function nfmpi_put_att_text(ncid, varid, name, len, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer(8), intent(in) :: len
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_att_text
    integer function nfmpi_put_att_int1(ncid, varid, name, xtype, len, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(in) :: xtype
      integer(8), intent(in) :: len
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_att_int1
    integer function nfmpi_put_att_int2(ncid, varid, name, xtype, len, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(in) :: xtype
      integer(8), intent(in) :: len
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_att_int2
    integer function nfmpi_put_att_int(ncid, varid, name, xtype, len, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(in) :: xtype
      integer(8), intent(in) :: len
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_att_int
    integer function nfmpi_put_att_real(ncid, varid, name, xtype, len, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(in) :: xtype
      integer(8), intent(in) :: len
      real, intent(in) :: rvals(*)
    end function nfmpi_put_att_real
    integer function nfmpi_put_att_double(ncid, varid, name, xtype, len, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(in) :: xtype
      integer(8), intent(in) :: len
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_att_double
    integer function nfmpi_put_att_int8(ncid, varid, name, xtype, len, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(in) :: xtype
      integer(8), intent(in) :: len
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_att_int8
    integer function nfmpi_get_att_text(ncid, varid, name, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_att_text
    integer function nfmpi_get_att_int1(ncid, varid, name, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_att_int1
    integer function nfmpi_get_att_int2(ncid, varid, name, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_att_int2
    integer function nfmpi_get_att_int(ncid, varid, name, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_att_int
    integer function nfmpi_get_att_real(ncid, varid, name, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_att_real
    integer function nfmpi_get_att_double(ncid, varid, name, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_att_double
    integer function nfmpi_get_att_int8(ncid, varid, name, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: name
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_att_int8
    integer function nfmpi_put_var_text(ncid, varid, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_var_text
    integer function nfmpi_put_var_text_all(ncid, varid, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_var_text_all
    integer function nfmpi_put_var_int1(ncid, varid, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_var_int1
    integer function nfmpi_put_var_int1_all(ncid, varid, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_var_int1_all
    integer function nfmpi_put_var_int2(ncid, varid, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_var_int2
    integer function nfmpi_put_var_int2_all(ncid, varid, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_var_int2_all
    integer function nfmpi_put_var_int(ncid, varid, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_var_int
    integer function nfmpi_put_var_int_all(ncid, varid, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_var_int_all
    integer function nfmpi_put_var_real(ncid, varid, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(in) :: rvals(*)
    end function nfmpi_put_var_real
    integer function nfmpi_put_var_real_all(ncid, varid, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(in) :: rvals(*)
    end function nfmpi_put_var_real_all
    integer function nfmpi_put_var_double(ncid, varid, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_var_double
    integer function nfmpi_put_var_double_all(ncid, varid, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_var_double_all
    integer function nfmpi_put_var_int8(ncid, varid, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_var_int8
    integer function nfmpi_put_var_int8_all(ncid, varid, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_var_int8_all
    integer function nfmpi_put_var1_text(ncid, varid, index, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_var1_text
    integer function nfmpi_put_var1_text_all(ncid, varid, index, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_var1_text_all
    integer function nfmpi_put_var1_int1(ncid, varid, index, i1val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(in) :: i1val
    end function nfmpi_put_var1_int1
    integer function nfmpi_put_var1_int1_all(ncid, varid, index, i1val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(in) :: i1val
    end function nfmpi_put_var1_int1_all
    integer function nfmpi_put_var1_int2(ncid, varid, index, i2val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(in) :: i2val
    end function nfmpi_put_var1_int2
    integer function nfmpi_put_var1_int2_all(ncid, varid, index, i2val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(in) :: i2val
    end function nfmpi_put_var1_int2_all
    integer function nfmpi_put_var1_int(ncid, varid, index, ival)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(in) :: ival
    end function nfmpi_put_var1_int
    integer function nfmpi_put_var1_int_all(ncid, varid, index, ival)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(in) :: ival
    end function nfmpi_put_var1_int_all
    integer function nfmpi_put_var1_real(ncid, varid, index, rval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(in) :: rval
    end function nfmpi_put_var1_real
    integer function nfmpi_put_var1_real_all(ncid, varid, index, rval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(in) :: rval
    end function nfmpi_put_var1_real_all
    integer function nfmpi_put_var1_double(ncid, varid, index, dval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(in) :: dval
    end function nfmpi_put_var1_double
    integer function nfmpi_put_var1_double_all(ncid, varid, index, dval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(in) :: dval
    end function nfmpi_put_var1_double_all
    integer function nfmpi_put_var1_int8(ncid, varid, index, i8val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(in) :: i8val
    end function nfmpi_put_var1_int8
    integer function nfmpi_put_var1_int8_all(ncid, varid, index, i8val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(in) :: i8val
    end function nfmpi_put_var1_int8_all
    integer function nfmpi_put_vara_text(ncid, varid, start, count, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_vara_text
    integer function nfmpi_put_vara_text_all(ncid, varid, start, count, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_vara_text_all
    integer function nfmpi_put_vara_int1(ncid, varid, start, count, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_vara_int1
    integer function nfmpi_put_vara_int1_all(ncid, varid, start, count, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_vara_int1_all
    integer function nfmpi_put_vara_int2(ncid, varid, start, count, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_vara_int2
    integer function nfmpi_put_vara_int2_all(ncid, varid, start, count, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_vara_int2_all
    integer function nfmpi_put_vara_int(ncid, varid, start, count, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_vara_int
    integer function nfmpi_put_vara_int_all(ncid, varid, start, count, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_vara_int_all
    integer function nfmpi_put_vara_real(ncid, varid, start, count, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_vara_real
    integer function nfmpi_put_vara_real_all(ncid, varid, start, count, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_vara_real_all
    integer function nfmpi_put_vara_double(ncid, varid, start, count, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_vara_double
    integer function nfmpi_put_vara_double_all(ncid, varid, start, count, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_vara_double_all
    integer function nfmpi_put_vara_int8(ncid, varid, start, count, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_vara_int8
    integer function nfmpi_put_vara_int8_all(ncid, varid, start, count, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_vara_int8_all
    integer function nfmpi_put_vars_text(ncid, varid, start, count, stride, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_vars_text
    integer function nfmpi_put_vars_text_all(ncid, varid, start, count, stride, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_vars_text_all
    integer function nfmpi_put_vars_int1(ncid, varid, start, count, stride, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_vars_int1
    integer function nfmpi_put_vars_int1_all(ncid, varid, start, count, stride, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_vars_int1_all
    integer function nfmpi_put_vars_int2(ncid, varid, start, count, stride, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_vars_int2
    integer function nfmpi_put_vars_int2_all(ncid, varid, start, count, stride, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_vars_int2_all
    integer function nfmpi_put_vars_int(ncid, varid, start, count, stride, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_vars_int
    integer function nfmpi_put_vars_int_all(ncid, varid, start, count, stride, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_vars_int_all
    integer function nfmpi_put_vars_real(ncid, varid, start, count, stride, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_vars_real
    integer function nfmpi_put_vars_real_all(ncid, varid, start, count, stride, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_vars_real_all
    integer function nfmpi_put_vars_double(ncid, varid, start, count, stride, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_vars_double
    integer function nfmpi_put_vars_double_all(ncid, varid, start, count, stride, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_vars_double_all
    integer function nfmpi_put_vars_int8(ncid, varid, start, count, stride, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_vars_int8
    integer function nfmpi_put_vars_int8_all(ncid, varid, start, count, stride, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_vars_int8_all
    integer function nfmpi_put_varm_text(ncid, varid, start, count, stride, ima, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_varm_text
    integer function nfmpi_put_varm_text_all(ncid, varid, start, count, stride, ima, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_varm_text_all
    integer function nfmpi_put_varm_int1(ncid, varid, start, count, stride, ima, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_varm_int1
    integer function nfmpi_put_varm_int1_all(ncid, varid, start, count, stride, ima, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_varm_int1_all
    integer function nfmpi_put_varm_int2(ncid, varid, start, count, stride, ima, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_varm_int2
    integer function nfmpi_put_varm_int2_all(ncid, varid, start, count, stride, ima, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_varm_int2_all
    integer function nfmpi_put_varm_int(ncid, varid, start, count, stride, ima, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_varm_int
    integer function nfmpi_put_varm_int_all(ncid, varid, start, count, stride, ima, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_varm_int_all
    integer function nfmpi_put_varm_real(ncid, varid, start, count, stride, ima, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_varm_real
    integer function nfmpi_put_varm_real_all(ncid, varid, start, count, stride, ima, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_varm_real_all
    integer function nfmpi_put_varm_double(ncid, varid, start, count, stride, ima, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_varm_double
    integer function nfmpi_put_varm_double_all(ncid, varid, start, count, stride, ima, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_varm_double_all
    integer function nfmpi_put_varm_int8(ncid, varid, start, count, stride, ima, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_varm_int8
    integer function nfmpi_put_varm_int8_all(ncid, varid, start, count, stride, ima, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_varm_int8_all
    integer function nfmpi_put_varn_text(ncid, varid, num, starts, counts, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_varn_text
    integer function nfmpi_put_varn_text_all(ncid, varid, num, starts, counts, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(in) :: text(*)
    end function nfmpi_put_varn_text_all
    integer function nfmpi_put_varn_int1(ncid, varid, num, starts, counts, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_varn_int1
    integer function nfmpi_put_varn_int1_all(ncid, varid, num, starts, counts, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(in) :: i1vals(*)
    end function nfmpi_put_varn_int1_all
    integer function nfmpi_put_varn_int2(ncid, varid, num, starts, counts, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_varn_int2
    integer function nfmpi_put_varn_int2_all(ncid, varid, num, starts, counts, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(in) :: i2vals(*)
    end function nfmpi_put_varn_int2_all
    integer function nfmpi_put_varn_int(ncid, varid, num, starts, counts, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_varn_int
    integer function nfmpi_put_varn_int_all(ncid, varid, num, starts, counts, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(in) :: ivals(*)
    end function nfmpi_put_varn_int_all
    integer function nfmpi_put_varn_real(ncid, varid, num, starts, counts, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_varn_real
    integer function nfmpi_put_varn_real_all(ncid, varid, num, starts, counts, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(in) :: rvals(*)
    end function nfmpi_put_varn_real_all
    integer function nfmpi_put_varn_double(ncid, varid, num, starts, counts, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_varn_double
    integer function nfmpi_put_varn_double_all(ncid, varid, num, starts, counts, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(in) :: dvals(*)
    end function nfmpi_put_varn_double_all
    integer function nfmpi_put_varn_int8(ncid, varid, num, starts, counts, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_varn_int8
    integer function nfmpi_put_varn_int8_all(ncid, varid, num, starts, counts, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(in) :: i8vals(*)
    end function nfmpi_put_varn_int8_all
    integer function nfmpi_get_var_text(ncid, varid, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_var_text
    integer function nfmpi_get_var_text_all(ncid, varid, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_var_text_all
    integer function nfmpi_get_var_int1(ncid, varid, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_var_int1
    integer function nfmpi_get_var_int1_all(ncid, varid, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_var_int1_all
    integer function nfmpi_get_var_int2(ncid, varid, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_var_int2
    integer function nfmpi_get_var_int2_all(ncid, varid, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_var_int2_all
    integer function nfmpi_get_var_int(ncid, varid, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_var_int
    integer function nfmpi_get_var_int_all(ncid, varid, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_var_int_all
    integer function nfmpi_get_var_real(ncid, varid, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_var_real
    integer function nfmpi_get_var_real_all(ncid, varid, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_var_real_all
    integer function nfmpi_get_var_double(ncid, varid, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_var_double
    integer function nfmpi_get_var_double_all(ncid, varid, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_var_double_all
    integer function nfmpi_get_var_int8(ncid, varid, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_var_int8
    integer function nfmpi_get_var_int8_all(ncid, varid, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_var_int8_all
    integer function nfmpi_get_var1_text(ncid, varid, index, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_var1_text
    integer function nfmpi_get_var1_text_all(ncid, varid, index, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_var1_text_all
    integer function nfmpi_get_var1_int1(ncid, varid, index, i1val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(inout) :: i1val
    end function nfmpi_get_var1_int1
    integer function nfmpi_get_var1_int1_all(ncid, varid, index, i1val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(inout) :: i1val
    end function nfmpi_get_var1_int1_all
    integer function nfmpi_get_var1_int2(ncid, varid, index, i2val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(inout) :: i2val
    end function nfmpi_get_var1_int2
    integer function nfmpi_get_var1_int2_all(ncid, varid, index, i2val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(inout) :: i2val
    end function nfmpi_get_var1_int2_all
    integer function nfmpi_get_var1_int(ncid, varid, index, ival)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(inout) :: ival
    end function nfmpi_get_var1_int
    integer function nfmpi_get_var1_int_all(ncid, varid, index, ival)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(inout) :: ival
    end function nfmpi_get_var1_int_all
    integer function nfmpi_get_var1_real(ncid, varid, index, rval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(inout) :: rval
    end function nfmpi_get_var1_real
    integer function nfmpi_get_var1_real_all(ncid, varid, index, rval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(inout) :: rval
    end function nfmpi_get_var1_real_all
    integer function nfmpi_get_var1_double(ncid, varid, index, dval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(inout) :: dval
    end function nfmpi_get_var1_double
    integer function nfmpi_get_var1_double_all(ncid, varid, index, dval)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(inout) :: dval
    end function nfmpi_get_var1_double_all
    integer function nfmpi_get_var1_int8(ncid, varid, index, i8val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(inout) :: i8val
    end function nfmpi_get_var1_int8
    integer function nfmpi_get_var1_int8_all(ncid, varid, index, i8val)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(inout) :: i8val
    end function nfmpi_get_var1_int8_all
    integer function nfmpi_get_vara_text(ncid, varid, start, count, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_vara_text
    integer function nfmpi_get_vara_text_all(ncid, varid, start, count, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_vara_text_all
    integer function nfmpi_get_vara_int1(ncid, varid, start, count, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_vara_int1
    integer function nfmpi_get_vara_int1_all(ncid, varid, start, count, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_vara_int1_all
    integer function nfmpi_get_vara_int2(ncid, varid, start, count, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_vara_int2
    integer function nfmpi_get_vara_int2_all(ncid, varid, start, count, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_vara_int2_all
    integer function nfmpi_get_vara_int(ncid, varid, start, count, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_vara_int
    integer function nfmpi_get_vara_int_all(ncid, varid, start, count, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_vara_int_all
    integer function nfmpi_get_vara_real(ncid, varid, start, count, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_vara_real
    integer function nfmpi_get_vara_real_all(ncid, varid, start, count, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_vara_real_all
    integer function nfmpi_get_vara_double(ncid, varid, start, count, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_vara_double
    integer function nfmpi_get_vara_double_all(ncid, varid, start, count, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_vara_double_all
    integer function nfmpi_get_vara_int8(ncid, varid, start, count, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_vara_int8
    integer function nfmpi_get_vara_int8_all(ncid, varid, start, count, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_vara_int8_all
    integer function nfmpi_get_vars_text(ncid, varid, start, count, stride, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_vars_text
    integer function nfmpi_get_vars_text_all(ncid, varid, start, count, stride, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_vars_text_all
    integer function nfmpi_get_vars_int1(ncid, varid, start, count, stride, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_vars_int1
    integer function nfmpi_get_vars_int1_all(ncid, varid, start, count, stride, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_vars_int1_all
    integer function nfmpi_get_vars_int2(ncid, varid, start, count, stride, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_vars_int2
    integer function nfmpi_get_vars_int2_all(ncid, varid, start, count, stride, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_vars_int2_all
    integer function nfmpi_get_vars_int(ncid, varid, start, count, stride, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_vars_int
    integer function nfmpi_get_vars_int_all(ncid, varid, start, count, stride, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_vars_int_all
    integer function nfmpi_get_vars_real(ncid, varid, start, count, stride, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_vars_real
    integer function nfmpi_get_vars_real_all(ncid, varid, start, count, stride, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_vars_real_all
    integer function nfmpi_get_vars_double(ncid, varid, start, count, stride, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_vars_double
    integer function nfmpi_get_vars_double_all(ncid, varid, start, count, stride, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_vars_double_all
    integer function nfmpi_get_vars_int8(ncid, varid, start, count, stride, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_vars_int8
    integer function nfmpi_get_vars_int8_all(ncid, varid, start, count, stride, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_vars_int8_all
    integer function nfmpi_get_varm_text(ncid, varid, start, count, stride, ima, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_varm_text
    integer function nfmpi_get_varm_text_all(ncid, varid, start, count, stride, ima, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_varm_text_all
    integer function nfmpi_get_varm_int1(ncid, varid, start, count, stride, ima, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_varm_int1
    integer function nfmpi_get_varm_int1_all(ncid, varid, start, count, stride, ima, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_varm_int1_all
    integer function nfmpi_get_varm_int2(ncid, varid, start, count, stride, ima, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_varm_int2
    integer function nfmpi_get_varm_int2_all(ncid, varid, start, count, stride, ima, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_varm_int2_all
    integer function nfmpi_get_varm_int(ncid, varid, start, count, stride, ima, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_varm_int
    integer function nfmpi_get_varm_int_all(ncid, varid, start, count, stride, ima, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_varm_int_all
    integer function nfmpi_get_varm_real(ncid, varid, start, count, stride, ima, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_varm_real
    integer function nfmpi_get_varm_real_all(ncid, varid, start, count, stride, ima, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_varm_real_all
    integer function nfmpi_get_varm_double(ncid, varid, start, count, stride, ima, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_varm_double
    integer function nfmpi_get_varm_double_all(ncid, varid, start, count, stride, ima, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_varm_double_all
    integer function nfmpi_get_varm_int8(ncid, varid, start, count, stride, ima, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_varm_int8
    integer function nfmpi_get_varm_int8_all(ncid, varid, start, count, stride, ima, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_varm_int8_all
    integer function nfmpi_get_varn_text(ncid, varid, num, starts, counts, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_varn_text
    integer function nfmpi_get_varn_text_all(ncid, varid, num, starts, counts, text)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(inout) :: text(*)
    end function nfmpi_get_varn_text_all
    integer function nfmpi_get_varn_int1(ncid, varid, num, starts, counts, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_varn_int1
    integer function nfmpi_get_varn_int1_all(ncid, varid, num, starts, counts, i1vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(inout) :: i1vals(*)
    end function nfmpi_get_varn_int1_all
    integer function nfmpi_get_varn_int2(ncid, varid, num, starts, counts, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_varn_int2
    integer function nfmpi_get_varn_int2_all(ncid, varid, num, starts, counts, i2vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(inout) :: i2vals(*)
    end function nfmpi_get_varn_int2_all
    integer function nfmpi_get_varn_int(ncid, varid, num, starts, counts, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_varn_int
    integer function nfmpi_get_varn_int_all(ncid, varid, num, starts, counts, ivals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(inout) :: ivals(*)
    end function nfmpi_get_varn_int_all
    integer function nfmpi_get_varn_real(ncid, varid, num, starts, counts, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_varn_real
    integer function nfmpi_get_varn_real_all(ncid, varid, num, starts, counts, rvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(inout) :: rvals(*)
    end function nfmpi_get_varn_real_all
    integer function nfmpi_get_varn_double(ncid, varid, num, starts, counts, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_varn_double
    integer function nfmpi_get_varn_double_all(ncid, varid, num, starts, counts, dvals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(inout) :: dvals(*)
    end function nfmpi_get_varn_double_all
    integer function nfmpi_get_varn_int8(ncid, varid, num, starts, counts, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_varn_int8
    integer function nfmpi_get_varn_int8_all(ncid, varid, num, starts, counts, i8vals)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(inout) :: i8vals(*)
    end function nfmpi_get_varn_int8_all
    integer function nfmpi_iput_var_text(ncid, varid, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_text
    integer function nfmpi_iput_var_int1(ncid, varid, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_int1
    integer function nfmpi_iput_var_int2(ncid, varid, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_int2
    integer function nfmpi_iput_var_int(ncid, varid, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_int
    integer function nfmpi_iput_var_real(ncid, varid, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_real
    integer function nfmpi_iput_var_double(ncid, varid, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_double
    integer function nfmpi_iput_var_int8(ncid, varid, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var_int8
    integer function nfmpi_iput_var1_text(ncid, varid, index, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_text
    integer function nfmpi_iput_var1_int1(ncid, varid, index, i1val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(in) :: i1val
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_int1
    integer function nfmpi_iput_var1_int2(ncid, varid, index, i2val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(in) :: i2val
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_int2
    integer function nfmpi_iput_var1_int(ncid, varid, index, ival, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(in) :: ival
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_int
    integer function nfmpi_iput_var1_real(ncid, varid, index, rval, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(in) :: rval
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_real
    integer function nfmpi_iput_var1_double(ncid, varid, index, dval, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(in) :: dval
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_double
    integer function nfmpi_iput_var1_int8(ncid, varid, index, i8val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(in) :: i8val
      integer, intent(out) :: reqid
    end function nfmpi_iput_var1_int8
    integer function nfmpi_iput_vara_text(ncid, varid, start, count, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_text
    integer function nfmpi_iput_vara_int1(ncid, varid, start, count, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_int1
    integer function nfmpi_iput_vara_int2(ncid, varid, start, count, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_int2
    integer function nfmpi_iput_vara_int(ncid, varid, start, count, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_int
    integer function nfmpi_iput_vara_real(ncid, varid, start, count, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_real
    integer function nfmpi_iput_vara_double(ncid, varid, start, count, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_double
    integer function nfmpi_iput_vara_int8(ncid, varid, start, count, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vara_int8
    integer function nfmpi_iput_vars_text(ncid, varid, start, count, stride, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_text
    integer function nfmpi_iput_vars_int1(ncid, varid, start, count, stride, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_int1
    integer function nfmpi_iput_vars_int2(ncid, varid, start, count, stride, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_int2
    integer function nfmpi_iput_vars_int(ncid, varid, start, count, stride, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_int
    integer function nfmpi_iput_vars_real(ncid, varid, start, count, stride, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_real
    integer function nfmpi_iput_vars_double(ncid, varid, start, count, stride, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_double
    integer function nfmpi_iput_vars_int8(ncid, varid, start, count, stride, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_vars_int8
    integer function nfmpi_iput_varm_text(ncid, varid, start, count, stride, ima, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_text
    integer function nfmpi_iput_varm_int1(ncid, varid, start, count, stride, ima, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_int1
    integer function nfmpi_iput_varm_int2(ncid, varid, start, count, stride, ima, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_int2
    integer function nfmpi_iput_varm_int(ncid, varid, start, count, stride, ima, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_int
    integer function nfmpi_iput_varm_real(ncid, varid, start, count, stride, ima, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_real
    integer function nfmpi_iput_varm_double(ncid, varid, start, count, stride, ima, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_double
    integer function nfmpi_iput_varm_int8(ncid, varid, start, count, stride, ima, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varm_int8
    integer function nfmpi_iput_varn_text(ncid, varid, num, starts, counts, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_text
    integer function nfmpi_iput_varn_int1(ncid, varid, num, starts, counts, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_int1
    integer function nfmpi_iput_varn_int2(ncid, varid, num, starts, counts, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_int2
    integer function nfmpi_iput_varn_int(ncid, varid, num, starts, counts, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_int
    integer function nfmpi_iput_varn_real(ncid, varid, num, starts, counts, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_real
    integer function nfmpi_iput_varn_double(ncid, varid, num, starts, counts, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_double
    integer function nfmpi_iput_varn_int8(ncid, varid, num, starts, counts, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iput_varn_int8
    integer function nfmpi_iget_var_text(ncid, varid, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(inout) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_text
    integer function nfmpi_iget_var_int1(ncid, varid, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(inout) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_int1
    integer function nfmpi_iget_var_int2(ncid, varid, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(inout) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_int2
    integer function nfmpi_iget_var_int(ncid, varid, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(inout) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_int
    integer function nfmpi_iget_var_real(ncid, varid, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(inout) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_real
    integer function nfmpi_iget_var_double(ncid, varid, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(inout) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_double
    integer function nfmpi_iget_var_int8(ncid, varid, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(inout) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var_int8
    integer function nfmpi_iget_var1_text(ncid, varid, index, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(inout) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_text
    integer function nfmpi_iget_var1_int1(ncid, varid, index, i1val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(inout) :: i1val
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_int1
    integer function nfmpi_iget_var1_int2(ncid, varid, index, i2val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(inout) :: i2val
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_int2
    integer function nfmpi_iget_var1_int(ncid, varid, index, ival, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(inout) :: ival
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_int
    integer function nfmpi_iget_var1_real(ncid, varid, index, rval, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(inout) :: rval
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_real
    integer function nfmpi_iget_var1_double(ncid, varid, index, dval, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(inout) :: dval
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_double
    integer function nfmpi_iget_var1_int8(ncid, varid, index, i8val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(inout) :: i8val
      integer, intent(out) :: reqid
    end function nfmpi_iget_var1_int8
    integer function nfmpi_iget_vara_text(ncid, varid, start, count, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(inout) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_text
    integer function nfmpi_iget_vara_int1(ncid, varid, start, count, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(inout) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_int1
    integer function nfmpi_iget_vara_int2(ncid, varid, start, count, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(inout) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_int2
    integer function nfmpi_iget_vara_int(ncid, varid, start, count, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(inout) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_int
    integer function nfmpi_iget_vara_real(ncid, varid, start, count, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(inout) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_real
    integer function nfmpi_iget_vara_double(ncid, varid, start, count, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(inout) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_double
    integer function nfmpi_iget_vara_int8(ncid, varid, start, count, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(inout) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vara_int8
    integer function nfmpi_iget_vars_text(ncid, varid, start, count, stride, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(inout) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_text
    integer function nfmpi_iget_vars_int1(ncid, varid, start, count, stride, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(inout) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_int1
    integer function nfmpi_iget_vars_int2(ncid, varid, start, count, stride, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(inout) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_int2
    integer function nfmpi_iget_vars_int(ncid, varid, start, count, stride, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(inout) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_int
    integer function nfmpi_iget_vars_real(ncid, varid, start, count, stride, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(inout) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_real
    integer function nfmpi_iget_vars_double(ncid, varid, start, count, stride, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(inout) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_double
    integer function nfmpi_iget_vars_int8(ncid, varid, start, count, stride, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(inout) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_vars_int8
    integer function nfmpi_iget_varm_text(ncid, varid, start, count, stride, ima, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(inout) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_text
    integer function nfmpi_iget_varm_int1(ncid, varid, start, count, stride, ima, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(inout) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_int1
    integer function nfmpi_iget_varm_int2(ncid, varid, start, count, stride, ima, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(inout) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_int2
    integer function nfmpi_iget_varm_int(ncid, varid, start, count, stride, ima, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(inout) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_int
    integer function nfmpi_iget_varm_real(ncid, varid, start, count, stride, ima, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(inout) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_real
    integer function nfmpi_iget_varm_double(ncid, varid, start, count, stride, ima, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(inout) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_double
    integer function nfmpi_iget_varm_int8(ncid, varid, start, count, stride, ima, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(inout) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varm_int8
    integer function nfmpi_iget_varn_text(ncid, varid, num, starts, counts, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(inout) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_text
    integer function nfmpi_iget_varn_int1(ncid, varid, num, starts, counts, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(inout) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_int1
    integer function nfmpi_iget_varn_int2(ncid, varid, num, starts, counts, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(inout) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_int2
    integer function nfmpi_iget_varn_int(ncid, varid, num, starts, counts, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(inout) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_int
    integer function nfmpi_iget_varn_real(ncid, varid, num, starts, counts, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(inout) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_real
    integer function nfmpi_iget_varn_double(ncid, varid, num, starts, counts, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(inout) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_double
    integer function nfmpi_iget_varn_int8(ncid, varid, num, starts, counts, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(inout) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_iget_varn_int8
    integer function nfmpi_bput_var_text(ncid, varid, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_text
    integer function nfmpi_bput_var_int1(ncid, varid, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_int1
    integer function nfmpi_bput_var_int2(ncid, varid, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_int2
    integer function nfmpi_bput_var_int(ncid, varid, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_int
    integer function nfmpi_bput_var_real(ncid, varid, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_real
    integer function nfmpi_bput_var_double(ncid, varid, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_double
    integer function nfmpi_bput_var_int8(ncid, varid, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var_int8
    integer function nfmpi_bput_var1_text(ncid, varid, index, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_text
    integer function nfmpi_bput_var1_int1(ncid, varid, index, i1val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(1), intent(in) :: i1val
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_int1
    integer function nfmpi_bput_var1_int2(ncid, varid, index, i2val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(2), intent(in) :: i2val
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_int2
    integer function nfmpi_bput_var1_int(ncid, varid, index, ival, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer, intent(in) :: ival
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_int
    integer function nfmpi_bput_var1_real(ncid, varid, index, rval, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      real, intent(in) :: rval
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_real
    integer function nfmpi_bput_var1_double(ncid, varid, index, dval, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      double precision, intent(in) :: dval
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_double
    integer function nfmpi_bput_var1_int8(ncid, varid, index, i8val, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: index(*)
      integer(8), intent(in) :: i8val
      integer, intent(out) :: reqid
    end function nfmpi_bput_var1_int8
    integer function nfmpi_bput_vara_text(ncid, varid, start, count, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_text
    integer function nfmpi_bput_vara_int1(ncid, varid, start, count, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_int1
    integer function nfmpi_bput_vara_int2(ncid, varid, start, count, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_int2
    integer function nfmpi_bput_vara_int(ncid, varid, start, count, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_int
    integer function nfmpi_bput_vara_real(ncid, varid, start, count, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_real
    integer function nfmpi_bput_vara_double(ncid, varid, start, count, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_double
    integer function nfmpi_bput_vara_int8(ncid, varid, start, count, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vara_int8
    integer function nfmpi_bput_vars_text(ncid, varid, start, count, stride, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_text
    integer function nfmpi_bput_vars_int1(ncid, varid, start, count, stride, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_int1
    integer function nfmpi_bput_vars_int2(ncid, varid, start, count, stride, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_int2
    integer function nfmpi_bput_vars_int(ncid, varid, start, count, stride, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_int
    integer function nfmpi_bput_vars_real(ncid, varid, start, count, stride, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_real
    integer function nfmpi_bput_vars_double(ncid, varid, start, count, stride, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_double
    integer function nfmpi_bput_vars_int8(ncid, varid, start, count, stride, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_vars_int8
    integer function nfmpi_bput_varm_text(ncid, varid, start, count, stride, ima, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_text
    integer function nfmpi_bput_varm_int1(ncid, varid, start, count, stride, ima, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_int1
    integer function nfmpi_bput_varm_int2(ncid, varid, start, count, stride, ima, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_int2
    integer function nfmpi_bput_varm_int(ncid, varid, start, count, stride, ima, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_int
    integer function nfmpi_bput_varm_real(ncid, varid, start, count, stride, ima, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_real
    integer function nfmpi_bput_varm_double(ncid, varid, start, count, stride, ima, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_double
    integer function nfmpi_bput_varm_int8(ncid, varid, start, count, stride, ima, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer(8), intent(in) :: start(*)
      integer(8), intent(in) :: count(*)
      integer(8), intent(in) :: stride(*)
      integer(8), intent(in) :: ima(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varm_int8
    integer function nfmpi_bput_varn_text(ncid, varid, num, starts, counts, text, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      character(len=*), intent(in) :: text(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_text
    integer function nfmpi_bput_varn_int1(ncid, varid, num, starts, counts, i1vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(1), intent(in) :: i1vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_int1
    integer function nfmpi_bput_varn_int2(ncid, varid, num, starts, counts, i2vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(2), intent(in) :: i2vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_int2
    integer function nfmpi_bput_varn_int(ncid, varid, num, starts, counts, ivals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer, intent(in) :: ivals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_int
    integer function nfmpi_bput_varn_real(ncid, varid, num, starts, counts, rvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      real, intent(in) :: rvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_real
    integer function nfmpi_bput_varn_double(ncid, varid, num, starts, counts, dvals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      double precision, intent(in) :: dvals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_double
    integer function nfmpi_bput_varn_int8(ncid, varid, num, starts, counts, i8vals, reqid)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: num
      integer(8), intent(in) :: starts(*)
      integer(8), intent(in) :: counts(*)
      integer(8), intent(in) :: i8vals(*)
      integer, intent(out) :: reqid
    end function nfmpi_bput_varn_int8
    integer function nfmpi_wait(ncid, count, array_of_requests, array_of_statuses)
      integer, intent(in) :: ncid
      integer, intent(in) :: count
      integer, intent(inout) :: array_of_requests(*)
      integer, intent(inout) :: array_of_statuses(*)
    end function nfmpi_wait
    integer function nfmpi_wait_all(ncid, count, array_of_requests, array_of_statuses)
      integer, intent(in) :: ncid
      integer, intent(in) :: count
      integer, intent(inout) :: array_of_requests(*)
      integer, intent(inout) :: array_of_statuses(*)
    end function nfmpi_wait_all
    integer function nfmpi_cancel(ncid, num, reqs, statuses)
      integer, intent(in) :: ncid
      integer, intent(in) :: num
      integer, intent(inout) :: reqs(*)
      integer, intent(inout) :: statuses(*)
    end function nfmpi_cancel
    integer function nfmpi_buffer_attach(ncid, bufsize)
      integer, intent(in) :: ncid
      integer(8), intent(in) :: bufsize
    end function nfmpi_buffer_attach
    integer function nfmpi_buffer_detach(ncid)
      integer, intent(in) :: ncid
    end function nfmpi_buffer_detach
    integer function nfmpi_def_var_quantize(ncid, varid, quantize_mode, nsd)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: quantize_mode
      integer, intent(in) :: nsd
    end function nfmpi_def_var_quantize
    integer function nfmpi_inq_var_quantize(ncid, varid, quantize_mode, nsd)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: quantize_mode
      integer, intent(out) :: nsd
    end function nfmpi_inq_var_quantize
    integer function nfmpi_def_var_deflate(ncid, varid, shuffle, deflate, deflate_level)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: shuffle
      integer, intent(in) :: deflate
      integer, intent(in) :: deflate_level
    end function nfmpi_def_var_deflate
    integer function nfmpi_inq_var_deflate(ncid, varid, shuffle, deflate, deflate_level)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: shuffle
      integer, intent(out) :: deflate
      integer, intent(out) :: deflate_level
    end function nfmpi_inq_var_deflate
    integer function nfmpi_def_var_zstd(ncid, varid, level)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: level
    end function nfmpi_def_var_zstd
    integer function nfmpi_inq_var_zstd(ncid, varid, zstd, level)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: zstd
      integer, intent(out) :: level
    end function nfmpi_inq_var_zstd
    integer function nfmpi_def_var_szip(ncid, varid, options_mask, pixels_per_block)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: options_mask
      integer, intent(in) :: pixels_per_block
    end function nfmpi_def_var_szip
    integer function nfmpi_inq_var_szip(ncid, varid, options_mask, pixels_per_block)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: options_mask
      integer, intent(out) :: pixels_per_block
    end function nfmpi_inq_var_szip
    integer function nfmpi_def_var_fletcher32(ncid, varid, fletcher32)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(in) :: fletcher32
    end function nfmpi_def_var_fletcher32
    integer function nfmpi_inq_var_fletcher32(ncid, varid, fletcher32)
      integer, intent(in) :: ncid
      integer, intent(in) :: varid
      integer, intent(out) :: fletcher32
    end function nfmpi_inq_var_fletcher32

    character(len=80) function nfmpi_strerror(ncerr)
      integer, intent(in) :: ncerr
    end function nfmpi_strerror
    character(len=80) function nfmpi_strerrno(ncerr)
      integer, intent(in) :: ncerr
    end function nfmpi_strerrno
    character(len=80) function nfmpi_inq_libvers()
    end function nfmpi_inq_libvers
    ! What the last error of a call was about: file, variable, numbers as Fortran counts them. Padded with blanks.
    character(len=1024) function nfmpi_last_error()
    end function nfmpi_last_error
    logical function nfmpi_issyserr(ncerr)
      integer, intent(in) :: ncerr
    end function nfmpi_issyserr
    integer function nfmpi_def_var(ncid, name, xtype, ndims, dimids, varid)
      integer, intent(in) :: ncid, xtype, ndims, dimids(*)
      character(len=*), intent(in) :: name
      integer, intent(out) :: varid
    end function nfmpi_def_var
    integer function nfmpi_inq_var(ncid, varid, name, xtype, ndims, dimids, natts)
      integer, intent(in) :: ncid, varid
      character(len=*), intent(out) :: name
      integer, intent(out) :: xtype, ndims, natts
      integer, intent(inout) :: dimids(*)
    end function nfmpi_inq_var
    integer function nfmpi_inq_vardimid(ncid, varid, dimids)
      integer, intent(in) :: ncid, varid
      integer, intent(inout) :: dimids(*)
    end function nfmpi_inq_vardimid
    ! chunksizes: in the order of the variable's dimensions. parcdf's functions of netCDF-4 variables: parcdf.h
    integer function nfmpi_def_var_chunking(ncid, varid, storage, chunksizes)
      integer, intent(in) :: ncid, varid, storage, chunksizes(*)
    end function nfmpi_def_var_chunking
    integer function nfmpi_inq_var_chunking(ncid, varid, storage, chunksizes)
      integer, intent(in) :: ncid, varid
      integer, intent(out) :: storage
      integer, intent(inout) :: chunksizes(*)
    end function nfmpi_inq_var_chunking
    integer function nfmpi_inq_path(ncid, pathlen, path)
      integer, intent(in) :: ncid
      integer, intent(out) :: pathlen
      character(len=*), intent(out) :: path
    end function nfmpi_inq_path
  end interface

  ! Said before a call of an nfmpi_ function: its sentences are to name nf90mpi_ ones.
  interface
    subroutine pcdf_f90_comes() bind(C)
    end subroutine pcdf_f90_comes
  end interface

  ! ---- put and get: f90access.c ----
  interface
    integer(c_int) function nf90mpi_put_var(ncid, varid, values, start, count, stride, map, &
      bufcount, buftype) bind(C, name='pcdf_f90_put_var')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_put_var
    integer(c_int) function nf90mpi_put_var_all(ncid, varid, values, start, count, stride, map, &
      bufcount, buftype) bind(C, name='pcdf_f90_put_var_all')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_put_var_all
  end interface
  interface nf90mpi_put_varn
    integer(c_int) function pcdf_many_put_varn(ncid, varid, values, num, start, count) bind(C, &
      name='pcdf_f90_put_varn')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_put_varn
    integer(c_int) function pcdf_one_put_varn(ncid, varid, value, start) bind(C, &
      name='pcdf_f90_put_varn_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: value
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_put_varn
  end interface
  interface
  end interface
  interface nf90mpi_put_varn_all
    integer(c_int) function pcdf_many_put_varn_all(ncid, varid, values, num, start, count) bind(C, &
      name='pcdf_f90_put_varn_all')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_put_varn_all
    integer(c_int) function pcdf_one_put_varn_all(ncid, varid, value, start) bind(C, &
      name='pcdf_f90_put_varn_all_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: value
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_put_varn_all
  end interface
  interface
    integer(c_int) function nf90mpi_put_vard(ncid, varid, filetype, buf, bufcount, &
      buftype) bind(C, name='pcdf_f90_put_vard')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      integer(c_int), value :: filetype
      type(*), dimension(..), intent(in) :: buf
      integer(c_int64_t), value :: bufcount
      integer(c_int), value :: buftype
    end function nf90mpi_put_vard
    integer(c_int) function nf90mpi_put_vard_all(ncid, varid, filetype, buf, bufcount, &
      buftype) bind(C, name='pcdf_f90_put_vard_all')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      integer(c_int), value :: filetype
      type(*), dimension(..), intent(in) :: buf
      integer(c_int64_t), value :: bufcount
      integer(c_int), value :: buftype
    end function nf90mpi_put_vard_all
    integer(c_int) function nf90mpi_get_var(ncid, varid, values, start, count, stride, map, &
      bufcount, buftype) bind(C, name='pcdf_f90_get_var')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: values
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_get_var
    integer(c_int) function nf90mpi_get_var_all(ncid, varid, values, start, count, stride, map, &
      bufcount, buftype) bind(C, name='pcdf_f90_get_var_all')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: values
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_get_var_all
  end interface
  interface nf90mpi_get_varn
    integer(c_int) function pcdf_many_get_varn(ncid, varid, values, num, start, count) bind(C, &
      name='pcdf_f90_get_varn')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: values
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_get_varn
    integer(c_int) function pcdf_one_get_varn(ncid, varid, value, start) bind(C, &
      name='pcdf_f90_get_varn_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: value
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_get_varn
  end interface
  interface
  end interface
  interface nf90mpi_get_varn_all
    integer(c_int) function pcdf_many_get_varn_all(ncid, varid, values, num, start, count) bind(C, &
      name='pcdf_f90_get_varn_all')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: values
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_get_varn_all
    integer(c_int) function pcdf_one_get_varn_all(ncid, varid, value, start) bind(C, &
      name='pcdf_f90_get_varn_all_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: value
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_get_varn_all
  end interface
  interface
    integer(c_int) function nf90mpi_get_vard(ncid, varid, filetype, buf, bufcount, &
      buftype) bind(C, name='pcdf_f90_get_vard')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      integer(c_int), value :: filetype
      type(*), dimension(..), intent(inout) :: buf
      integer(c_int64_t), value :: bufcount
      integer(c_int), value :: buftype
    end function nf90mpi_get_vard
    integer(c_int) function nf90mpi_get_vard_all(ncid, varid, filetype, buf, bufcount, &
      buftype) bind(C, name='pcdf_f90_get_vard_all')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      integer(c_int), value :: filetype
      type(*), dimension(..), intent(inout) :: buf
      integer(c_int64_t), value :: bufcount
      integer(c_int), value :: buftype
    end function nf90mpi_get_vard_all
    integer(c_int) function nf90mpi_iput_var(ncid, varid, values, req, start, count, stride, &
      map, bufcount, buftype) bind(C, name='pcdf_f90_iput_var')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int), intent(out) :: req
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_iput_var
  end interface
  interface nf90mpi_iput_varn
    integer(c_int) function pcdf_many_iput_varn(ncid, varid, values, req, num, start, &
      count) bind(C, name='pcdf_f90_iput_varn')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int), intent(out) :: req
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_iput_varn
    integer(c_int) function pcdf_one_iput_varn(ncid, varid, value, req, start) bind(C, &
      name='pcdf_f90_iput_varn_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: value
      integer(c_int), intent(out) :: req
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_iput_varn
  end interface
  interface
    integer(c_int) function nf90mpi_iget_var(ncid, varid, values, req, start, count, stride, &
      map, bufcount, buftype) bind(C, name='pcdf_f90_iget_var')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: values
      integer(c_int), intent(out) :: req
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_iget_var
  end interface
  interface nf90mpi_iget_varn
    integer(c_int) function pcdf_many_iget_varn(ncid, varid, values, req, num, start, &
      count) bind(C, name='pcdf_f90_iget_varn')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: values
      integer(c_int), intent(out) :: req
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_iget_varn
    integer(c_int) function pcdf_one_iget_varn(ncid, varid, value, req, start) bind(C, &
      name='pcdf_f90_iget_varn_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(inout) :: value
      integer(c_int), intent(out) :: req
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_iget_varn
  end interface
  interface
    integer(c_int) function nf90mpi_bput_var(ncid, varid, values, req, start, count, stride, &
      map, bufcount, buftype) bind(C, name='pcdf_f90_bput_var')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int), intent(out) :: req
      integer(c_int64_t), intent(in), optional :: start(:)
      integer(c_int64_t), intent(in), optional :: count(:)
      integer(c_int64_t), intent(in), optional :: stride(:)
      integer(c_int64_t), intent(in), optional :: map(:)
      integer(c_int64_t), intent(in), optional :: bufcount
      integer(c_int), intent(in), optional :: buftype
    end function nf90mpi_bput_var
  end interface
  interface nf90mpi_bput_varn
    integer(c_int) function pcdf_many_bput_varn(ncid, varid, values, req, num, start, &
      count) bind(C, name='pcdf_f90_bput_varn')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: values
      integer(c_int), intent(out) :: req
      integer(c_int), value :: num
      integer(c_int64_t), intent(in) :: start(:,:)
      integer(c_int64_t), intent(in), optional :: count(:,:)
    end function pcdf_many_bput_varn
    integer(c_int) function pcdf_one_bput_varn(ncid, varid, value, req, start) bind(C, &
      name='pcdf_f90_bput_varn_one')
      import :: c_int, c_int64_t
      integer(c_int), value :: ncid
      integer(c_int), value :: varid
      type(*), dimension(..), intent(in) :: value
      integer(c_int), intent(out) :: req
      integer(c_int64_t), intent(in) :: start(:,:)
    end function pcdf_one_bput_varn
  end interface
  interface
  end interface

  ! ---- attributes and fill values: f90values.c ----
  interface
    integer(c_int) function nf90mpi_put_att(ncid, varid, name, values) bind(C, name='pcdf_f90_put_att')
      import :: c_char, c_int
      integer(c_int), value :: ncid, varid
      character(kind=c_char, len=*), intent(in) :: name
      type(*), dimension(..), intent(in) :: values
    end function nf90mpi_put_att
    integer(c_int) function nf90mpi_get_att(ncid, varid, name, values) bind(C, name='pcdf_f90_get_att')
      import :: c_char, c_int
      integer(c_int), value :: ncid, varid
      character(kind=c_char, len=*), intent(in) :: name
      type(*), dimension(..), intent(inout) :: values
    end function nf90mpi_get_att
    integer(c_int) function nf90mpi_def_var_fill(ncid, varid, no_fill, fill_value) bind(C, name='pcdf_f90_def_var_fill')
      import :: c_int
      integer(c_int), value :: ncid, varid, no_fill
      type(*), dimension(..), intent(in) :: fill_value
    end function nf90mpi_def_var_fill
    integer(c_int) function nf90mpi_inq_var_fill(ncid, varid, no_fill, fill_value) bind(C, name='pcdf_f90_inq_var_fill')
      import :: c_char, c_int
      integer(c_int), value :: ncid, varid
      integer(c_int), intent(out) :: no_fill
      type(*), dimension(..), intent(inout) :: fill_value
    end function nf90mpi_inq_var_fill
  end interface

  ! ---- variables: f90define.c ----
  interface nf90mpi_def_var
    module procedure def_var_scalar, def_var_line, def_var_many
  end interface nf90mpi_def_var
  private :: def_var_scalar, def_var_line, def_var_many
  interface
    integer(c_int) function pcdf_def_var(ncid, name, xtype, ndims, dimids, varid) bind(C, name='pcdf_f90_def_var')
      import :: c_char, c_int
      integer(c_int), value :: ncid, xtype, ndims
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(in) :: dimids(:)
      integer(c_int), intent(out) :: varid
    end function pcdf_def_var
    ! dimids may be shorter than the variable has dimensions, then it gets the first ones, or longer.
    integer(c_int) function nf90mpi_inquire_variable(ncid, varid, name, xtype, ndims, dimids, natts) &
        bind(C, name='pcdf_f90_inquire_variable')
      import :: c_char, c_int
      integer(c_int), value :: ncid, varid
      character(kind=c_char, len=*), intent(out), optional :: name
      integer(c_int), intent(out), optional :: xtype, ndims, natts
      integer(c_int), intent(inout), optional :: dimids(:)
    end function nf90mpi_inquire_variable
  end interface

contains

  integer function nf90mpi_abort(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_abort = nfmpi_abort(ncid)
  end function nf90mpi_abort

  integer function nf90mpi_begin_indep_data(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_begin_indep_data = nfmpi_begin_indep_data(ncid)
  end function nf90mpi_begin_indep_data

  integer function nf90mpi_buffer_attach(ncid, bufsize)
    integer, intent(in) :: ncid
    integer(8), intent(in) :: bufsize
    call pcdf_f90_comes()
    nf90mpi_buffer_attach = nfmpi_buffer_attach(ncid, bufsize)
  end function nf90mpi_buffer_attach

  integer function nf90mpi_buffer_detach(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_buffer_detach = nfmpi_buffer_detach(ncid)
  end function nf90mpi_buffer_detach

  integer function nf90mpi_cancel(ncid, num, req, st)
    integer, intent(in) :: ncid
    integer, intent(in) :: num
    integer, intent(inout) :: req(*)
    integer, intent(inout) :: st(*)
    call pcdf_f90_comes()
    nf90mpi_cancel = nfmpi_cancel(ncid, num, req, st)
  end function nf90mpi_cancel

  integer function nf90mpi_close(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_close = nfmpi_close(ncid)
  end function nf90mpi_close

  integer function nf90mpi_copy_att(ncid_in, varid_in, name, ncid_out, varid_out)
    integer, intent(in) :: ncid_in
    integer, intent(in) :: varid_in
    character(len=*), intent(in) :: name
    integer, intent(in) :: ncid_out
    integer, intent(in) :: varid_out
    call pcdf_f90_comes()
    nf90mpi_copy_att = nfmpi_copy_att(ncid_in, varid_in, name, ncid_out, varid_out)
  end function nf90mpi_copy_att

  integer function nf90mpi_create(mpi_comm, path, cmode, mpi_info, ncid)
    integer, intent(in) :: mpi_comm
    character(len=*), intent(in) :: path
    integer, intent(in) :: cmode
    integer, intent(in) :: mpi_info
    integer, intent(out) :: ncid
    call pcdf_f90_comes()
    nf90mpi_create = nfmpi_create(mpi_comm, path, cmode, mpi_info, ncid)
  end function nf90mpi_create

  integer function nf90mpi_def_dim(ncid, name, len, dimid)
    integer, intent(in) :: ncid
    character(len=*), intent(in) :: name
    integer(8), intent(in) :: len
    integer, intent(out) :: dimid
    call pcdf_f90_comes()
    nf90mpi_def_dim = nfmpi_def_dim(ncid, name, len, dimid)
  end function nf90mpi_def_dim

  integer function nf90mpi_def_var_deflate(ncid, varid, shuffle, deflate, deflate_level)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(in) :: shuffle
    integer, intent(in) :: deflate
    integer, intent(in) :: deflate_level
    call pcdf_f90_comes()
    nf90mpi_def_var_deflate = nfmpi_def_var_deflate(ncid, varid, shuffle, deflate, deflate_level)
  end function nf90mpi_def_var_deflate

  integer function nf90mpi_def_var_fletcher32(ncid, varid, fletcher32)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(in) :: fletcher32
    call pcdf_f90_comes()
    nf90mpi_def_var_fletcher32 = nfmpi_def_var_fletcher32(ncid, varid, fletcher32)
  end function nf90mpi_def_var_fletcher32

  integer function nf90mpi_def_var_quantize(ncid, varid, quantize_mode, nsd)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(in) :: quantize_mode
    integer, intent(in) :: nsd
    call pcdf_f90_comes()
    nf90mpi_def_var_quantize = nfmpi_def_var_quantize(ncid, varid, quantize_mode, nsd)
  end function nf90mpi_def_var_quantize

  integer function nf90mpi_def_var_szip(ncid, varid, options_mask, pixels_per_block)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(in) :: options_mask
    integer, intent(in) :: pixels_per_block
    call pcdf_f90_comes()
    nf90mpi_def_var_szip = nfmpi_def_var_szip(ncid, varid, options_mask, pixels_per_block)
  end function nf90mpi_def_var_szip

  integer function nf90mpi_def_var_zstd(ncid, varid, level)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(in) :: level
    call pcdf_f90_comes()
    nf90mpi_def_var_zstd = nfmpi_def_var_zstd(ncid, varid, level)
  end function nf90mpi_def_var_zstd

  integer function nf90mpi_del_att(ncid, varid, name)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    character(len=*), intent(in) :: name
    call pcdf_f90_comes()
    nf90mpi_del_att = nfmpi_del_att(ncid, varid, name)
  end function nf90mpi_del_att

  integer function nf90mpi_delete(name, mpi_info)
    character(len=*), intent(in) :: name
    integer, intent(in) :: mpi_info
    call pcdf_f90_comes()
    nf90mpi_delete = nfmpi_delete(name, mpi_info)
  end function nf90mpi_delete

  integer function nf90mpi_end_indep_data(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_end_indep_data = nfmpi_end_indep_data(ncid)
  end function nf90mpi_end_indep_data

  integer function nf90mpi_fill_var_rec(ncid, varid, recno)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer(8), intent(in) :: recno
    call pcdf_f90_comes()
    nf90mpi_fill_var_rec = nfmpi_fill_var_rec(ncid, varid, recno)
  end function nf90mpi_fill_var_rec

  integer function nf90mpi_flush(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_flush = nfmpi_flush(ncid)
  end function nf90mpi_flush

  integer function nf90mpi_get_file_info(ncid, mpi_info)
    integer, intent(in) :: ncid
    integer, intent(out) :: mpi_info
    call pcdf_f90_comes()
    nf90mpi_get_file_info = nfmpi_get_file_info(ncid, mpi_info)
  end function nf90mpi_get_file_info

  integer function nf90mpi_inq_attname(ncid, varid, attnum, name)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(in) :: attnum
    character(len=*), intent(out) :: name
    call pcdf_f90_comes()
    nf90mpi_inq_attname = nfmpi_inq_attname(ncid, varid, attnum, name)
  end function nf90mpi_inq_attname

  integer function nf90mpi_inq_buffer_size(ncid, buf_size)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: buf_size
    call pcdf_f90_comes()
    nf90mpi_inq_buffer_size = nfmpi_inq_buffer_size(ncid, buf_size)
  end function nf90mpi_inq_buffer_size

  integer function nf90mpi_inq_buffer_usage(ncid, usage)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: usage
    call pcdf_f90_comes()
    nf90mpi_inq_buffer_usage = nfmpi_inq_buffer_usage(ncid, usage)
  end function nf90mpi_inq_buffer_usage

  integer function nf90mpi_inq_default_format(default_format)
    integer, intent(out) :: default_format
    call pcdf_f90_comes()
    nf90mpi_inq_default_format = nfmpi_inq_default_format(default_format)
  end function nf90mpi_inq_default_format

  integer function nf90mpi_inq_dimid(ncid, name, dimid)
    integer, intent(in) :: ncid
    character(len=*), intent(in) :: name
    integer, intent(out) :: dimid
    call pcdf_f90_comes()
    nf90mpi_inq_dimid = nfmpi_inq_dimid(ncid, name, dimid)
  end function nf90mpi_inq_dimid

  integer function nf90mpi_inq_file_format(path, format)
    character(len=*), intent(in) :: path
    integer, intent(out) :: format
    call pcdf_f90_comes()
    nf90mpi_inq_file_format = nfmpi_inq_file_format(path, format)
  end function nf90mpi_inq_file_format

  integer function nf90mpi_inq_file_info(ncid, mpi_info)
    integer, intent(in) :: ncid
    integer, intent(out) :: mpi_info
    call pcdf_f90_comes()
    nf90mpi_inq_file_info = nfmpi_inq_file_info(ncid, mpi_info)
  end function nf90mpi_inq_file_info

  integer function nf90mpi_inq_files_opened(nfiles, ncids)
    integer, intent(out) :: nfiles
    integer, intent(inout) :: ncids(*)
    call pcdf_f90_comes()
    nf90mpi_inq_files_opened = nfmpi_inq_files_opened(nfiles, ncids)
  end function nf90mpi_inq_files_opened

  integer function nf90mpi_inq_get_size(ncid, get_size)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: get_size
    call pcdf_f90_comes()
    nf90mpi_inq_get_size = nfmpi_inq_get_size(ncid, get_size)
  end function nf90mpi_inq_get_size

  integer function nf90mpi_inq_header_extent(ncid, h_extent)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: h_extent
    call pcdf_f90_comes()
    nf90mpi_inq_header_extent = nfmpi_inq_header_extent(ncid, h_extent)
  end function nf90mpi_inq_header_extent

  integer function nf90mpi_inq_header_size(ncid, h_size)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: h_size
    call pcdf_f90_comes()
    nf90mpi_inq_header_size = nfmpi_inq_header_size(ncid, h_size)
  end function nf90mpi_inq_header_size

  integer function nf90mpi_inq_malloc_list()
    call pcdf_f90_comes()
    nf90mpi_inq_malloc_list = nfmpi_inq_malloc_list()
  end function nf90mpi_inq_malloc_list

  integer function nf90mpi_inq_malloc_max_size(size)
    integer(8), intent(out) :: size
    call pcdf_f90_comes()
    nf90mpi_inq_malloc_max_size = nfmpi_inq_malloc_max_size(size)
  end function nf90mpi_inq_malloc_max_size

  integer function nf90mpi_inq_malloc_size(size)
    integer(8), intent(out) :: size
    call pcdf_f90_comes()
    nf90mpi_inq_malloc_size = nfmpi_inq_malloc_size(size)
  end function nf90mpi_inq_malloc_size

  integer function nf90mpi_inq_nreqs(ncid, nreqs)
    integer, intent(in) :: ncid
    integer, intent(out) :: nreqs
    call pcdf_f90_comes()
    nf90mpi_inq_nreqs = nfmpi_inq_nreqs(ncid, nreqs)
  end function nf90mpi_inq_nreqs

  integer function nf90mpi_inq_num_fix_vars(ncid, nvars)
    integer, intent(in) :: ncid
    integer, intent(out) :: nvars
    call pcdf_f90_comes()
    nf90mpi_inq_num_fix_vars = nfmpi_inq_num_fix_vars(ncid, nvars)
  end function nf90mpi_inq_num_fix_vars

  integer function nf90mpi_inq_num_rec_vars(ncid, nvars)
    integer, intent(in) :: ncid
    integer, intent(out) :: nvars
    call pcdf_f90_comes()
    nf90mpi_inq_num_rec_vars = nfmpi_inq_num_rec_vars(ncid, nvars)
  end function nf90mpi_inq_num_rec_vars

  integer function nf90mpi_inq_path(ncid, pathlen, path)
    integer, intent(in) :: ncid
    integer, intent(out) :: pathlen
    character(len=*), intent(out) :: path
    call pcdf_f90_comes()
    nf90mpi_inq_path = nfmpi_inq_path(ncid, pathlen, path)
  end function nf90mpi_inq_path

  integer function nf90mpi_inq_put_size(ncid, put_size)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: put_size
    call pcdf_f90_comes()
    nf90mpi_inq_put_size = nfmpi_inq_put_size(ncid, put_size)
  end function nf90mpi_inq_put_size

  integer function nf90mpi_inq_recsize(ncid, recsize)
    integer, intent(in) :: ncid
    integer(8), intent(out) :: recsize
    call pcdf_f90_comes()
    nf90mpi_inq_recsize = nfmpi_inq_recsize(ncid, recsize)
  end function nf90mpi_inq_recsize

  integer function nf90mpi_inq_striping(ncid, striping_size, striping_count)
    integer, intent(in) :: ncid
    integer, intent(out) :: striping_size
    integer, intent(out) :: striping_count
    call pcdf_f90_comes()
    nf90mpi_inq_striping = nfmpi_inq_striping(ncid, striping_size, striping_count)
  end function nf90mpi_inq_striping

  integer function nf90mpi_inq_var_deflate(ncid, varid, shuffle, deflate, deflate_level)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(out) :: shuffle
    integer, intent(out) :: deflate
    integer, intent(out) :: deflate_level
    call pcdf_f90_comes()
    nf90mpi_inq_var_deflate = nfmpi_inq_var_deflate(ncid, varid, shuffle, deflate, deflate_level)
  end function nf90mpi_inq_var_deflate

  integer function nf90mpi_inq_var_fletcher32(ncid, varid, fletcher32)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(out) :: fletcher32
    call pcdf_f90_comes()
    nf90mpi_inq_var_fletcher32 = nfmpi_inq_var_fletcher32(ncid, varid, fletcher32)
  end function nf90mpi_inq_var_fletcher32

  integer function nf90mpi_inq_var_quantize(ncid, varid, quantize_mode, nsd)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(out) :: quantize_mode
    integer, intent(out) :: nsd
    call pcdf_f90_comes()
    nf90mpi_inq_var_quantize = nfmpi_inq_var_quantize(ncid, varid, quantize_mode, nsd)
  end function nf90mpi_inq_var_quantize

  integer function nf90mpi_inq_var_szip(ncid, varid, options_mask, pixels_per_block)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(out) :: options_mask
    integer, intent(out) :: pixels_per_block
    call pcdf_f90_comes()
    nf90mpi_inq_var_szip = nfmpi_inq_var_szip(ncid, varid, options_mask, pixels_per_block)
  end function nf90mpi_inq_var_szip

  integer function nf90mpi_inq_var_zstd(ncid, varid, zstd, level)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer, intent(out) :: zstd
    integer, intent(out) :: level
    call pcdf_f90_comes()
    nf90mpi_inq_var_zstd = nfmpi_inq_var_zstd(ncid, varid, zstd, level)
  end function nf90mpi_inq_var_zstd

  integer function nf90mpi_inq_varid(ncid, name, varid)
    integer, intent(in) :: ncid
    character(len=*), intent(in) :: name
    integer, intent(out) :: varid
    call pcdf_f90_comes()
    nf90mpi_inq_varid = nfmpi_inq_varid(ncid, name, varid)
  end function nf90mpi_inq_varid

  integer function nf90mpi_inq_varoffset(ncid, varid, offset)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    integer(8), intent(out) :: offset
    call pcdf_f90_comes()
    nf90mpi_inq_varoffset = nfmpi_inq_varoffset(ncid, varid, offset)
  end function nf90mpi_inq_varoffset

  integer function nf90mpi_inq_version(ncid, nc_mode)
    integer, intent(in) :: ncid
    integer, intent(out) :: nc_mode
    call pcdf_f90_comes()
    nf90mpi_inq_version = nfmpi_inq_version(ncid, nc_mode)
  end function nf90mpi_inq_version

  integer function nf90mpi_open(mpi_comm, path, omode, mpi_info, ncid)
    integer, intent(in) :: mpi_comm
    character(len=*), intent(in) :: path
    integer, intent(in) :: omode
    integer, intent(in) :: mpi_info
    integer, intent(out) :: ncid
    call pcdf_f90_comes()
    nf90mpi_open = nfmpi_open(mpi_comm, path, omode, mpi_info, ncid)
  end function nf90mpi_open

  integer function nf90mpi_redef(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_redef = nfmpi_redef(ncid)
  end function nf90mpi_redef

  integer function nf90mpi_rename_att(ncid, varid, curname, newname)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    character(len=*), intent(in) :: curname
    character(len=*), intent(in) :: newname
    call pcdf_f90_comes()
    nf90mpi_rename_att = nfmpi_rename_att(ncid, varid, curname, newname)
  end function nf90mpi_rename_att

  integer function nf90mpi_rename_dim(ncid, dimid, name)
    integer, intent(in) :: ncid
    integer, intent(in) :: dimid
    character(len=*), intent(in) :: name
    call pcdf_f90_comes()
    nf90mpi_rename_dim = nfmpi_rename_dim(ncid, dimid, name)
  end function nf90mpi_rename_dim

  integer function nf90mpi_rename_var(ncid, varid, newname)
    integer, intent(in) :: ncid
    integer, intent(in) :: varid
    character(len=*), intent(in) :: newname
    call pcdf_f90_comes()
    nf90mpi_rename_var = nfmpi_rename_var(ncid, varid, newname)
  end function nf90mpi_rename_var

  integer function nf90mpi_set_default_format(new_format, old_format)
    integer, intent(in) :: new_format
    integer, intent(out) :: old_format
    call pcdf_f90_comes()
    nf90mpi_set_default_format = nfmpi_set_default_format(new_format, old_format)
  end function nf90mpi_set_default_format

  integer function nf90mpi_set_fill(ncid, fillmode, old_mode)
    integer, intent(in) :: ncid
    integer, intent(in) :: fillmode
    integer, intent(out) :: old_mode
    call pcdf_f90_comes()
    nf90mpi_set_fill = nfmpi_set_fill(ncid, fillmode, old_mode)
  end function nf90mpi_set_fill

  integer function nf90mpi_sync(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_sync = nfmpi_sync(ncid)
  end function nf90mpi_sync

  integer function nf90mpi_sync_numrecs(ncid)
    integer, intent(in) :: ncid
    call pcdf_f90_comes()
    nf90mpi_sync_numrecs = nfmpi_sync_numrecs(ncid)
  end function nf90mpi_sync_numrecs

  integer function nf90mpi_wait(ncid, num, req, st)
    integer, intent(in) :: ncid
    integer, intent(in) :: num
    integer, intent(inout) :: req(*)
    integer, intent(inout) :: st(*)
    call pcdf_f90_comes()
    nf90mpi_wait = nfmpi_wait(ncid, num, req, st)
  end function nf90mpi_wait

  integer function nf90mpi_wait_all(ncid, num, req, st)
    integer, intent(in) :: ncid
    integer, intent(in) :: num
    integer, intent(inout) :: req(*)
    integer, intent(inout) :: st(*)
    call pcdf_f90_comes()
    nf90mpi_wait_all = nfmpi_wait_all(ncid, num, req, st)
  end function nf90mpi_wait_all

  character(len=80) function nf90mpi_strerror(ncerr)
    integer, intent(in) :: ncerr
    nf90mpi_strerror = nfmpi_strerror(ncerr)
  end function nf90mpi_strerror

  character(len=80) function nf90mpi_strerrno(ncerr)
    integer, intent(in) :: ncerr
    nf90mpi_strerrno = nfmpi_strerrno(ncerr)
  end function nf90mpi_strerrno

  character(len=80) function nf90mpi_inq_libvers()
    nf90mpi_inq_libvers = nfmpi_inq_libvers()
  end function nf90mpi_inq_libvers

  character(len=1024) function nf90mpi_last_error()
    nf90mpi_last_error = nfmpi_last_error()
  end function nf90mpi_last_error

  logical function nf90mpi_issyserr(ncerr)
    integer, intent(in) :: ncerr
    nf90mpi_issyserr = ncerr > 0
  end function nf90mpi_issyserr

  integer function nf90mpi_enddef(ncid, h_minfree, v_align, v_minfree, r_align)
    integer, intent(in) :: ncid
    integer(8), intent(in), optional :: h_minfree, v_align, v_minfree, r_align
    integer(8) :: given(4)
    if (.not. (present(h_minfree) .or. present(v_align) .or. present(v_minfree) .or. present(r_align))) then
      call pcdf_f90_comes()
      nf90mpi_enddef = nfmpi_enddef(ncid)
      return
    end if
    given = 0
    if (present(h_minfree)) given(1) = h_minfree
    if (present(v_align)) given(2) = v_align
    if (present(v_minfree)) given(3) = v_minfree
    if (present(r_align)) given(4) = r_align
    call pcdf_f90_comes()
    nf90mpi_enddef = nfmpi__enddef(ncid, given(1), given(2), given(3), given(4))
  end function nf90mpi_enddef

  integer function nf90mpi_def_var_chunking(ncid, varid, storage, chunksizes)
    integer, intent(in) :: ncid, varid, storage, chunksizes(:)
    call pcdf_f90_comes()
    nf90mpi_def_var_chunking = nfmpi_def_var_chunking(ncid, varid, storage, chunksizes)
  end function nf90mpi_def_var_chunking

  integer function nf90mpi_inq_var_chunking(ncid, varid, storage, chunksizes)
    integer, intent(in) :: ncid, varid
    integer, intent(out) :: storage
    integer, intent(inout) :: chunksizes(:)
    call pcdf_f90_comes()
    nf90mpi_inq_var_chunking = nfmpi_inq_var_chunking(ncid, varid, storage, chunksizes)
  end function nf90mpi_inq_var_chunking

  ! Procedures of Fortran, as gfortran 12 fails on an index vector, dimids([2, 1]), where a C function takes it.
  integer function def_var_scalar(ncid, name, xtype, varid)
    integer, intent(in) :: ncid, xtype
    character(len=*), intent(in) :: name
    integer, intent(out) :: varid
    integer :: none(1)
    none = 0
    def_var_scalar = pcdf_def_var(ncid, name, xtype, 0, none, varid)
  end function def_var_scalar

  integer function def_var_line(ncid, name, xtype, dimids, varid)
    integer, intent(in) :: ncid, xtype, dimids
    character(len=*), intent(in) :: name
    integer, intent(out) :: varid
    integer :: one(1)
    one = dimids
    def_var_line = pcdf_def_var(ncid, name, xtype, 1, one, varid)
  end function def_var_line

  integer function def_var_many(ncid, name, xtype, dimids, varid)
    integer, intent(in) :: ncid, xtype, dimids(:)
    character(len=*), intent(in) :: name
    integer, intent(out) :: varid
    def_var_many = pcdf_def_var(ncid, name, xtype, size(dimids), dimids, varid)
  end function def_var_many

  integer function nf90mpi_inquire(ncid, nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum)
    integer, intent(in) :: ncid
    integer, intent(out), optional :: nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum
    integer :: dims, vars, atts, record
    call pcdf_f90_comes()
    nf90mpi_inquire = nfmpi_inq(ncid, dims, vars, atts, record)
    if (nf90mpi_inquire /= nf90_noerr) return
    if (present(nDimensions)) nDimensions = dims
    if (present(nVariables)) nVariables = vars
    if (present(nAttributes)) nAttributes = atts
    if (present(unlimitedDimId)) unlimitedDimId = record
    if (.not. present(formatNum)) return
    call pcdf_f90_comes()
    nf90mpi_inquire = nfmpi_inq_format(ncid, formatNum)
  end function nf90mpi_inquire

  integer function nf90mpi_inquire_dimension(ncid, dimid, name, len)
    integer, intent(in) :: ncid, dimid
    character(len=*), intent(out), optional :: name
    integer(8), intent(out), optional :: len
    integer(8) :: length
    call pcdf_f90_comes()
    nf90mpi_inquire_dimension = nfmpi_inq_dimlen(ncid, dimid, length)
    if (nf90mpi_inquire_dimension /= nf90_noerr) return
    if (present(len)) len = length
    if (.not. present(name)) return
    call pcdf_f90_comes()
    nf90mpi_inquire_dimension = nfmpi_inq_dimname(ncid, dimid, name)
  end function nf90mpi_inquire_dimension

  integer function nf90mpi_inquire_attribute(ncid, varid, name, xtype, len, attnum)
    integer, intent(in) :: ncid, varid
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: xtype, attnum
    integer(8), intent(out), optional :: len
    integer :: kind_of
    integer(8) :: length
    call pcdf_f90_comes()
    nf90mpi_inquire_attribute = nfmpi_inq_att(ncid, varid, name, kind_of, length)
    if (nf90mpi_inquire_attribute /= nf90_noerr) return
    if (present(xtype)) xtype = kind_of
    if (present(len)) len = length
    if (.not. present(attnum)) return
    call pcdf_f90_comes()
    nf90mpi_inquire_attribute = nfmpi_inq_attid(ncid, varid, name, attnum)
  end function nf90mpi_inquire_attribute

end module pnetcdf
