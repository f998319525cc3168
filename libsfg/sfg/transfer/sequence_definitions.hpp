#pragma once
#include <ginac/ex.h>
#include <ginac/hash_map.h>

#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/transfer/sequence.hpp"

namespace sfg {

/// A product while a sequence is being written; its factors are gains and names.
struct SequenceTerm {
  bool negative = false;
  GiNaC::exvector factors;

  SequenceTerm& operator*=(const SequenceTerm&);
  SequenceTerm& operator/=(const SequenceTerm&);
  GiNaC::ex value() const;
};

/// Decides what gets a name, and keeps the definitions.
class SequenceWriter {
 public:
  SequenceWriter(std::string prefix, std::vector<TransferSequence::Definition>& definitions)
      : prefix_(std::move(prefix)), definitions_(definitions) {}

  /// An expression that occurs so many times: itself, or a name where it is more than an atom and occurs again.
  SequenceTerm term(const GiNaC::ex& value, std::size_t uses);
  /// A sum of products that is used so many times. A sum always gets a name, so that nothing nests; a product when it is
  /// used again.
  SequenceTerm stored(const std::vector<SequenceTerm>& terms, std::size_t uses);

  static GiNaC::ex sum(const std::vector<SequenceTerm>& terms);

 private:
  /// A name for the value: that of an equal one, where there is one.
  GiNaC::ex defined(const GiNaC::ex& value);

  std::string prefix_;
  std::vector<TransferSequence::Definition>& definitions_;
  GiNaC::exhashmap<GiNaC::ex> names_;  ///< by value; looked up only
};

/// A letter such that letter and number are no name of the graph, neither of a symbol nor of a node.
std::string unused_prefix(const SignalFlowGraph&);

}  // namespace sfg
