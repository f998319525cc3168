#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <utility>

// Not installed.
namespace sfg {

/// The time functions f_k, g_k of 1/(s² + q)^k and s/(s² + q)^k from those of k = 1: from −t f_k = dF_k/ds and the same of g_k
/// follow g_(k+1) = t f_k/(2k) and f_(k+1) = ((2k − 1) f_k − t g_k)/(2kq).
inline std::pair<GiNaC::ex, GiNaC::ex> pair_functions(GiNaC::ex f, GiNaC::ex g, const GiNaC::ex& q, std::size_t k,
                                                      const GiNaC::ex& t) {
  for (std::size_t i = 1; i < k; ++i) {
    const GiNaC::ex twice = static_cast<unsigned long>(2 * i), next = ((twice - 1) * f - t * g) / (twice * q);
    g = t * f / twice;
    f = next;
  }
  return {f, g};
}

}  // namespace sfg
