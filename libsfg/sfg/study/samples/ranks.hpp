#pragma once
#include <string>
#include <vector>

namespace sfg {

/// Processes that work on one study, each with the same program and the same input. Rank 0 reads and writes.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  /// What every rank says, at rank 0; elsewhere nothing. Waits for all.
  virtual std::vector<std::string> gathered(const std::string& said) = 0;
  /// What rank 0 says, at every rank.
  virtual std::string broadcast(const std::string& said) = 0;
};

}  // namespace sfg
