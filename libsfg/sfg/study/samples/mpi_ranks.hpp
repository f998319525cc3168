#pragma once
#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {

/// The processes that mpirun started. In a library of its own, sfg::mpi: nothing else needs MPI. One at a time; made before other
/// threads are.
class MpiRanks : public Ranks {
 public:
  MpiRanks();
  /// All ranks get here, or the process ends by a signal: MPI ends the others then.
  ~MpiRanks() override;
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  std::vector<std::string> gathered(const std::string& said) override;
  std::string broadcast(const std::string& said) override;

  /// Whether this process was started by mpirun.
  static bool started();

 private:
  unsigned rank_ = 0, size_ = 1;
};

}  // namespace sfg
