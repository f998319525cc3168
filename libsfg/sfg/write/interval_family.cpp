#include "sfg/write/margins.hpp"

#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::texts;

Page page(const IntervalFamily& family, const std::string& variable) {
  Page page;
  const std::size_t n = family.low.size() - 1;
  page.add(Paragraph{words("coefficients")});
  Table bounds{{{{}, false, 4}, {}}, {}, 1, false};
  for (std::size_t i = 0; i <= n; ++i)
    bounds.rows.push_back({{Math::power(Math::name(variable), Math::number(std::to_string(n - i)))},
                           words(coefficient_text(family.low[i]) + " .. " + coefficient_text(family.high[i]))});
  page.add(std::move(bounds));
  page.add(Paragraph{words("Kharitonov's polynomials")});
  Table four{{{}, {}}, {}, 1, false};
  for (std::size_t k = 0; k < 4; ++k)
    four.rows.push_back({words(family.counts[k].right + family.counts[k].axis == 0 ? "stable:" : "not stable:"),
                         {polynomial_math(family.polynomials[k], variable)}});
  page.add(std::move(four));
  if (family.fixed.size() > 1)
    page.add(Paragraph{{"note: the factor ", polynomial_math(family.fixed, variable),
                        " is the same for all of them: ", family.fixed_stable ? "stable" : "not stable"}});
  if (!family.independent) {
    std::string text = "note: the coefficients are not independent";
    for (std::size_t i = 0; i < family.shared.size(); ++i) text += (i == 0 ? ": several depend on " : ", ") + family.shared[i];
    page.add(Paragraph{words(text)});
  }
  page.add(Paragraph{words(
      family.all_stable      ? "stable: every polynomial between the bounds"
      : !family.fixed_stable ? "not stable: the factor that all have is not"
      : family.independent   ? "not stable: a polynomial of the family is not"
                           : "undecided: a polynomial between the bounds is not stable, which may be none of the parameters'")});
  return page;
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
