#include "sfg/write/analog_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

std::string six_digits(double value) { return fmt::format("{:.6g}", value == 0 ? 0.0 : value); }

/// "-20*x1": what the output of the element is, in machine units.
std::string meaning(const AnalogElement& element) {
  const std::string scale = six_digits(element.scale);
  return (element.sign < 0 ? "-" : "") + (scale == "1" ? "" : scale + "*") + element.variable;
}

bool adds(const AnalogElement& element) {
  return element.kind == AnalogKind::INT || element.kind == AnalogKind::SUM || element.kind == AnalogKind::INV;
}

/// What a summing input is: "10 x P3 INV1".
std::string wire(const AnalogProgram& program, const AnalogElement& element, const AnalogElement::Input& input) {
  std::string text;
  if (adds(element) && input.gain != 1) text += six_digits(input.gain) + " x ";
  if (input.pot != 0) text += "P" + std::to_string(input.pot) + " ";
  return text + program.elements[input.from].id;
}

/// The inputs on lines of a width that a table has room for.
std::vector<std::string> wires(const AnalogProgram& program, const AnalogElement& element) {
  constexpr std::size_t room = 52;
  std::vector<std::string> lines(1);
  for (const auto& input : element.inputs) {
    const std::string next = wire(program, element, input);
    if (!lines.back().empty() && lines.back().size() + next.size() > room) {
      lines.back() += ",";
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : ", ") + next;
  }
  return lines;
}

std::string program_law(const AnalogProgram& program, std::size_t index) {
  const AnalogElement& element = program.elements[index];
  if (element.kind == AnalogKind::FG) return print(element.law);
  if (element.kind != AnalogKind::SRC) return "";
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (program.inputs[i] == index) {
      std::string text;
      for (const AnalogRun& run : program.runs)
        if (const std::string law = print(run.inputs[i]); law != "0") text += (text.empty() ? "" : " or ") + law;
      return text.empty() ? "0" : text;
    }
  return print(program.equations.signals[element.signal].law);
}

Table elements_table(const AnalogProgram& program) {
  Table table{{{words("element"), false, 9}, {words("output"), false, 14}, {words("inputs")}, {words("peak"), true, 9}}, {}, 1};
  for (std::size_t i = 0; i < program.elements.size(); ++i) {
    const AnalogElement& element = program.elements[i];
    const std::string law = program_law(program, i);
    std::vector<std::string> inputs = wires(program, element);
    if (element.kind == AnalogKind::FG) inputs.back() += ": " + law;
    if (element.kind == AnalogKind::SRC) inputs.back() = element.variable + " = " + law;
    table.rows.push_back({words(element.id), words(meaning(element)), words(inputs.front()), words(six_digits(element.peak))});
    for (std::size_t line = 1; line < inputs.size(); ++line)
      table.rows.push_back({words(""), words(""), words("  " + inputs[line]), words("")});
  }
  return table;
}

Table pots_table(const AnalogProgram& program) {
  Table table{{{words("pot"), false, 5}, {words("setting"), true, 9}, {words("from"), false, 6}, {words("to")}}, {}, 1};
  table.rows.resize(program.potentiometers);
  const auto put = [&](std::size_t pot, double setting, const std::string& from, const std::string& to) {
    table.rows[pot - 1] = {words("P" + std::to_string(pot)), words(fmt::format("{:.4f}", setting)), words(from), words(to)};
  };
  for (const AnalogElement& element : program.elements) {
    for (const auto& input : element.inputs)
      if (input.pot != 0)
        put(input.pot, input.alpha, program.elements[input.from].id,
            element.id + (input.gain == 1 ? "" : ", gain " + six_digits(input.gain)));
    if (element.pot != 0)
      put(element.pot, std::abs(element.initial) / program.machine_unit, element.initial > 0 ? "+E" : "-E",
          element.id + ", initial value");
  }
  return table;
}

Table test_table(const AnalogProgram& program) {
  Table table{{{words("element"), false, 9}, {words("output"), true, 10}, {words("dU/dtau"), true, 10}}, {}, 1};
  for (const AnalogElement& element : program.elements)
    table.rows.push_back({words(element.id), words(six_digits(element.test)),
                          words(element.kind == AnalogKind::INT ? six_digits(element.test_rate) : "")});
  return table;
}

Json input_json(const AnalogProgram& program, const AnalogElement& element, const AnalogElement::Input& input) {
  Json j{{"from", program.elements[input.from].id}};
  if (adds(element)) {
    j["gain"] = input.gain;
    j["pot"] = input.alpha;
    if (input.pot != 0) j["pot_id"] = "P" + std::to_string(input.pot);
  }
  return j;
}

Json element_json(const AnalogProgram& program, std::size_t index) {
  const AnalogElement& element = program.elements[index];
  Json j{{"id", element.id},       {"kind", to_string(element.kind)}, {"variable", element.variable}, {"sign", element.sign},
         {"scale", element.scale}, {"inputs", Json::array()},         {"ic", element.initial}};
  for (const auto& input : element.inputs) j["inputs"].push_back(input_json(program, element, input));
  if (element.pot != 0) j["ic_pot_id"] = "P" + std::to_string(element.pot);
  j["note"] = program_law(program, index);
  j["peak"] = number(element.peak);
  j["test"] = number(element.test);
  if (element.kind == AnalogKind::INT) j["test_rate"] = number(element.test_rate);
  return j;
}

Json ids(const AnalogProgram& program, const std::vector<std::size_t>& elements) {
  Json list = Json::array();
  for (const std::size_t element : elements) list.push_back(program.elements[element].id);
  return list;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Page page(const AnalogProgram& program) {
  Page page;
  page.title = program.title;
  page.add(Paragraph{words(fmt::format("machine unit E = {}, machine time tau = {} t, {} elements, {} potentiometers",
                                       six_digits(program.machine_unit), six_digits(program.time_scale), program.elements.size(),
                                       program.potentiometers))});
  page.add(Heading{words("Patching table")});
  page.add(elements_table(program));
  page.add(Paragraph{words("INT: dU/dtau = -(sum of the inputs); SUM, INV: U = -(sum of the inputs); MUL: U = U1*U2/E"), 1});
  if (program.potentiometers > 0) {
    page.add(Heading{words("Potentiometers")});
    page.add(pots_table(program));
  }
  page.add(Heading{words(program.test_values ? "Static test, integrators held as shown" : "Static test, at the initial values")});
  page.add(test_table(program));
  add_notes(page, program.notes);
  return page;
}

void write_json(std::ostream& out, const AnalogProgram& program) {
  Json j{
      {"schema", "sfg/export/1"},
      {"target", "analog"},
      {"title", program.title},
      {"machine_unit", program.machine_unit},
      {"lambda", program.time_scale},
      {"tau", "lambda*t"},
      {"until", program.until},
      {"scales", Json::object()},
      {"rules",
       {"INT: dU/dtau=-sum(gain*pot*U_in)", "SUM, INV: U=-sum(gain*pot*U_in)", "MUL: U=U_1*U_2/E", "ABS: U=|U_1|",
        "FG: U=note(x=U_1)", "SRC: sign*scale*note(t=tau/lambda)", "REF: sign*E", "output of an element = sign*scale*variable"}},
      {"elements", Json::array()}};
  for (const AnalogElement& element : program.elements) j["scales"][element.variable] = element.scale;
  for (std::size_t i = 0; i < program.elements.size(); ++i) j["elements"].push_back(element_json(program, i));
  j["inputs"] = ids(program, program.inputs);
  j["outputs"] = Json::object();
  for (std::size_t i = 0; i < program.outputs.size(); ++i)
    j["outputs"][program.output_names[i]] = program.elements[program.outputs[i]].id;
  j["runs"] = Json::array();
  for (const AnalogRun& run : program.runs) {
    Json inputs = Json::object();
    for (std::size_t i = 0; i < run.inputs.size(); ++i)
      inputs[program.elements[program.inputs[i]].variable] = print(run.inputs[i]);
    j["runs"].push_back({{"name", run.name}, {"inputs", inputs}});
  }
  j["time"] = json::numbers(program.times);
  j["responses"] = Json::array();
  for (const auto& run : program.responses) {
    Json signals = Json::object();
    for (std::size_t i = 0; i < run.size(); ++i) signals[program.output_names[i]] = json::numbers(run[i]);
    j["responses"].push_back(std::move(signals));
  }
  j["errors"] = Json::array();
  for (const auto& run : program.errors) {
    Json signals = Json::object();
    for (std::size_t i = 0; i < run.size(); ++i) signals[program.output_names[i]] = json::number(run[i]);
    j["errors"].push_back(std::move(signals));
  }
  j["test_held"] = program.test_values;
  j["warnings"] = json::texts(program.notes, true);
  j["notes"] = json::texts(program.notes, false);
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const AnalogProgram& program) {
  out << "element,kind,variable,sign,scale,initial,from,gain,potentiometer,setting,law,peak,test\n";
  for (std::size_t i = 0; i < program.elements.size(); ++i) {
    const AnalogElement& element = program.elements[i];
    const std::string head = fmt::format("{},{},{},{},{},{}", element.id, to_string(element.kind), csv_field(element.variable),
                                         element.sign, print(element.scale), print(element.initial));
    const std::string tail =
        fmt::format("{},{},{}", csv_field(program_law(program, i)), print(element.peak), print(element.test));
    if (element.inputs.empty()) out << head << ",,,,," << tail << '\n';
    for (const auto& input : element.inputs)
      out << head << ',' << program.elements[input.from].id << ',' << (adds(element) ? print(input.gain) : "") << ','
          << (input.pot != 0 ? "P" + std::to_string(input.pot) : "") << ',' << (adds(element) ? print(input.alpha) : "") << ','
          << tail << '\n';
  }
}

}  // namespace sfg
