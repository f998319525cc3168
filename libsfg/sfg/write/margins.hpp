#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "sfg/control/margins.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const Margins&, bool hertz = false);  ///< frequencies in rad/s or Hz
void write_json(std::ostream&, const Margins&);

/// Margins of one of several loops.
struct LoopMargins {
  std::string place;  ///< where it is opened
  Margins margins;
};

Page page(const std::vector<LoopMargins>&, bool hertz = false);
void write_json(std::ostream&, const std::vector<LoopMargins>&);

}  // namespace sfg
