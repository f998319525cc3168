#include "sfg/multibody/kinks.hpp"

#include <ginac/ginac.h>

#include <set>
#include <string>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

class Search {
 public:
  explicit Search(const CompiledMotion& motion) : motion_(motion) {}

  void operator()(const ex& e) {
    if (!seen_.insert(e).second) return;
    const std::string name = function_name(e);
    if (name == "step" || name == "sign" || name == "abs") add(e.op(0));
    if (name == "min" || name == "max")
      for (std::size_t i = 1; i < e.nops(); ++i) add(e.op(i) - e.op(i - 1));
    for (std::size_t i = 0; i < e.nops(); ++i) (*this)(e.op(i));
  }
  Kinks found;

 private:
  void add(const ex& argument) {
    if (!arguments_.insert(argument).second) return;
    const ex numbers = argument.subs(motion_.values(), GiNaC::subs_options::no_pattern);
    bool in_time_alone = true;
    for (const std::string& name : symbol_names(numbers)) in_time_alone = in_time_alone && name == "t";
    if (!in_time_alone)
      found.of_state.push_back(argument);
    else if (numbers.has(motion_.time()))
      found.of_time.push_back(numbers);
  }

  const CompiledMotion& motion_;
  std::set<ex, GiNaC::ex_is_less> seen_, arguments_;
};

class Smoothing : public GiNaC::map_function {
 public:
  Smoothing(const ex& width, const SymbolTable& symbols) : width_(width), symbols_(symbols) {}
  ex operator()(const ex& e) override {
    const ex inner = e.map(*this);
    const std::string name = function_name(inner);
    if ((name != "sign" && name != "step") || of_time(inner.op(0))) return inner;
    const ex steep = GiNaC::tanh(inner.op(0) / width_);
    return name == "sign" ? steep : (1 + steep) / 2;
  }

 private:
  /// Jumps at known times stay.
  bool of_time(const ex& argument) const {
    bool time = false;
    for (const std::string& name : symbol_names(argument)) {
      const Symbol* symbol = symbols_.find(name);
      if (name == "t")
        time = true;
      else if (!symbol || symbol->kind != SymbolKind::parameter)
        return false;
    }
    return time;
  }

  ex width_;
  const SymbolTable& symbols_;
};

}  // namespace

MultibodyEquations smoothed(const MultibodyEquations& equations, const ex& width) {
  MultibodyEquations made = equations;
  Smoothing smoothing(width, equations.motion.symbols);
  for (auto* definitions : {&made.motion.definitions, &made.definitions})
    for (auto& definition : *definitions) definition.value = smoothing(definition.value);
  for (auto& row : made.motion.M)
    for (ex& entry : row) entry = smoothing(entry);
  for (ex& force : made.motion.F) force = smoothing(force);
  for (auto& reaction : made.reactions)
    for (ex& component : reaction.wrench) component = smoothing(component);
  return made;
}

Kinks kinks(const CompiledMotion& motion) {
  Search search(motion);
  const EquationsOfMotion& equations = motion.equations().motion;
  for (const auto& definition : equations.definitions) search(definition.value);
  for (const auto& row : equations.M)
    for (const ex& entry : row) search(entry);
  for (const ex& force : equations.F) search(force);
  for (const auto& constraint : equations.constraints) search(constraint.value);
  return std::move(search.found);
}

}  // namespace sfg
