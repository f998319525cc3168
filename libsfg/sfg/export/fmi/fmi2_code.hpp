#pragma once
#include <string>

// Not installed.
namespace sfg {

/// The functions of FMI 2.0 for co-simulation around a program of c_program(), in C of the standard of 2011, without the headers
/// of the standard (its types are stated here). To be filled in: $N name, $GUID, $inputs, $outputs, $parameters, $states, each
/// with a second number of at least 1 for arrays ($inputs1 …), $sample the sample time or 0.
extern const char* const fmi2_code;

}  // namespace sfg
