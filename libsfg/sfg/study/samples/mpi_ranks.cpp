#include "sfg/study/samples/mpi_ranks.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace sfg {

namespace {

int as_count(std::uint64_t bytes) {
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    throw std::length_error("MpiRanks: more than two gigabytes at once");
  return static_cast<int>(bytes);
}

}  // namespace

bool MpiRanks::started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

MpiRanks::MpiRanks() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<unsigned>(rank);
  size_ = static_cast<unsigned>(size);
}

MpiRanks::~MpiRanks() { MPI_Finalize(); }

std::vector<std::string> MpiRanks::gathered(const std::string& said) {
  const int own = as_count(said.size());
  std::vector<int> sizes(size_), offsets(size_);
  MPI_Gather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::uint64_t all = 0;
  for (unsigned r = 0; r < size_; ++r) {
    offsets[r] = as_count(all);
    all += static_cast<std::uint64_t>(sizes[r]);
  }
  std::string bytes(static_cast<std::size_t>(rank_ == 0 ? as_count(all) : 0), '\0');
  MPI_Gatherv(said.data(), own, MPI_BYTE, bytes.data(), sizes.data(), offsets.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  std::vector<std::string> result;
  for (unsigned r = 0; rank_ == 0 && r < size_; ++r)
    result.push_back(bytes.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(sizes[r])));
  return result;
}

std::string MpiRanks::broadcast(const std::string& said) {
  int size = as_count(said.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::string bytes = said;
  bytes.resize(static_cast<std::size_t>(size));
  MPI_Bcast(bytes.data(), size, MPI_BYTE, 0, MPI_COMM_WORLD);
  return bytes;
}

}  // namespace sfg
