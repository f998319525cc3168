#pragma once
#include <string>
#include <vector>

#include "sfg/read/document/document.hpp"

namespace sfg {

/// What a document says of how names are set, as one list (NameTable::stated): `latex` beside a name, in a table that has a
/// `name` or whose key is one, and the table `latex` of the document. A name that is none of the known ones is an error.
std::string stated_latex(const DocumentReader&, const std::vector<std::string>& known);

}  // namespace sfg
