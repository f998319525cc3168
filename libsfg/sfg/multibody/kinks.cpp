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

}  // namespace

Kinks kinks(const CompiledMotion& motion) {
  Search search(motion);
  const EquationsOfMotion& equations = motion.equations().motion;
  for (const auto& definition : equations.definitions) search(definition.value);
  for (const auto& row : equations.M)
    for (const ex& entry : row) search(entry);
  for (const ex& force : equations.F) search(force);
  for (const auto& constraint : equations.constraints) search(constraint.stated());
  return std::move(search.found);
}

}  // namespace sfg
