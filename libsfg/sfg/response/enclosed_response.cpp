#include "sfg/response/enclosed_response.hpp"

#include <acb.h>
#include <acb_mat.h>
#include <arb.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sfg/exact/flint.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/kernel.hpp"

namespace sfg {

namespace {

using exact::ComplexBall;
using exact::RealBall;
using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

constexpr slong first_working_precision = 128, last_working_precision = 2048;
constexpr std::size_t most_nodes = 400;

/// No ball: outside of the domain, at a jump, or of a function that has none.
struct NoValue {};

/// Balls of expressions at one point.
class ResponseEnclosure {
 public:
  ResponseEnclosure(const GiNaC::exmap& point, slong precision) : point_(point), precision_(precision) {}

  ComplexBall operator()(const ex& e) {
    const GiNaC::basic* key = &ex_to<GiNaC::basic>(e);
    if (const auto known = known_.find(key); known != known_.end()) return known->second.second;
    ComplexBall value = made(e);
    if (acb_is_finite(value) == 0) throw NoValue{};
    known_.emplace(key, std::pair(e, value));
    return value;
  }

 private:
  ComplexBall made(const ex& e) {
    if (GiNaC::is_exactly_a<Number>(e)) return number(ex_to<Number>(e));
    ComplexBall result;
    if (GiNaC::is_a<GiNaC::symbol>(e)) {
      const auto value = point_.find(e);
      if (value == point_.end() || value->second.is_equal(e)) throw NoValue{};
      return (*this)(value->second);
    }
    if (e.is_equal(GiNaC::Pi)) {
      acb_const_pi(result, precision_);
    } else if (GiNaC::is_exactly_a<GiNaC::add>(e)) {
      for (std::size_t i = 0; i < e.nops(); ++i) acb_add(result, result, (*this)(e.op(i)), precision_);
    } else if (GiNaC::is_exactly_a<GiNaC::mul>(e)) {
      acb_one(result);
      for (std::size_t i = 0; i < e.nops(); ++i) acb_mul(result, result, (*this)(e.op(i)), precision_);
    } else if (GiNaC::is_exactly_a<GiNaC::power>(e)) {
      power(result, e);
    } else if (GiNaC::is_exactly_a<GiNaC::function>(e)) {
      function(result, e);
    } else {
      throw NoValue{};
    }
    return result;
  }

  ComplexBall number(const Number& value) const {
    ComplexBall result;
    const auto re = exact_number(value.real()), im = exact_number(value.imag());
    if (!re || !im) throw NoValue{};
    arb_set_fmpq(acb_realref(result.get()), exact::raw(exact_value(*re)), precision_);
    arb_set_fmpq(acb_imagref(result.get()), exact::raw(exact_value(*im)), precision_);
    return result;
  }

  void power(ComplexBall& result, const ex& e) {
    ComplexBall base = (*this)(e.op(0));
    if (const auto whole = whole_exponent(e)) return acb_pow_si(result, base, *whole, precision_);
    if (acb_is_zero(base) != 0) {
      const bool vanishes = GiNaC::is_exactly_a<Number>(e.op(1)) && ex_to<Number>(e.op(1)).is_positive();
      if (!vanishes) throw NoValue{};
      return acb_zero(result);
    }
    if (e.op(1).is_equal(Number(1, 2))) return acb_sqrt(result, base, precision_);
    acb_pow(result, base, (*this)(e.op(1)), precision_);
  }

  static bool is_real(const ComplexBall& x) { return acb_is_real(x) != 0; }
  static arb_srcptr real(const ComplexBall& x) {
    if (!is_real(x)) throw NoValue{};
    return acb_realref(x.get());
  }

  /// −1, 0, 1 of a real number.
  static int sign_of(const ComplexBall& x) {
    const arb_srcptr r = real(x);
    if (arb_is_zero(r) != 0) return 0;
    if (arb_contains_zero(r) != 0) throw NoValue{};
    return arb_is_positive(r) != 0 ? 1 : -1;
  }

  void function(ComplexBall& result, const ex& e) {
    const std::string name = function_name(e);
    const ComplexBall x = (*this)(e.op(0));
    if (e.nops() == 2) return function_of_two(result, name, x, (*this)(e.op(1)));
    if (e.nops() != 1) throw NoValue{};
    using Function = void (*)(acb_t, const acb_t, slong);
    constexpr std::pair<const char*, Function> functions[] = {
        {"exp", acb_exp},   {"log", acb_log},   {"sin", acb_sin},   {"cos", acb_cos},   {"tan", acb_tan},  {"sinh", acb_sinh},
        {"cosh", acb_cosh}, {"tanh", acb_tanh}, {"asin", acb_asin}, {"acos", acb_acos}, {"atan", acb_atan}};
    const auto found = std::ranges::find_if(functions, [&](const auto& one) { return name == one.first; });
    if (found != std::end(functions)) {
      found->second(result, x, precision_);
      if (is_real(x) && !is_real(result)) throw NoValue{};
    } else if (name == "abs") {
      arb_abs(acb_realref(result.get()), real(x));
    } else if (name == "sign") {
      acb_set_si(result, sign_of(x));
    } else if (name == "step") {
      acb_set_si(result, sign_of(x) < 0 ? 0 : 1);
    } else if (name == "floor") {
      arb_floor(acb_realref(result.get()), real(x), precision_);
      if (arb_is_exact(acb_realref(result.get())) == 0) throw NoValue{};
    } else {
      throw NoValue{};
    }
  }

  void function_of_two(ComplexBall& result, const std::string& name, const ComplexBall& x, const ComplexBall& y) const {
    const arb_ptr r = acb_realref(result.get());
    if (name == "min") return arb_min(r, real(x), real(y), precision_);
    if (name == "max") return arb_max(r, real(x), real(y), precision_);
    if (name != "atan2") throw NoValue{};
    arb_atan2(r, real(x), real(y), precision_);
  }

  const GiNaC::exmap& point_;
  slong precision_;
  std::unordered_map<const GiNaC::basic*, std::pair<ex, ComplexBall>> known_;
};

/// A matrix of complex balls.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns) { acb_mat_init(entries_, static_cast<slong>(rows), static_cast<slong>(columns)); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { acb_mat_clear(entries_); }
  acb_ptr at(std::size_t i, std::size_t j) { return acb_mat_entry(entries_, static_cast<slong>(i), static_cast<slong>(j)); }
  acb_mat_struct* get() { return entries_; }

 private:
  acb_mat_t entries_;
};

/// One transfer function, by the equations of all nodes that matter to it.
ComplexBall enclosed(const SignalFlowGraph& graph, const Question& question, const GiNaC::exmap& point, slong precision) {
  const std::vector<bool> relevant = relevant_nodes(graph, question);
  std::vector<std::size_t> place(relevant.size(), 0);
  std::size_t size = 0;
  for (std::size_t i = 0; i < relevant.size(); ++i)
    if (relevant[i]) place[i] = size++;
  ComplexBall result;
  if (size > most_nodes) throw NoValue{};
  if (!relevant[question.output.index] || !relevant[driver(question).index]) return result;
  ResponseEnclosure value(point, precision);
  Matrix matrix(size, size), drive(size, 1), signals(size, 1);
  acb_mat_one(matrix.get());
  for (const Branch& branch : graph.branches()) {
    if (!relevant[branch.from.index] || !relevant[branch.to.index]) continue;
    if (!branch.linear()) throw NoValue{};
    const acb_ptr entry = matrix.at(place[branch.to.index], place[branch.from.index]);
    acb_sub(entry, entry, value(branch.gain()), precision);
  }
  acb_one(drive.at(place[driver(question).index], 0));
  if (acb_mat_solve(signals.get(), matrix.get(), drive.get(), precision) == 0) throw NoValue{};
  acb_set(result, signals.at(place[question.output.index], 0));
  if (question.mode == Question::Mode::ratio) acb_div(result, result, signals.at(place[question.input.index], 0), precision);
  if (acb_is_finite(result) == 0) throw NoValue{};
  return result;
}

}  // namespace

std::optional<ApartValues> apart_at(const SignalFlowGraph& a, const Question& of_a, const SignalFlowGraph& b,
                                    const Question& of_b, const GiNaC::exmap& point, const Budget& budget) {
  for (slong precision = first_working_precision; precision <= last_working_precision; precision *= 4) {
    budget.check("the comparison by numbers");
    try {
      const ComplexBall x = enclosed(a, of_a, point, precision), y = enclosed(b, of_b, point, precision);
      if (acb_overlaps(x, y) == 0) return ApartValues{exact::midpoint(x), exact::midpoint(y)};
    } catch (const NoValue&) {  // wide balls may reach a jump, or hide that a pivot is not 0
    }
  }
  return {};
}

}  // namespace sfg
