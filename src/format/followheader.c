/* See followheader.h. */
#include "followheader.h"
#include "bytes.h"
#include "hash.h"
#include "numbers.h"
#include "rules.h"

uint64_t pcdf_followheader_hash(const unsigned char *header, int64_t size)
{
    int64_t behind = header[3] == PCDF_CDF5 ? 12 : 8;
    uint64_t hash = size > behind ? pcdf_hash_bytes(header + behind, (size_t)(size - behind)) : 0;
    return hash ^ pcdf_hash_bytes(header, 4);
}

int64_t pcdf_followheader_count(const unsigned char *header, int version, bool *is_streaming)
{
    size_t size = version == PCDF_CDF5 ? 8 : 4;
    uint64_t number = pcdf_bytes_get(header + 4, size);
    *is_streaming = number == (size == 8 ? UINT64_MAX : UINT32_MAX);
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

bool pcdf_followheader_is_settled(int64_t count, int64_t known, int64_t *upper)
{
    int64_t now = count >> 8, before = *upper;
    *upper = now;
    return now == known >> 8 || now == before;
}

int64_t pcdf_followheader_records_in(int64_t size, int64_t first_end, int64_t recsize, int version)
{
    int64_t most = pcdf_rules_max_count(version);
    if (size < first_end || recsize <= 0)
        return 0;
    return (size - first_end) / recsize < most ? (size - first_end) / recsize + 1 : most;
}

int64_t pcdf_followheader_records_within(const struct pcdf_layout *layout, const struct pcdf_meta *meta,
                                         int64_t size)
{
    int64_t first_end = 0; /* variables without records may lie behind those with */
    for (int i = 0; i < meta->nvars; i++)
        if (meta->vars[i].is_record)
            first_end = pcdf_larger(first_end, layout->begin[i] + meta->vars[i].nbytes);
    return first_end > 0 ? pcdf_followheader_records_in(size, first_end, layout->recsize, meta->version) : 0;
}
