// sfg._core: what the package sfg is made of. A question is asked as on the command line, in words, and answered in JSON; graphs
// and transfer functions are kept as they are. Every call works on the formula thread and gives its failures to
// sfg._errors.failure as they are told to users of the command.
#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <variant>

#include "python/calls.hpp"
#include "python/evaluation.hpp"
#include "python/formula_thread.hpp"
#include "python/graph.hpp"
#include "python/transfer.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/input.hpp"
#include "sfg/version.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/packed_samples.hpp"
#include "tools/frame/reply.hpp"
#include "tools/frame/verb_table.hpp"

namespace sfg::python {

namespace {

namespace py = pybind11;
using command::Ending;
using Words = std::vector<std::string>;

[[noreturn]] void raise(const Ending& ending) {
  const py::object failure = py::module_::import("sfg._errors").attr("failure");
  const py::object exception = failure(ending.kind, command::json_of(ending.problems));
  PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

// ---- questions in words

std::optional<command::GivenInput> given(const std::optional<std::pair<std::string, std::string>>& text) {
  if (!text) return {};
  return command::GivenInput{text->first, text->second};
}

/// (status, result, notes as JSON, kind of the failure or None, its problems as JSON, names of the columns of samples, these as
/// bytes, a double after the other, sample by sample)
py::tuple answer_and_samples(const Words& words, const std::optional<std::pair<std::string, std::string>>& text,
                             const CallLimits& limits, bool samples) {
  struct Outcome {
    command::VerbReply reply;
    Words names;
    std::string rows;
  };
  const auto found = on_thread(limits, [words, input = given(text), samples](const Budget& budget) {
    std::optional<command::PackedSamples> packed;
    if (samples) packed.emplace();
    Outcome outcome{command::reply(words, budget, input ? &*input : nullptr), {}, {}};
    if (packed) outcome.names = std::move(packed->names), outcome.rows = std::move(packed->rows);
    return outcome;
  });
  const command::VerbReply& reply = found.reply;
  return py::make_tuple(reply.status, py::bytes(reply.said.text), command::json_of(reply.said.notes),
                        reply.ending ? py::object(py::str(reply.ending->kind)) : py::object(py::none()),
                        reply.ending ? command::json_of(reply.ending->problems) : "[]", found.names, py::bytes(found.rows));
}

/// The first five of these.
py::tuple answer(const Words& words, const std::optional<std::pair<std::string, std::string>>& text, const CallLimits& limits) {
  const py::tuple found = answer_and_samples(words, text, limits, false);
  return py::make_tuple(found[0], found[1], found[2], found[3], found[4]);
}

/// The options of a verb, under their older names, too: {name: whether it is repeatable}; of a switch None.
py::dict options(const std::string& verb) {
  py::dict known;
  const auto add = [&](const std::vector<command::Option>& table) {
    for (const command::Option& option : table) {
      const py::object repeatable = option.value.empty() ? py::object(py::none()) : py::bool_(option.repeatable);
      known[py::str(option.name.substr(2))] = repeatable;
      for (const std::string& name : option.formerly) known[py::str(name.substr(2))] = repeatable;
    }
  };
  add(command::verb_named({verb}).options);
  add(command::common_options());
  return known;
}

/// The name of the format that a text is in, by what it begins with; "" where that does not tell it.
std::string format_of(const std::string& text) {
  const auto format = format_by_text(text);
  const auto names = format_names();
  return format ? std::ranges::find(names, *format, &FormatName::format)->name : "";
}

std::vector<std::string> verbs() {
  std::vector<std::string> names;
  for (const command::Verb& verb : command::verb_table()) names.push_back(verb.name);
  return names;
}

// ---- graphs

class Graph {
 public:
  explicit Graph(Sketch sketch) : sketch_(on_formula_thread(std::move(sketch))) {}
  explicit Graph(std::shared_ptr<Sketch> sketch) : sketch_(std::move(sketch)) {}

  template <class Work>
  auto work(const Work& work, const CallLimits& limits = {}) const {
    return on_thread(limits, [sketch = sketch_, work](const Budget& budget) {
      if constexpr (std::is_invocable_v<Work, Sketch&, const Budget&>) {
        return work(*sketch, budget);
      } else if constexpr (std::is_void_v<std::invoke_result_t<Work, Sketch&>>) {
        work(*sketch);
        return std::monostate();
      } else {
        return work(*sketch);
      }
    });
  }

  /// A change that takes microseconds. @param text  what there is to be read of it: a long one is better interruptible
  template <class Change>
  void change(const std::string& text, const Change& change) const {
    constexpr std::size_t soon_read = 1000;
    if (text.size() > soon_read) return static_cast<void>(work(change));
    at_once([sketch = sketch_, change](const Budget&) {
      change(*sketch);
      return std::monostate();
    });
  }

 private:
  std::shared_ptr<Sketch> sketch_;
};

Graph new_graph(const GraphHead& head) {
  return Graph(at_once([head](const Budget&) { return on_formula_thread(sketch(head)); }));
}

Graph graph_of_dot(const std::string& text) {
  return Graph(on_thread({}, [text](const Budget&) { return on_formula_thread(Sketch(read_dot(text, of_no_file))); }));
}

/// (the graph, or None for a model that one is derived from; notes as JSON)
py::tuple read_input(const Words& words, const std::optional<std::pair<std::string, std::string>>& text) {
  struct Found {
    std::shared_ptr<Sketch> graph;
    std::vector<Diagnostic> notes;
  };
  struct Outcome {
    Found found;
    std::optional<Ending> ending;
  };
  const auto outcome = on_thread({}, [words, input = given(text)](const Budget& budget) {
    Outcome outcome;
    try {
      const command::Verb& verb = command::verb_named(words);
      const command::Arguments arguments(verb, std::span(words).subspan(1));
      std::ostringstream out;
      command::Task task{arguments, budget, out, outcome.found.notes, [](const char*) {}};
      task.given = input ? &*input : nullptr;
      const Subject subject = command::subject_of(task);
      if (const auto* graph = std::get_if<SignalFlowGraph>(&subject.input().content))
        outcome.found.graph = on_formula_thread(Sketch(*graph));
    } catch (...) {
      outcome.ending = command::ending_of_failure("", input ? input->name : "", 0);
    }
    return outcome;
  });
  if (outcome.ending) raise(*outcome.ending);
  return py::make_tuple(outcome.found.graph ? py::cast(Graph(outcome.found.graph)) : py::none(),
                        command::json_of(outcome.found.notes));
}

py::dict parameter(const StatedParameter& stated) {
  py::dict entry;
  for (const auto& [key, text] : {std::pair{"value", stated.value},
                                  {"unit", stated.unit},
                                  {"tolerance", stated.tolerance},
                                  {"distribution", stated.distribution},
                                  {"text", stated.text}})
    if (!text.empty()) entry[key] = text;
  return entry;
}

/// {"title", "variable", "sample_time", "inputs", "outputs", "parameters", "nodes", "branches"}
py::dict tables_of(const Graph& graph) {
  const GraphTables found = graph.work([](Sketch& sketch) { return tables(sketch); });
  py::dict parameters;
  for (const StatedParameter& stated : found.parameters) parameters[py::str(stated.name)] = parameter(stated);
  py::list branches;
  for (const GraphTables::Line& line : found.branches)
    branches.append(py::make_tuple(line.from, line.to, line.gain, line.law, line.arguments));
  using namespace py::literals;
  return py::dict("title"_a = found.head.title, "variable"_a = found.head.variable, "sample_time"_a = found.head.sample_time,
                  "inputs"_a = found.head.inputs, "outputs"_a = found.head.outputs, "parameters"_a = parameters,
                  "nodes"_a = found.nodes, "branches"_a = branches);
}

// ---- transfer functions

class Transfer {
 public:
  Transfer(const Graph& graph, const NamedQuestion& question, bool closed, const CallLimits& limits)
      : transfer_(graph.work(
            [question, closed](Sketch& sketch, const Budget& budget) {
              auto made = on_formula_thread(TransferOf(sketch.whole(), question));
              if (closed) made->closed(budget);
              return made;
            },
            limits)) {}

  template <class Work>
  auto work(const CallLimits& limits, Work work) const {
    return on_thread(limits, [transfer = transfer_, work](const Budget& budget) { return work(*transfer, budget); });
  }
  std::pair<std::string, std::string> ends() const {
    return at_once([transfer = transfer_](const Budget&) { return std::pair(transfer->input(), transfer->output()); });
  }

 private:
  std::shared_ptr<TransferOf> transfer_;
};

template <class T>
py::array_t<T> array(const std::vector<T>& values, const py::array& like) {
  py::array_t<T> made(std::vector<py::ssize_t>(like.shape(), like.shape() + like.ndim()));
  std::copy(values.begin(), values.end(), made.mutable_data());
  return made;
}

template <class T>
std::vector<T> values_of(const py::array_t<T, py::array::c_style | py::array::forcecast>& given) {
  return {given.data(), given.data() + given.size()};
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// (samples, notes as JSON)
py::tuple response(const Transfer& transfer, bool impulse, const Numbers& times, const Words& values, std::size_t pade,
                   const CallLimits& limits) {
  const Samples found =
      transfer.work(limits, [impulse, times = values_of(times), values, pade](TransferOf& t, const Budget& budget) {
        return t.response(impulse ? Excitation::impulse : Excitation::step, times, values, pade, budget);
      });
  return py::make_tuple(array(found.value, times), command::json_of(found.notes));
}

void define_graph(py::module_& m) {
  py::class_<Graph>(m, "Graph")
      .def_static("of_dot", graph_of_dot)
      .def("state",
           [](const Graph& g, const std::string& name, const std::string& value, const std::string& unit,
              const std::string& tolerance, const std::string& distribution, const std::string& text) {
             g.change(value, [stated = StatedParameter{name, value, unit, tolerance, distribution, text}](Sketch& s) {
               state(s, stated);
             });
           })
      .def("node", [](const Graph& g, const std::string& name) { g.change("", [name](Sketch& s) { s.graph.node(name); }); })
      .def("branch", [](const Graph& g, const std::string& from, const std::string& to,
                        const std::string& gain) { g.change(gain, [=](Sketch& s) { add_branch(s, from, to, gain); }); })
      .def("law", [](const Graph& g, const std::string& from, const std::string& to, const std::string& law,
                     const Words& arguments) { g.work([=](Sketch& s) { add_law(s, from, to, law, arguments); }); })
      .def("edit",
           [](const Graph& g, const Words& nodes, const std::vector<std::size_t>& branches, const Words& parameters,
              const std::map<std::size_t, std::string>& gains) {
             g.work([change = SketchEdit{nodes, branches, parameters, gains}](Sketch& s) { edit(s, change); });
           })
      .def("gain_text",
           [](const Graph& g, const std::string& gain) { return g.work([gain](Sketch& s) { return gain_text(s, gain); }); })
      .def("ends",
           [](const Graph& g, const Words& inputs, const Words& outputs) {
             g.change("", [=](Sketch& s) {
               s.inputs = inputs;
               s.outputs = outputs;
             });
           })
      .def("dot", [](const Graph& g) { return g.work([](Sketch& s) { return dot(s.whole()); }); })
      .def("copy", [](const Graph& g) { return Graph(g.work([](Sketch& s) { return on_formula_thread(Sketch(s)); })); })
      .def("tables", tables_of);
  m.def("new_graph", [](const std::string& title, const Words& inputs, const Words& outputs, const std::string& variable,
                        const std::string& sample_time) {
    return new_graph({.title = title, .variable = variable, .sample_time = sample_time, .inputs = inputs, .outputs = outputs});
  });
}

void define_transfer(py::module_& m) {
  py::class_<Transfer>(m, "Transfer")
      .def(py::init([](const Graph& graph, const std::string& input, const std::string& output, const std::string& reference,
                       bool inject, bool closed, const CallLimits& limits) {
        return Transfer(graph, {input, output, reference, inject}, closed, limits);
      }))
      .def("ends", &Transfer::ends)
      .def("mode", [](const Transfer& t) { return t.work({}, [](TransferOf& of, const Budget&) { return of.mode(); }); })
      .def("dot", [](const Transfer& t) { return t.work({}, [](TransferOf& of, const Budget&) { return dot(of.graph()); }); })
      .def("title", [](const Transfer& t) { return t.work({}, [](TransferOf& of, const Budget&) { return of.graph().title; }); })
      .def("variable",
           [](const Transfer& t) { return t.work({}, [](TransferOf& of, const Budget&) { return of.graph().op.symbol(); }); })
      .def("period",
           [](const Transfer& t) {
             return t.work({}, [](TransferOf& of, const Budget&) -> std::optional<double> {
               if (!of.graph().op.discrete()) return {};
               return of.graph().op.period().to_double();
             });
           })
      .def("text",
           [](const Transfer& t, const CallLimits& limits) {
             return t.work(limits, [](TransferOf& of, const Budget& budget) { return of.text(budget); });
           })
      .def("latex",
           [](const Transfer& t, const CallLimits& limits) {
             return t.work(limits, [](TransferOf& of, const Budget& budget) { return of.latex(budget); });
           })
      .def("coefficients",
           [](const Transfer& t, const CallLimits& limits) {
             return t.work(limits, [](TransferOf& of, const Budget& budget) { return of.coefficients(budget); });
           })
      .def("evaluation",
           [](const Transfer& t, const Words& names, const Words& values, const CallLimits& limits) {
             return t.work(limits, [names, values](TransferOf& of, const Budget& budget) {
               return std::make_shared<Evaluation>(of.evaluation(names, values, budget));
             });
           })
      .def("graph",
           [](const Transfer& t) {
             return Graph(t.work({}, [](TransferOf& of, const Budget&) { return on_formula_thread(Sketch(of.graph())); }));
           })
      .def("response", response);
}

}  // namespace

void raise_failure(const CallLimits& limits) {
  raise(command::ending_of_failure("", "", limits.mebibytes.value_or(command::default_mebibytes)));
}

}  // namespace sfg::python

PYBIND11_MODULE(_core, m) {
  namespace py = pybind11;
  using namespace sfg::python;
  m.attr("__version__") = std::string(sfg::version().text);
  m.doc() = "libsfg for the package sfg; not for use by itself";
  py::class_<CallLimits>(m, "Limits")
      .def(py::init([](std::optional<double> seconds, std::optional<std::uint64_t> terms, std::optional<double> mebibytes) {
             return CallLimits{seconds, terms, mebibytes};
           }),
           py::arg("seconds") = py::none(), py::arg("terms") = py::none(), py::arg("mebibytes") = py::none());
  m.def("answer", answer);
  m.def("answer_and_samples", answer_and_samples);
  m.def("options", options);
  m.def("format_of", format_of);
  m.def("verbs", verbs);
  m.def("read", read_input);
  define_graph(m);
  define_transfer(m);
  define_evaluation(m);
  define_formulas(m);
  py::module_::import("atexit").attr("register")(py::cpp_function([] { FormulaThread::of_process().close(); }));
}
