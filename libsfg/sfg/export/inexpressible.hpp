#pragma once
#include "sfg/export/export_subject.hpp"

namespace sfg {

/// @throws NoAnswer naming tail and head of a nonlinear branch, and targets that write it.
void refuse_laws(const ExportSubject&);
/// @throws NoAnswer naming tail and head of the first branch whose gain is no fraction of polynomials of the operator (dead time,
/// sqrt(s)), and targets that write it.
void refuse_gains(const ExportSubject&);
/// The refusal of what is improper, naming tail and head of the first branch that is, else what the response is called.
[[noreturn]] void refuse_improper(const ExportSubject&, const std::string& label);
/// The refusal of one branch. @param what  "has dead time"
[[noreturn]] void refuse_branch(const SignalFlowGraph&, const Branch&, const std::string& what, const std::string& hint);

}  // namespace sfg
