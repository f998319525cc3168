#include <fcntl.h>
#include <unistd.h>

#include "sfg/study/samples/mpi_ranks.hpp"
#include "tools/frame/ranks.hpp"

namespace sfg::command {

std::unique_ptr<Ranks> ranks_of_process() {
  if (!MpiRanks::started()) return nullptr;
  auto ranks = std::make_unique<MpiRanks>();
  if (ranks->rank() != 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  return ranks;
}

bool knows_mpi() { return true; }

}  // namespace sfg::command
