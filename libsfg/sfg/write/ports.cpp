#include "sfg/write/ports.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

std::string definition(const PortHeading& heading) {
  switch (heading.parameters) {
    case PortParameters::z: return "V = z I";
    case PortParameters::y: return "I = y V";
    case PortParameters::h: return "(V1, I2) = h (I1, V2)";
    case PortParameters::g: return "(I1, V2) = g (V1, I2)";
    case PortParameters::abcd: return "(V1, I1) = abcd (V2, -I2); -I2 leaves port 2";
    case PortParameters::s:
      return "b = s a, with a and b = (V ± z0 I)/(2 √z0), z0 = " + heading.z0 +
             (std::ranges::any_of(heading.ports, [](const Port& port) { return port.mode != Port::Mode::single; })
                  ? "; 2 z0 of a differential mode, z0/2 of a common one"
                  : "");
  }
  return {};
}

std::string meaning_of_port(const Port& port) {
  const std::string &a = port.plus, &b = port.minus;
  switch (port.mode) {
    case Port::Mode::differential:
      return "differential mode, V = v(" + a + ") - v(" + b + "), I = (i(" + a + ") - i(" + b + "))/2";
    case Port::Mode::common: return "common mode, V = (v(" + a + ") + v(" + b + "))/2, I = i(" + a + ") + i(" + b + ")";
    default: return "the current enters at " + a + " and leaves at " + b;
  }
}

}  // namespace

std::string name_of(PortParameters parameters) {
  switch (parameters) {
    case PortParameters::z: return "z";
    case PortParameters::y: return "y";
    case PortParameters::h: return "h";
    case PortParameters::g: return "g";
    case PortParameters::abcd: return "abcd";
    case PortParameters::s: return "s";
  }
  return {};
}

Page page(const PortHeading& heading) {
  Page page;
  page.add(Paragraph{words(name_of(heading.parameters) + " parameters: " + definition(heading))});
  for (std::size_t k = 0; k < heading.ports.size(); ++k)
    page.add(Paragraph{words("port " + std::to_string(k + 1) + ": " + meaning_of_port(heading.ports[k])), 1});
  page.add(Gap{});
  return page;
}

void write_json(std::ostream& out, const PortHeading& heading, const std::string& transfers) {
  const Json answer = Json::parse(transfers);
  Json json{{"schema", "sfg/ports/1"}, {"ports", Json::array()}, {"parameters", name_of(heading.parameters)}};
  for (const Port& port : heading.ports) json["ports"].push_back(Json::array({port.plus, port.minus}));
  if (std::ranges::any_of(heading.ports, [](const Port& port) { return port.mode != Port::Mode::single; })) {
    static constexpr const char* names[] = {"single", "differential", "common"};
    for (const Port& port : heading.ports) json["modes"].push_back(names[static_cast<std::size_t>(port.mode)]);
  }
  if (heading.parameters == PortParameters::s) json["z0"] = heading.z0;
  json["variable"] = answer.at("variable");
  const Json& entries = answer.at("transfers");
  const std::size_t n = heading.parameters == PortParameters::abcd ? 2 : heading.ports.size();
  json["matrix"] = Json::array();
  for (std::size_t row = 0; row < n; ++row) {
    Json list = Json::array();
    for (std::size_t column = 0; column < n; ++column) {
      const Json& entry = entries.at(column * n + row);
      list.push_back(entry.contains("expression") ? entry.at("expression") : Json(nullptr));
    }
    json["matrix"].push_back(std::move(list));
  }
  if (answer.contains("denominator")) json["denominator"] = answer.at("denominator");  // of all entries
  json["transfers"] = entries;
  out << json.dump() << '\n';
}

}  // namespace sfg
