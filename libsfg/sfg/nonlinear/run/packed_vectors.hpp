#pragma once
#include <vector>

#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/packed.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

inline void pack(Packer& packer, const Eigen::VectorXd& x) { packer.add(std::vector<double>(x.begin(), x.end())); }
inline Eigen::VectorXd unpacked_vector(Unpacker& from) {
  const std::vector<double> x = from.list<double>();
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline void pack(Packer& packer, const std::vector<bool>& list) { packer.add(std::vector<char>(list.begin(), list.end())); }
inline std::vector<bool> unpacked_flags(Unpacker& from) {
  const std::vector<char> list = from.list<char>();
  return {list.begin(), list.end()};
}

/// A list, entry by entry. @param each  packs or takes one
template <class Entry, class Each>
void pack_each(Packer& packer, const std::vector<Entry>& list, Each each) {
  packer.add(static_cast<std::uint64_t>(list.size()));
  for (const Entry& entry : list) each(entry);
}
template <class Entry, class Each>
std::vector<Entry> unpacked_each(Unpacker& from, Each each) {
  std::vector<Entry> list;
  for (auto left = from.take<std::uint64_t>(); left > 0; --left) list.push_back(each());
  return list;
}

void pack(Packer&, const std::vector<RunEvent>&);
std::vector<RunEvent> unpacked_events(Unpacker&);

}  // namespace sfg
