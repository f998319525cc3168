#pragma once
#include <functional>
#include <iosfwd>

#include "sfg/study/sweep.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Writes the answer of one set, as the verb writes it that is not swept.
using WriteSet = std::function<void(std::ostream&, std::size_t set)>;

// What a verb writes of a sweep, in every format; of the only set of an empty sweep it is what the verb writes anyhow.

/// A block a set: its values, then the answer.
Page page(const Sweep&, const std::function<Page(std::size_t set)>&);
/// {"schema", "sweep": [{"set": {name: value}, …}]} of objects that begin with their schema.
void write_json(std::ostream&, const Sweep&, const WriteSet&);
/// The tables one below the other under one head, with a column for each swept parameter in front.
void write_csv(std::ostream&, const Sweep&, const WriteSet&);

}  // namespace sfg
