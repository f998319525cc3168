#pragma once
#include <ginac/ginac.h>

#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/ring/modular.hpp"

// What the benchmark programs share: the clock, the point at which answers are compared, the line they print.
namespace sfg::benchmark {

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The least time of some runs, each timed from its beginning to its end; it ends early after five seconds.
template <class Work>
double best_of(int runs, const Work& work) {
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int k = 0; k < runs && spent < 5; ++k) {
    const Clock clock;
    work();
    const double seconds = clock.seconds();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

/// The value every program gives to a symbol, so that their answers can be compared: 2 … 1010, from its name.
inline std::uint64_t value_of(std::string_view name) {
  std::uint64_t h = 7;
  for (const char c : name) h = (h * 131 + static_cast<unsigned char>(c)) % 1009;
  return h + 2;
}

/// Values of expressions modulo 2^61 − 1 at that point; definitions may be added.
class ComparisonPoint {
 public:
  void define(const GiNaC::ex& symbol, const GiNaC::ex& value) { known_[symbol] = (*this)(value); }
  std::uint64_t operator()(const GiNaC::ex& e) const {
    if (const auto at = known_.find(e); at != known_.end()) return at->second;
    if (GiNaC::is_a<GiNaC::symbol>(e)) return value_of(GiNaC::ex_to<GiNaC::symbol>(e).get_name());
    if (GiNaC::is_a<GiNaC::numeric>(e)) {
      const auto& n = GiNaC::ex_to<GiNaC::numeric>(e);
      return field_.divide(residue(n.numer()), residue(n.denom()));
    }
    if (GiNaC::is_a<GiNaC::power>(e)) {
      const long exponent = GiNaC::ex_to<GiNaC::numeric>(e.op(1)).to_long();
      const std::uint64_t power = field_.power((*this)(e.op(0)), static_cast<std::uint64_t>(std::abs(exponent)));
      return exponent < 0 ? field_.divide(1, power) : power;
    }
    const bool sum = GiNaC::is_a<GiNaC::add>(e);
    std::uint64_t result = sum ? 0 : 1;
    for (std::size_t i = 0; i < e.nops(); ++i)
      result = sum ? field_.add(result, (*this)(e.op(i))) : field_.multiply(result, (*this)(e.op(i)));
    return result;
  }
  const ring::ModularRing& field() const { return field_; }

 private:
  std::uint64_t residue(const GiNaC::numeric& n) const {
    const GiNaC::numeric m = GiNaC::mod(n, GiNaC::numeric(std::to_string(field_.prime()).c_str()));
    std::uint64_t result = 0;  // below 2^61: two halves fit a long each
    const GiNaC::numeric half = GiNaC::numeric(2).power(31);
    result = static_cast<std::uint64_t>(GiNaC::iquo(m, half).to_long()) << 31;
    return result + static_cast<std::uint64_t>(GiNaC::irem(m, half).to_long());
  }
  ring::ModularRing field_{ring::ModularRing::mersenne61};
  std::map<GiNaC::ex, std::uint64_t, GiNaC::ex_is_less> known_;
};

/// One line of JSON.
inline void print_line(const std::vector<std::pair<std::string, double>>& numbers,
                       const std::vector<std::pair<std::string, std::string>>& texts = {}) {
  std::cout << std::setprecision(9) << '{';
  bool first = true;
  for (const auto& [name, value] : numbers)
    std::cout << (std::exchange(first, false) ? "" : ", ") << '"' << name << "\": " << value;
  for (const auto& [name, value] : texts)
    std::cout << (std::exchange(first, false) ? "" : ", ") << '"' << name << "\": \"" << value << '"';
  std::cout << "}" << std::endl;
}

/// main() of a program that is told what to time and on which file.
inline int program(int argc, char** argv, int (*run)(const std::string& what, const std::string& file)) {
  if (argc != 3) return 2;
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}

}  // namespace sfg::benchmark
