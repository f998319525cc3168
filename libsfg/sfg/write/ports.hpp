#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/derive/circuit.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// What a matrix of port parameters is about: written before its entries, which are transfer functions.
struct PortHeading {
  std::span<const Port> ports;
  PortParameters parameters = PortParameters::z;
  std::string z0 = {};  ///< of s
};

std::string name_of(PortParameters);
/// "V = z I" and between which nodes the ports lie.
Page page(const PortHeading&);
/// {"schema": "sfg/ports/1", "ports", "parameters", "matrix", "transfers"}: docs/schema/ports.schema.json.
/// @param transfers  the answers of the entries, column by column, as the writers of transfer functions give them in JSON
void write_json(std::ostream&, const PortHeading&, const std::string& transfers);

}  // namespace sfg
