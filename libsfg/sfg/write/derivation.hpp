#pragma once
#include <iosfwd>

#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

enum class TableFormat {
  shortest,  ///< shortest text that reads back
  table,     ///< five digits, as printed by Augustaitis et al.
};

/// The equations as an engineer reads them: d_ij(p), Eq. 11 for each coordinate, Mark/Den/Denc, M, C, K.
Page page(const LagrangeEquations&, TableFormat = TableFormat::shortest);
/// {"schema": "sfg/derive/1", …}: docs/schema/derive.schema.json. Denc is null when a parameter has no value.
void write_json(std::ostream&, const LagrangeEquations&);
/// The same for equations that were given directly: D, B and what the assignment solves them for.
Page page(const EquationSystem&, const Assignment&);
void write_json(std::ostream&, const EquationSystem&, const Assignment&);
/// As a [matrix] model, which every verb reads back.
void write_toml(std::ostream&, const EquationSystem&);

/// From the polar graph to the equations, stage by stage: edges, Lagrange tree and chords, incidence, skeleton, closing branches,
/// D(p), laws.
Page page(const PolarDerivation&);
/// {"schema": "sfg/derive/1", …}: docs/schema/derive.schema.json.
/// @param assignment  of derivation.shortest()
void write_json(std::ostream&, const PolarDerivation&, const Assignment& assignment);

/// The principal nodes, the pattern of the matrix, every transmittance, and in which order the laws are solved.
Page page(const PrincipalReduction&);
void write_json(std::ostream&, const PrincipalReduction&);

}  // namespace sfg
