#include "sfg/write/balance.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using AbsoluteVerdict = AbsoluteStability::Verdict;

std::string upper(const AbsoluteStability& answer) { return answer.sector.high ? readable(*answer.sector.high) : "infinity"; }

Prose absolute_verdict(const AbsoluteVerdict& found, const AbsoluteStability& answer) {
  const std::string low = readable(answer.sector.low);
  if (found.none) return words("does not hold, not even for f(u) = " + low + " u");
  const std::string reach = found.largest
                                ? "sectors from " + low + " up to " + exact::decimal(exact::Rational::of(*found.largest), 6)
                                : "every sector from " + low + " on";
  return words((found.holds ? "holds; covers " : "does not hold; it covers ") + reach +
               (found.q ? " (with q = " + readable(exact::rounded(*found.q, 6)) + " for this one)" : ""));
}

Json json_of_verdict(const AbsoluteVerdict& found) {
  Json json{{"holds", found.holds}, {"largest", nullptr}};
  if (found.largest) json["largest"] = *found.largest;
  json["unbounded"] = !found.none && !found.largest;
  if (found.q) json["q"] = found.q->to_double();
  return json;
}

}  // namespace

Page page(const AbsoluteStability& answer) {
  Page page;
  page.title = "Absolute stability";
  const bool proven = answer.circle.holds || (answer.popov && answer.popov->holds);
  page.add(Paragraph{
      words(proven ? "Stable at large for every law in the sector." : "Stability at large is not proven for the sector.")});
  Table table = summary({{words("law"), words("f(u) = " + answer.law + ", u = " + answer.signal)},
                         {words("sector"), words(readable(answer.sector.low) + " <= f(u)/u <= " + upper(answer) +
                                                 (answer.stated ? " (stated)" : " (found from the law)"))}});
  page.add(std::move(table));
  Equations linear{{}, "s", 0};
  linear.rows.push_back(
      {Math::name("G"),
       {Math::quotient(polynomial_math(answer.N.coefficients(), "s"), polynomial_math(answer.D.coefficients(), "s"))}});
  page.add(std::move(linear));
  std::vector<std::vector<Prose>> rows{{words("linear gains (necessary)"), absolute_verdict(answer.linear, answer)},
                                       {words("circle criterion"), absolute_verdict(answer.circle, answer)}};
  if (answer.popov)
    rows.push_back({words("Popov criterion"), absolute_verdict(*answer.popov, answer)});
  else
    rows.push_back({words("Popov criterion"), words("not for laws that change with time")});
  page.add(summary(std::move(rows)));
  return page;
}

void write_json(std::ostream& out, const AbsoluteStability& answer) {
  Json json{{"schema", "sfg/absolute/1"},
            {"law", answer.law},
            {"signal", answer.signal},
            {"sector", {answer.sector.low.to_double(), nullptr}},
            {"numerator", answer.N.doubles()},
            {"denominator", answer.D.doubles()},
            {"linear", json_of_verdict(answer.linear)},
            {"circle", json_of_verdict(answer.circle)},
            {"popov", nullptr}};
  if (answer.sector.high) json["sector"][1] = answer.sector.high->to_double();
  if (answer.popov) json["popov"] = json_of_verdict(*answer.popov);
  out << json.dump() << '\n';
}

}  // namespace sfg
