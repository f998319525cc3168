#pragma once
#include <ginac/ex.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sfg/model/simulation.hpp"
#include "sfg/read/spice/netlist_statements.hpp"

namespace sfg {

/// How much it matters that a statement of a netlist is left out: a note for what is no question about the circuit, a remark for
/// another analysis, a warning for what would change values. Nothing for a statement that is not left out.
std::optional<Severity> severity_of_leaving_out(const std::string& head);

/// What is said of a statement that is left out.
Diagnostic left_out(const NetlistToken& head, Severity);

/// The value of an entry with the values of the parameters.
using NetlistNumber = std::function<GiNaC::ex(const NetlistToken&)>;

/// .ac dec|oct|lin N low high or .ac list f1 f2 …, in Hz, both ends included; .tran step stop …, or .tran stop. They are defaults
/// only: what is wrong with them goes to the notes, and so does which of them count.
void take_analysis(const NetlistStatement&, const NetlistNumber&, StatedAnalyses&, std::vector<Diagnostic>& notes);

}  // namespace sfg
