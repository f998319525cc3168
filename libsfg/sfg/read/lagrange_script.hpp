#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"

namespace sfg {

/// The script format of Augustaitis et al. 2011 (Eqs. 20–24): syms, K, auxiliaries, TM, PM, FM, Functions, values.
/// @param notes  receives warnings when given.
/// @throws sfg::Error with every problem found.
Lagrangian read_lagrange_script(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
