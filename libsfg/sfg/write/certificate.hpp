#pragma once
#include <iosfwd>

#include "sfg/transfer/certificate.hpp"

namespace sfg {

/// The certificate as a file that a person reads from top to bottom: docs/schema/certificate.schema.json, a line an equation.
void write_json(std::ostream&, const Certificate&);

}  // namespace sfg
