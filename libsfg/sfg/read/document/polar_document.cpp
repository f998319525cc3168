#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/model/signal_sum.hpp"
#include "sfg/read/document/model_document.hpp"
#include "sfg/read/laws.hpp"
#include "sfg/read/parameters.hpp"

namespace sfg {

namespace {

using Element = PolarNetwork::Element;
using Role = ElementKind::Role;

/// Elements as tables of name, type, nodes, and value, ratio or law.
class PolarReading {
 public:
  PolarReading(const DocumentReader& reader, const Value& table, const SharedParts& shared)
      : reader_(reader),
        document_(reader.document()),
        problems_(reader.problems()),
        table_(table),
        laws_(reader.source(), network_.symbols, reader.problems()) {
    network_.where = document_.where(table);
    if (shared.title)
      if (const auto title = reader_.string(*shared.title, "the title")) network_.title = title->text;
    read_symbols(reader_, shared, network_.op, network_.symbols);
  }

  PolarNetwork network(const SharedParts& shared) {
    reader_.check_keys(table_, "[polar]", {"elements", "input", "output"});
    if (shared.equilibrium)
      reader_.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] model; a polar graph is at rest where all is 0",
                    "remove it");
    const Value* elements = reader_.find(&table_, "elements");
    if (!elements)
      reader_.error(table_, "the table [polar] is without elements",
                    R"(write elements = [{ name = "m1", type = "mass", nodes = ["1", "0"], value = "m1" }, …])");
    if (elements && reader_.is_array(*elements, "elements"))
      for (const Value& item : elements->items) {
        if (reader_.is_table(item, "an element")) element(item);
        if (problems_.full()) problems_.finish(nullptr);
      }
    if (elements && elements->kind == Value::Kind::array && elements->items.empty())
      reader_.error(*elements, "the list of elements is empty", "state at least one element");
    laws_.finish();
    refuse_law_names();
    if (!problems_.any_errors())
      for (const Diagnostic& problem : problems(network_)) problems_.error(problem.where, problem.message, problem.hint);
    if (!problems_.any_errors()) ends(shared);
    return std::move(network_);
  }

 private:
  void element(const Value& item) {
    reader_.check_keys(item, "an element", {"name", "type", "nodes", "value", "ratio", "law"});
    const auto name = text(item, "name", "\"k1\"");
    const auto type = text(item, "type", "\"spring\"");
    if (!name || !type) return;
    const ElementKind* kind = kind_of(*type);
    if (kind == nullptr) return;
    Element element{name->text, *kind, nodes(item, name->text, *kind)};
    element.where = document_.where(item);
    if (element.nodes.empty()) return;
    value(item, element);
    network_.elements.push_back(std::move(element));
  }

  std::optional<Passage> text(const Value& item, const char* key, const std::string& example) {
    const Value* stated = reader_.find(&item, key);
    if (stated) return reader_.string(*stated, std::string("the ") + key + " of an element");
    reader_.error(item, std::string("an element without a ") + key, std::string("write ") + key + " = " + example);
    return {};
  }

  const ElementKind* kind_of(const Passage& type) {
    std::vector<std::string> names;
    for (const ElementKind& kind : element_kinds()) {
      if (kind.name == type.text) return &kind;
      names.emplace_back(kind.name);
    }
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "types are " : ", ") + name;
    const std::string near = nearest(type.text, names);
    problems_.error(place(reader_.source(), type), "unknown type " + in_quotes(type.text) + " of an element",
                    near.empty() ? list : "did you mean '" + near + "'?");
    return nullptr;
  }

  std::vector<std::string> nodes(const Value& item, const std::string& name, const ElementKind& kind) {
    const Value* stated = reader_.find(&item, "nodes");
    if (!stated) {
      reader_.error(item, "element " + in_quotes(name) + " is without nodes", R"(write nodes = ["1", "0"])");
      return {};
    }
    if (!reader_.is_array(*stated, "nodes")) return {};
    std::vector<std::string> nodes;
    for (const Value& node : stated->items) {
      if (node.kind != Value::Kind::string && node.kind != Value::Kind::number)
        reader_.error(node, std::string("a node must be a name, not ") + kind_name(node), "write it in double quotes");
      nodes.push_back(document_.text(node).text);
    }
    const std::string reference(reference_node);
    if (kind.two_port() && nodes.size() == 2) nodes = {nodes[0], reference, nodes[1], reference};
    if (nodes.size() == (kind.two_port() ? 4U : 2U)) return nodes;
    reader_.error(*stated,
                  std::string(kind.name) + " " + in_quotes(name) + " has " + counted(nodes.size(), "node") + ", not " +
                      (kind.two_port() ? "two or four" : "two"),
                  kind.two_port() ? R"(write ["a", "c"] for two ports against the reference, else ["a", "b", "c", "d"])"
                                  : R"(write nodes = ["1", "0"]: the node 0 is the reference)");
    return {};
  }

  void value(const Value& item, Element& element) {
    const std::string what = std::string(element.kind.name) + " " + in_quotes(element.name);
    const Value *value = reader_.find(&item, "value"), *ratio = reader_.find(&item, "ratio"), *law = reader_.find(&item, "law");
    if (element.kind.source()) {
      for (const Value* stated : {value, ratio, law})
        if (stated)
          reader_.error(*stated, what + " is a source, an input of the model, and has no value here",
                        "state it where a response is asked for, or in [simulation] inputs");
      return;
    }
    if (!element.kind.two_port() && ratio)
      reader_.error(*ratio, what + " is no two-port and has no ratio", "write value = \"…\"");
    if (element.kind.two_port() && value && ratio)
      reader_.error(*value, what + " has both a value and a ratio", "state the ratio alone");
    if (law && value) return reader_.error(*law, what + " has both a value and a law", "make two elements of it, side by side");
    if (law) return law_of(*law, element, what);
    const Value* stated = ratio != nullptr && element.kind.two_port() ? ratio : value;
    if (!stated)
      return reader_.error(item, what + " is without its " + (element.kind.two_port() ? "ratio" : "value"),
                           std::string("write ") + (element.kind.two_port() ? "ratio" : "value") + " = \"" + element.name + "\"" +
                               (element.kind.lawful ? ", or law = \"…\" of u, v and t" : ""));
    element.value_where = document_.where(*stated);
    element.value = number_or_expression(*stated, what);
    if (element.kind.two_port() && element.value.is_zero() && !problems_.any_errors())
      reader_.error(*stated, "the ratio of " + what + " is 0", "leave the element out");
  }

  /// "4.7k" is a number here, as it is among the parameters.
  GiNaC::ex number_or_expression(const Value& stated, const std::string& what) {
    if (stated.kind != Value::Kind::string) return reader_.expression(stated, network_.symbols, "the value of " + what);
    const Passage text = document_.text(stated);
    GiNaC::ex value = 1;
    if (text.trimmed().text.empty()) {
      reader_.error(stated, "the value of " + what + " is empty", "write value = \"k\", say");
      return value;
    }
    doubt_number(text, reader_.source(), problems_);
    problems_.attempt([&] { value = parse_value(text, reader_.source(), network_.symbols); });
    return value;
  }

  void law_of(const Value& stated, Element& element, const std::string& what) {
    if (!element.kind.lawful) {
      const bool inertia = element.kind.role == Role::inertia;
      return reader_.error(
          stated, what + " has a law, but " + (inertia ? "its force follows from the acceleration" : "this type is linear"),
          "laws are for " + lawful_types() + "; write value = \"…\" here");
    }
    const auto text = reader_.string(stated, "the law of " + what);
    if (!text) return;
    element.value_where = document_.where(stated);
    element.law = laws_.nonlinear(*text, element.value_where).law;
    const auto has = [&](const char* name) {
      const Symbol* symbol = network_.symbols.find(name);
      return symbol != nullptr && element.law->has(symbol->expr);
    };
    if (!problems_.any_errors() && !has("u") && !has("v"))
      reader_.error(stated, "the law of " + what + " has neither u nor v in it",
                    "u is the across variable from the first to the second node, v its rate; what is given is a source");
    // both are symbols of the law, whether it has them or not
    for (const char* name : {"u", "v", "t"}) network_.symbols.symbol(name);
  }

  static std::string lawful_types() {
    std::string list;
    for (const ElementKind& kind : element_kinds())
      if (kind.lawful) list += (list.empty() ? "" : ", ") + std::string(kind.name);
    return list;
  }

  /// A value with the name of what laws depend on is not that.
  void refuse_law_names() {
    std::vector<const Symbol*> of_laws;
    for (const Symbol& symbol : network_.symbols.all())
      if (symbol.kind == SymbolKind::signal || symbol.kind == SymbolKind::time) of_laws.push_back(&symbol);
    for (const Element& element : network_.elements)
      for (const Symbol* symbol : of_laws)
        if (element.value.has(symbol->expr))
          problems_.error(element.value_where,
                          "name " + in_quotes(symbol->name) +
                              " in a value is a parameter, and in the laws of this file it is a signal or the time",
                          "give the parameter another name");
  }

  void ends(const SharedParts& shared) {
    const Value *input = shared.input, *output = shared.output;
    if (const Value* own = reader_.find(&table_, "input")) input = own;
    if (const Value* own = reader_.find(&table_, "output")) output = own;
    std::vector<std::string> sources;
    for (const Element* source : network_.sources()) sources.push_back(source->name);
    network_.inputs = read_ends(reader_, input, "input", sources);
    std::vector<std::string> known = signal_names(network_);
    known.insert(known.end(), sources.begin(), sources.end());
    network_.outputs = read_ends(reader_, output, "output", known, &network_.symbols);
  }

  const DocumentReader& reader_;
  const Document& document_;
  Problems& problems_;
  const Value& table_;
  PolarNetwork network_;
  Laws laws_;
};

}  // namespace

PolarNetwork polar_network_of(const DocumentReader& reader, const Value& table, const SharedParts& shared) {
  return PolarReading(reader, table, shared).network(shared);
}

}  // namespace sfg
