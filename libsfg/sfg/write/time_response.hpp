#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/response/run_record.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// `verb` is step, impulse or simulate; figures are shown for step only.
Page page(std::span<const NamedResponse>, const std::string& verb);
void write_json(std::ostream&, std::span<const NamedResponse>, const std::string& verb);
/// Of a simulation, with what happened and the state at its end: another one may go on from there.
void write_json(std::ostream&, std::span<const NamedResponse>, const RunRecord&);
void write_csv(std::ostream&, std::span<const NamedResponse>);

}  // namespace sfg
