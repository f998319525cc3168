#include "sfg/write/loop_sum.hpp"

#include <ginac/ginac.h>

#include <algorithm>

namespace sfg {

Math loop_sum(const MasonListing& listing, const std::vector<std::vector<std::size_t>>& sets, const GiNaC::ex& sum) {
  constexpr std::size_t most = 200;
  const std::string& op = listing.op.symbol();
  if (sets.size() > most) return math(sum, op);
  std::vector<GiNaC::ex> terms{1};
  for (const auto& set : sets) {
    GiNaC::ex term = set.size() % 2 == 0 ? 1 : -1;
    for (const std::size_t i : set) term *= listing.loops[i].gain;
    if (term.is_zero()) continue;
    const auto like = std::ranges::find_if(
        terms, [&](const GiNaC::ex& known) { return !known.is_zero() && GiNaC::is_exactly_a<GiNaC::numeric>(term / known); });
    if (like == terms.end())
      terms.push_back(term);
    else
      *like += term;
  }
  std::erase_if(terms, [](const GiNaC::ex& term) { return term.is_zero(); });
  std::vector<Math> written;
  for (const GiNaC::ex& term : terms)
    for (Math& part : sfg::terms(math(term, op))) written.push_back(std::move(part));
  return written.empty() ? Math::number("0") : Math::sum(std::move(written));
}

Math loop_sum(const MasonListing& listing) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t i = 0; i < listing.loops.size(); ++i) sets.push_back({i});
  sets.insert(sets.end(), listing.non_touching.begin(), listing.non_touching.end());
  return loop_sum(listing, sets, listing.determinant);
}

}  // namespace sfg
