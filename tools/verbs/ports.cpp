// ports: what a circuit shows at its ports, as matrices of two-port theory.
#include <map>
#include <optional>
#include <sstream>

#include "sfg/exact/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/measurement/touchstone.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/write/frequency_response.hpp"
#include "sfg/write/ports.hpp"
#include "tools/frame/forms.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

const std::map<std::string, PortParameters>& kinds() {
  static const std::map<std::string, PortParameters> table{{"z", PortParameters::z}, {"y", PortParameters::y},
                                                           {"h", PortParameters::h}, {"g", PortParameters::g},
                                                           {"s", PortParameters::s}, {"abcd", PortParameters::abcd}};
  return table;
}

std::vector<Port> ports_of(const Arguments& arguments, const auto& circuit) {
  std::vector<Port> ports;
  for (const std::string& text : arguments.list("port"))
    ports.push_back(as_usage("--port " + text, [&] { return port_between(text, circuit); }));
  if (ports.empty()) throw UsageError("no port is named", "write --port A,B (or --port A, against ground) for each");
  return ports;
}

[[noreturn]] void refuse_port(const std::string& name, const NoAnswer& reason, const SourceSpan& where) {
  static const std::map<std::string, std::string> given{{"z", "the currents at the ports"},
                                                        {"y", "the voltages at the ports"},
                                                        {"h", "the current at port 1 and the voltage at port 2"},
                                                        {"g", "the voltage at port 1 and the current at port 2"},
                                                        {"s", "the incoming waves"},
                                                        {"abcd", "voltage and current at port 2"}};
  throw NoAnswer("the " + name + " parameters do not exist: " + given.at(name) +
                     " cannot be chosen at will, or do not determine the rest (" + reason.what() + ")",
                 name == "s" ? "check the circuit" : "ask for other parameters: --as s, say", where);
}

/// --data; of its reference resistance is the answer, where no other is stated.
std::optional<MeasuredPorts> measured_ports(Task& task, const std::string& parameters, std::size_t ports) {
  const std::string file = task.arguments.text("data");
  if (file.empty()) return {};
  if (parameters != "s") throw UsageError("--data is of the s parameters", "add --as s, or leave it out");
  MeasuredPorts found = read_touchstone(text_of_file(file), file);
  if (found.ports != ports)
    throw UsageError("--data " + file + " is of " + std::to_string(found.ports) +
                         (found.ports == 1 ? " port, and " : " ports, and ") + std::to_string(ports) + " are named",
                     "give as many --port as the file has, in its order");
  task.notes.insert(task.notes.end(), found.notes.begin(), found.notes.end());
  const exact::Rational z0 = exact::Rational::of(found.z0);
  if (task.arguments.has("z0") && positive_value_of("--z0", task.arguments.text("z0")).to_double() != found.z0)
    throw UsageError(
        "--data " + file + " is about " + exact::decimal(z0, 6) + " ohm, and --z0 about " + task.arguments.text("z0"),
        "leave --z0 out: it is then that of the file");
  return found;
}

/// The answer in symbols, and the file beside its values.
void write_ports(Task& task, const PortHeading& heading, const SignalFlowGraph& graph,
                 const std::optional<MeasuredPorts>& measured) {
  if (singular_with_values(graph, task.budget))
    throw NoAnswer("with the stated values the equations have no unique solution", "change a value", graph.where);
  FormAnswer entries = in_form(task, graph, questions(graph));
  std::vector<MeasuredTransfer> there;
  if (measured)
    there = beside(*measured,
                   frequency_responses(graph, questions(graph), {.frequency = measured->frequency, .budget = task.budget}));
  if (const auto* json = std::get_if<std::string>(&entries)) {
    std::ostringstream text;
    write_json(text, heading, *json);
    task.out << (measured ? with_measured(text.str(), *measured, there) : text.str());
    return;
  }
  Page whole = page(heading);
  whole.add(std::get<Page>(std::move(entries)));
  if (measured) whole.add(page(*measured, there));
  show(task, whole);
}

int run_ports(Task& task) {
  const Arguments& arguments = task.arguments;
  check_form(arguments);
  const std::string name = arguments.text("as", "z");
  const PortParameters parameters = kinds().at(name);
  if (arguments.has("z0") && name != "s") throw UsageError("--z0 is of the s parameters", "add --as s, or leave it out");
  const Subject subject = subject_of(task);
  const auto* circuit = subject.circuit();
  if (circuit == nullptr) throw UsageError("ports are those of a circuit", "give a netlist (.cir)");
  const std::vector<Port> ports = ports_of(arguments, *circuit);
  if ((name == "h" || name == "g" || name == "abcd") && ports.size() != 2)
    throw UsageError("the " + name + " parameters are those of two ports, not of " + std::to_string(ports.size()),
                     "give two --port, or ask for z, y or s");
  const std::optional<MeasuredPorts> measured = measured_ports(task, name, ports.size());
  const exact::Rational z0 = measured ? exact::Rational::of(measured->z0) : positive_value_of("--z0", arguments.text("z0", "50"));
  task.working("deriving the equations");
  const PortHeading heading{ports, parameters, z0.text()};
  try {
    const EquationSystem system = port_equations(*circuit, ports, parameters, GiNaC::numeric(z0.text().c_str()));
    write_ports(task, heading, from_equations(system).graph, measured);
  } catch (const NoAnswer& reason) {
    refuse_port(name, reason, circuit->where);
  }
  return 0;
}

}  // namespace

Verb ports() {
  std::vector<Option> options{
      {"--port",
       "A[,B]",
       "a port: the current enters at node A and leaves at B (ground when absent); dm(A,B) and cm(A,B) are "
       "the differential and the common mode of the pair; repeatable",
       Option::Kind::text,
       {},
       true},
      formerly("--parameters", {"--as",
                                "KIND",
                                "z, y or s of any number of ports; h, g or abcd of two (default z)",
                                Option::Kind::choice,
                                {"z", "y", "h", "g", "abcd", "s"}}),
      {"--z0", "OHM", "reference resistance of the s parameters, the same at every port (default 50); of modes 2 OHM and OHM/2"}};
  options.push_back(
      {"--data", "FILE.s2p", "measured s parameters (Touchstone 1: .s1p, .s2p) beside the model's, with a measure of misfit"});
  for (Option& option : form_options()) options.push_back(std::move(option));
  return {.name = "ports",
          .summary = "impedances and two-port parameters of a circuit",
          .details =
              "The circuit's own sources are off. A port lies between two nodes of the netlist; a part of the circuit without "
              "a way to ground may have one too. The impedance of one port is also `tf --from 'port(A,B)' --to z`, and any "
              "other verb takes that.",
          .options = std::move(options),
          .examples = {"sfg ports examples/tee.cir --port 1 --port 2 --as s --z0 50",
                       "sfg ports examples/tee.cir --port 1,2 --as z --form factored",
                       "sfg ports examples/tee.cir --port 'dm(1,2)' --port 'cm(1,2)'",
                       "sfg bode examples/tee.cir --from 'port(1,0)' --to z -o impedance.svg"},
          .run = run_ports,
          .refuses = {{"--from", "ports are named by --port"},
                      {"--to", "ports are named by --port"},
                      {"--ratio", "ports are named by --port"},
                      {"--inject", "ports are named by --port"}}};
}

}  // namespace sfg::command
