#pragma once
#include <string>
#include <vector>

#include "sfg/graph/textbook_shape.hpp"

// Not installed: what no shape can have, proved before any is looked for.
namespace sfg {

using Arc = TextbookShape::Arc;

/// Every bypass and every feedback arc that a main line of so many nodes has room for, the short ones first.
std::vector<Arc> all_bypasses(std::size_t nodes);
std::vector<Arc> all_feedback(std::size_t nodes);

/// "6 nodes, 4 loops and 2 pairs of non-touching loops"
std::string in_words(const ShapeDemand&);

/// @throws NoAnswer with the reason and what is possible.
void refuse_impossible(const ShapeDemand&, const Budget&);

}  // namespace sfg
