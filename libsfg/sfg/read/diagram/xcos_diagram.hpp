#pragma once
#include "sfg/read/diagram/block_diagram.hpp"

namespace sfg {

/// A diagram of Xcos in XML. @throws sfg::Error where it is none.
BlockDiagram xcos_diagram(const SourceText&, Problems&);

}  // namespace sfg
