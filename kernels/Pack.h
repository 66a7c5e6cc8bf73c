// From rows as a file stores them to groups of 16 rows as Kernels.h reads them.
//
// Entry points: layOut, packGroup. Done once when a model is loaded; the check
// that all numbers are finite is made here, where they are read anyway.
#pragma once

#include "kernels/Kernels.h"

namespace sgl::kernels {

/// The shape of a packed matrix, without data. `columns` is a multiple of 32
/// where the format is quantised.
PackedMatrix layOut(Format format, uint32_t rows, uint32_t columns);

/// Packs the rows of group `group`; rows behind the last become zeros. `rows`
/// is the first stored row of the matrix, `out` the group's place. False where
/// a scale, a minimum or a value is not finite.
bool packGroup(Format format, const PackedMatrix &matrix, const std::byte *rows,
               uint32_t group, std::byte *out);

} // namespace sgl::kernels
