#include "sfg/write/interval_family.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::texts;

void write_text(std::ostream& out, const IntervalFamily& family, const std::string& variable) {
  const std::size_t n = family.low.size() - 1;
  out << "coefficients\n";
  for (std::size_t i = 0; i <= n; ++i)
    fmt::print(out, "  {}^{:<3} {} .. {}\n", variable, n - i, coefficient_text(family.low[i]), coefficient_text(family.high[i]));
  out << "Kharitonov's polynomials\n";
  for (std::size_t k = 0; k < 4; ++k)
    fmt::print(out, "  {}: {}\n", family.counts[k].right + family.counts[k].axis == 0 ? "stable    " : "not stable",
               polynomial_text(family.polynomials[k], variable));
  if (family.fixed.size() > 1)
    fmt::print(out, "note: the factor {} is the same for all of them: {}\n", polynomial_text(family.fixed, variable),
               family.fixed_stable ? "stable" : "not stable");
  if (!family.independent) {
    out << "note: the coefficients are not independent";
    for (std::size_t i = 0; i < family.shared.size(); ++i) out << (i == 0 ? ": several depend on " : ", ") << family.shared[i];
    out << "\n";
  }
  out << (family.all_stable      ? "stable: every polynomial between the bounds\n"
          : !family.fixed_stable ? "not stable: the factor that all have is not\n"
          : family.independent
              ? "not stable: a polynomial of the family is not\n"
              : "undecided: a polynomial between the bounds is not stable, which may be none of the parameters'\n");
}

void write_json(std::ostream& out, const IntervalFamily& family, const std::string& variable) {
  Json j{{"schema", "sfg/routh/1"},
         {"variable", variable},
         {"low", texts(family.low)},
         {"high", texts(family.high)},
         {"kharitonov", Json::array()}};
  for (std::size_t k = 0; k < 4; ++k)
    j["kharitonov"].push_back(
        {{"polynomial", texts(family.polynomials[k])},
         {"expression", polynomial_text(family.polynomials[k], variable)},
         {"counts", {{"rhp", family.counts[k].right}, {"jw", family.counts[k].axis}, {"lhp", family.counts[k].left}}}});
  j["independent"] = family.independent;
  j["shared"] = family.shared;
  if (family.fixed.size() > 1) j["fixed"] = {{"polynomial", texts(family.fixed)}, {"stable", family.fixed_stable}};
  j["verdict"] = family.all_stable ? "stable" : family.independent || !family.fixed_stable ? "not stable" : "undecided";
  out << j.dump() << '\n';
}

}  // namespace sfg
