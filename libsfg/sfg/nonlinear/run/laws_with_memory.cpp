#include "sfg/nonlinear/run/laws_with_memory.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <string>

#include "sfg/expr/functions.hpp"
#include "sfg/numeric/lookup_table.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

bool remembers(const std::string& function) { return function == "backlash" || function == "hysteresis"; }

/// Whether the expression moves at all: a switch of parameters alone is decided once.
bool has_symbol(const ex& e) {
  for (auto i = e.preorder_begin(); i != e.preorder_end(); ++i)
    if (GiNaC::is_a<GiNaC::symbol>(*i)) return true;
  return false;
}

class Rewriting : public GiNaC::map_function {
 public:
  explicit Rewriting(ExplicitLaws& result) : result_(result) {}

  ex law(const ex& stated) {
    const ex done = (*this)(stated);
    ++law_;
    return done;
  }

  ex operator()(const ex& e) override {
    const std::string name = function_name(e);
    const ex inner = e.map(*this);
    if (remembers(name)) return remembered(inner, name == "hysteresis");
    if (name.empty() || function_name(inner) != name) return inner;
    if (name == "abs")
      add(inner.op(0), false);
    else if (name == "sign" || name == "step")
      add(inner.op(0), true);
    else if (name == "floor")
      add(GiNaC::sin(GiNaC::Pi * inner.op(0)), true);
    else if (name == "min" || name == "max")
      add(inner.op(0) - inner.op(1), false);
    else if (name == "lookup")
      knots(inner.op(0), GiNaC::ex_to<GiNaC::numeric>(inner.op(1)).to_long());
    return inner;
  }

 private:
  void add(const ex& function, bool jumps) {
    if (!has_symbol(function)) return;
    for (Switch& known : result_.switches)
      if (known.function.is_equal(function) || known.function.is_equal(-function)) {
        known.jumps = known.jumps || jumps;
        return;
      }
    result_.switches.push_back({function, jumps});
  }

  void knots(const ex& u, long code) {
    const auto table = static_cast<std::size_t>(code / 8);
    const int order = static_cast<int>(code % 8), first = numeric::table_of_number(table).first_jump();
    if (order + 1 < first) return;  // smooth enough for any integrator
    const ex number = ex(static_cast<long>(numeric::lookup_code(table, numeric::knots_of_table)));
    const ex knot = GiNaC::function(GiNaC::ex_to<GiNaC::function>(table_value(u, table)).get_serial(), u, number).hold();
    add(GiNaC::sin(GiNaC::Pi * knot), order >= first);
  }

  ex remembered(const ex& call, bool relay) {
    for (const MemoryTerm& known : result_.memories)
      if (known.law == law_ && known.call.is_equal(call)) return output(known);
    MemoryTerm term{call, GiNaC::symbol("z"), relay, law_, call.op(0), {}, {}, {}, {}};
    const ex u = call.op(0), z = term.memory;
    if (relay) {  // exactly one of the thresholds, or none, is passed: on lies above off
      term.next = maximum(-1, minimum(1, z + 2 * unit_step(u - call.op(1)) - 2 * unit_step(call.op(2) - u)));
      term.low = -1;
      term.high = 1;
      term.thresholds = {u - call.op(1), call.op(2) - u};
    } else {
      const ex half = call.op(1) / 2;
      term.low = u - half;
      term.high = u + half;
      term.next = maximum(term.low, minimum(term.high, z));
      term.thresholds = {term.low - z, term.high - z};
    }
    for (const ex& threshold : term.thresholds) add(threshold, relay);
    result_.memories.push_back(term);
    return output(term);
  }

  static ex output(const MemoryTerm& term) { return term.relay ? ex(term.call.op(3) * term.next) : term.next; }

  ExplicitLaws& result_;
  std::size_t law_ = 0;
};

}  // namespace

ExplicitLaws explicit_laws(const std::vector<ex>& laws) {
  ExplicitLaws result;
  Rewriting rewriting(result);
  for (const ex& law : laws) result.laws.push_back(rewriting.law(law));
  return result;
}

bool has_memory(const ex& law) {
  return std::any_of(law.preorder_begin(), law.preorder_end(), [](const ex& part) { return remembers(function_name(part)); });
}

bool has_grip(const ex& law) {
  return std::any_of(law.preorder_begin(), law.preorder_end(),
                     [](const ex& part) { return function_name(part) == "step" && function_name(-part.op(0)) == "abs"; });
}

}  // namespace sfg
