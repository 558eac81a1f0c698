// A second source file of the same program that includes the header: without `using namespace std`.
#define PARCDF_NO_USING_NAMESPACE_STD
#include <pnetcdf>
#include <pnetcdf> // once more: nothing

typedef int string; // would be ambiguous with std::string where the program says `string`
string number_of_second_unit = 0;

const void *type_object_of_second_unit();
const void *type_object_of_second_unit()
{
    return &PnetCDF::ncmpiInt;
}

std::string name_by_second_unit(const PnetCDF::NcmpiVar &var);
std::string name_by_second_unit(const PnetCDF::NcmpiVar &var)
{
    return var.getName();
}
