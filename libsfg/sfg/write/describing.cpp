#include "sfg/write/balance.hpp"

#include <cmath>
#include <ostream>
#include <utility>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;

Page page(const DescribingPlane& plane, bool hertz) {
  const double unit = hertz ? per_hertz : 1;
  Page page;
  page.add(Paragraph{{"crossings of L(jw) and -1/N(A), where one harmonic balances; A of ", Math::signal(plane.signal)}});
  const Prose frequency = hertz ? Prose{words("f, Hz")} : Prose{Math::name("omega"), ", rad/s"};
  Table table{{{frequency, true, 12},
               {words("A"), true, 14},
               {words("real part"), true, 14},
               {words("imaginary part"), true, 14},
               {words("limit cycle")}},
              {},
              0};
  for (const auto& crossing : plane.crossings)
    table.rows.push_back(
        {{number_math(crossing.frequency / unit)},
         {number_math(crossing.amplitude)},
         {number_math(crossing.place.real())},
         {number_math(std::abs(crossing.place.imag()) < 1e-9 * std::abs(crossing.place) ? 0 : crossing.place.imag())},
         words(crossing.stable ? "stable" : "unstable")});
  if (plane.crossings.empty())
    page.add(Paragraph{words("none in these frequencies")});
  else
    page.add(std::move(table));
  return page;
}

void write_json(std::ostream& out, const DescribingPlane& plane) {
  Json j{{"schema", "sfg/balance/1"}, {"signal", plane.signal}, {"crossings", Json::array()}};
  for (const auto& crossing : plane.crossings)
    j["crossings"].push_back({{"frequency", crossing.frequency},
                              {"amplitude", crossing.amplitude},
                              {"place", json::complex(crossing.place)},
                              {"stable", crossing.stable}});
  j["loop"] = {{"frequency", json::numbers(plane.frequency)}, {"value", Json::array()}};
  for (const auto& value : plane.loop) j["loop"]["value"].push_back(json::complex(value));
  j["critical"] = {{"amplitude", json::numbers(plane.amplitude)}, {"value", Json::array()}};
  for (const auto& value : plane.critical) j["critical"]["value"].push_back(json::complex(value));
  out << j.dump() << '\n';
}

}  // namespace sfg
