#pragma once
#include <nlohmann/json.hpp>

#include "sfg/model/equations.hpp"
#include "sfg/write/equation_text.hpp"
#include "sfg/write/page/page.hpp"

// Not installed: what the equations of any model have.
namespace sfg {

void add_heading(Page&, const char* text);
/// d_ij and g_ie, one a line.
void add_polynomials(Page&, const EquationSystem&);
/// Every unknown from the others (Eq. 11).
void add_solved(Page&, const EquationSystem&, const Assignment&);
/// M, C and K.
void add_second_order(Page&, const OperatorMatrices&);
/// The nonlinear laws with what u is in them; nothing where there are none.
void add_laws(Page&, const EquationSystem&);

/// coordinates, inputs, D, G, equations, M, C, K, laws.
nlohmann::ordered_json equations_json(const EquationSystem&, const Assignment&);

}  // namespace sfg
