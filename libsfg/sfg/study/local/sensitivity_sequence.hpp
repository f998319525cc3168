#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/sequence.hpp"

namespace sfg {

/// A transmittance and its derivatives by every parameter as one sequence of expressions: the sequence of the transmittance, then
/// one sweep back through it. Nothing is expanded, and the whole is a small multiple of the transmittance's own sequence, however
/// many parameters there are.
struct SensitivitySequence {
  struct Entry {
    std::string name;            ///< of the parameter k
    GiNaC::ex derivative, bode;  ///< ∂T/∂k and (k/T) ∂T/∂k, in names of the definitions
  };
  Question question;
  std::vector<TransferSequence::Definition> definitions = {};
  GiNaC::ex transfer;  ///< T
  std::vector<Entry> parameters = {};
  OperationCounts operations;
  TermCounts terms;           ///< of T
  Verification verification;  ///< of T and of a random combination of all derivatives
};

/// @throws as transfer_sequence().
SensitivitySequence sensitivity_sequence(const StudiedGraph&, const Question&, const SequenceOptions& = {});

}  // namespace sfg
