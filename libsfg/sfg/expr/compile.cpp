#include "sfg/expr/compile.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::is_exactly_a;
using numeric::Operation;
using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

std::uint64_t mixed(std::uint64_t h, std::uint64_t with) {
  h = (h ^ with) * 0x9E3779B97F4A7C15U;
  return h ^ (h >> 29);
}

std::uint64_t hash_of(std::string_view text) {  // FNV-1a: the same on every machine
  std::uint64_t h = 0xCBF29CE484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return h;
}

const std::map<std::string, Operation, std::less<>>& functions() {
  static const std::map<std::string, Operation, std::less<>> table{
      {"sqrt", Operation::sqrt}, {"exp", Operation::exp},     {"log", Operation::log},     {"sin", Operation::sin},
      {"cos", Operation::cos},   {"tan", Operation::tan},     {"asin", Operation::asin},   {"acos", Operation::acos},
      {"atan", Operation::atan}, {"atan2", Operation::atan2}, {"sinh", Operation::sinh},   {"cosh", Operation::cosh},
      {"tanh", Operation::tanh}, {"abs", Operation::abs},     {"sign", Operation::sign},   {"step", Operation::step},
      {"min", Operation::min},   {"max", Operation::max},     {"floor", Operation::floor}, {"lookup", Operation::lookup}};
  return table;
}

bool small_integer(const ex& e, std::int32_t& value) {
  if (!is_exactly_a<GiNaC::numeric>(e)) return false;
  const auto& number = ex_to<GiNaC::numeric>(e);
  if (!number.is_integer() || GiNaC::abs(number) > std::numeric_limits<std::int32_t>::max()) return false;
  value = static_cast<std::int32_t>(number.to_long());
  return true;
}

double double_of(const ex& e) {
  const auto& number = ex_to<GiNaC::numeric>(e);
  if (!number.is_real()) throw Error(SourceSpan{}, "an expression has an imaginary constant", "write it in the variable s");
  return number.to_double();
}

// f(−x) = −f(x), and f(−x) = f(x): to the bit.
bool is_odd(std::string_view function) {
  return function == "sin" || function == "tan" || function == "asin" || function == "atan" || function == "sinh" ||
         function == "tanh" || function == "sign";
}
bool is_even(std::string_view function) { return function == "cos" || function == "cosh" || function == "abs"; }

// Numbers instead of expressions of numbers.
GiNaC::exmap evaluated(const GiNaC::exmap& values) {
  GiNaC::exmap numbers;
  for (const auto& [symbol, value] : values) {
    const ex number = is_exactly_a<GiNaC::numeric>(value) ? value : value.evalf();
    if (!is_exactly_a<GiNaC::numeric>(number))
      throw Error(SourceSpan{}, "the value of '" + ex_to<GiNaC::symbol>(symbol).get_name() + "' is not a number");
    numbers[symbol] = number;
  }
  return numbers;
}

}  // namespace

// Expressions may be nested deeper than the stack allows, hence lists of what is still to be done: a part is worked on when
// all its operands are. First every part gets a key that depends on names and numbers only; then the parts are
// translated in the order of their keys. Parts are told apart by address: GiNaC shares what is equal, and comparing
// deep expressions is slow. Whether GiNaC writes (a − b)·(c − d) or (b − a)·(d − c) changes from run to run (its order is one of
// addresses): a part is ± its value, of which there is one, with one key, whichever sign GiNaC has given its sums.
struct ExpressionCompiler::Impl {
  struct Part {
    ex e;                                 // keeps the address alive
    std::vector<std::uint32_t> operands;  // of sums and products in the order of their keys
    std::uint64_t key = 0;
    std::int32_t exponent = 0;  // of an integer power, which has one operand; else 0
    bool negative = false;      // the expression is −value
    bool translated = false;
    Value value{};
  };

  TapeBuilder& builder;
  GiNaC::exmap values;
  std::vector<Part> parts;
  std::unordered_map<const GiNaC::basic*, std::uint32_t> numbers;

  Value translate(const ex& root) {
    const std::uint32_t number = collect(root);
    std::vector<std::uint32_t> waiting{number};
    while (!waiting.empty()) {
      Part& part = parts[waiting.back()];
      const std::size_t before = waiting.size();
      if (!part.translated)
        for (auto operand = part.operands.rbegin(); operand != part.operands.rend(); ++operand)
          if (!parts[*operand].translated) waiting.push_back(*operand);
      if (waiting.size() > before) continue;
      waiting.pop_back();
      if (part.translated) continue;
      part.value = translated(part);
      part.translated = true;
    }
    return signed_value(number);
  }

  // Parts with their keys, operands first.
  std::uint32_t collect(const ex& root) {
    struct Open {
      Part part;
      std::vector<ex> operands;
    };
    std::vector<Open> open;
    const auto visit = [&](const ex& e) {
      Open next;
      next.part.e = e;
      next.operands = operands(e, next.part.exponent);
      open.push_back(std::move(next));
    };
    const auto known = [&](const ex& e) { return numbers.find(&ex_to<GiNaC::basic>(e)); };
    if (known(root) == numbers.end()) visit(root);
    while (!open.empty()) {
      Open& top = open.back();
      if (top.part.operands.size() < top.operands.size()) {
        const ex next = top.operands[top.part.operands.size()];
        if (const auto found = known(next); found != numbers.end())
          top.part.operands.push_back(found->second);
        else
          visit(next);
        continue;
      }
      finish(top.part);
      numbers.emplace(&ex_to<GiNaC::basic>(top.part.e), static_cast<std::uint32_t>(parts.size()));
      parts.push_back(std::move(top.part));
      open.pop_back();
    }
    return known(root)->second;
  }

  std::vector<ex> operands(const ex& e, std::int32_t& exponent) const {
    std::vector<ex> result;
    if (is_exactly_a<GiNaC::symbol>(e)) {
      if (const auto known = values.find(e); known != values.end()) result.push_back(known->second);
      return result;
    }
    const bool integer_power = is_exactly_a<GiNaC::power>(e) && small_integer(e.op(1), exponent);
    for (std::size_t i = 0; i < (integer_power ? 1 : e.nops()); ++i) result.push_back(e.op(i));
    return result;
  }

  void finish(Part& part) const {
    const ex& e = part.e;
    const bool sum = is_exactly_a<GiNaC::add>(e), product = is_exactly_a<GiNaC::mul>(e);
    if (sum || product) std::ranges::stable_sort(part.operands, {}, [this](std::uint32_t operand) { return parts[operand].key; });
    if (is_exactly_a<GiNaC::numeric>(e))
      part.key = mixed(1, std::bit_cast<std::uint64_t>(std::abs(double_of(e))));
    else if (is_exactly_a<GiNaC::symbol>(e))
      part.key = hash_of(ex_to<GiNaC::symbol>(e).get_name());
    else
      part.key = hash_of(ex_to<GiNaC::basic>(e).class_name());
    if (is_exactly_a<GiNaC::function>(e)) part.key = mixed(part.key, hash_of(ex_to<GiNaC::function>(e).get_name()));
    part.key = mixed(part.key, static_cast<std::uint32_t>(part.exponent));
    part.negative = is_negative(part);
    if (product) std::erase_if(part.operands, [this](std::uint32_t operand) { return is_one(parts[operand]); });
    const bool with_signs = !product && part.exponent == 0 && !is_even_or_odd(e);  // a product's are in front of it
    for (const std::uint32_t operand : part.operands) {
      part.key = mixed(part.key, parts[operand].key);
      if (with_signs && parts[operand].negative != (sum && part.negative)) part.key = mixed(part.key, 2);
    }
    if (product && part.operands.size() == 1) part.key = parts[part.operands.front()].key;  // −x is x with a sign
  }

  // Of a sum: that of most of its terms, of the first where there are as many of both.
  bool is_negative(const Part& part) const {
    const auto negative = [this](std::uint32_t operand) { return parts[operand].negative; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(part.operands, negative));
    if (is_exactly_a<GiNaC::numeric>(part.e)) return double_of(part.e) < 0;
    if (is_exactly_a<GiNaC::mul>(part.e)) return count % 2 != 0;
    if (is_exactly_a<GiNaC::add>(part.e))
      return 2 * count != part.operands.size() ? 2 * count > part.operands.size() : negative(part.operands.front());
    if (part.exponent != 0) return part.exponent % 2 != 0 && count != 0;
    return is_exactly_a<GiNaC::function>(part.e) && is_odd(ex_to<GiNaC::function>(part.e).get_name()) && count != 0;
  }

  static bool is_one(const Part& part) { return is_exactly_a<GiNaC::numeric>(part.e) && std::abs(double_of(part.e)) == 1; }

  static bool is_even_or_odd(const ex& e) {
    if (!is_exactly_a<GiNaC::function>(e)) return false;
    const std::string name = ex_to<GiNaC::function>(e).get_name();
    return is_odd(name) || is_even(name);
  }

  Value value(std::uint32_t part) const { return parts[part].value; }

  // Of the expression, with its sign.
  Value signed_value(std::uint32_t number) {
    const Part& part = parts[number];
    if (!part.negative) return part.value;
    if (is_exactly_a<GiNaC::add>(part.e)) return sum(part, true);
    if (is_exactly_a<GiNaC::mul>(part.e)) return product(part, true);
    return builder.negate(part.value);
  }

  Value translated(const Part& part) {
    const ex& e = part.e;
    if (is_exactly_a<GiNaC::symbol>(e))
      return part.operands.empty() ? builder.input(ex_to<GiNaC::symbol>(e).get_name()) : signed_value(part.operands.front());
    if (is_exactly_a<GiNaC::numeric>(e)) return builder.constant(std::abs(double_of(e)));
    if (is_exactly_a<GiNaC::constant>(e)) return builder.constant(double_of(e.evalf()));
    if (is_exactly_a<GiNaC::add>(e)) return sum(part, false);
    if (is_exactly_a<GiNaC::mul>(e)) return product(part, false);
    if (is_exactly_a<GiNaC::power>(e)) return power(part);
    if (is_exactly_a<GiNaC::function>(e)) return function(part);
    throw Error(SourceSpan{}, "an expression has a part that is no formula of numbers and symbols");
  }

  // Terms with the other sign are subtracted.
  Value sum(const Part& part, bool turned) {
    Value plus = builder.constant(0), minus = plus;
    for (const std::uint32_t operand : part.operands) {
      Value& side = parts[operand].negative == part.negative ? plus : minus;
      side = builder.add(side, value(operand));
    }
    return turned ? builder.subtract(minus, plus) : builder.subtract(plus, minus);
  }

  // Factors with a negative exponent are divided by, all at once.
  Value product(const Part& part, bool turned) {
    if (part.operands.size() == 1)  // −x
      return turned ? builder.negate(value(part.operands.front())) : value(part.operands.front());
    const Value one = builder.constant(1);
    Value numerator = one, denominator = one;
    bool negative = turned;
    for (const std::uint32_t operand : part.operands) {
      const Part& factor = parts[operand];
      if (factor.exponent < 0) {
        denominator = builder.multiply(denominator, builder.power(value(factor.operands.front()), -factor.exponent));
      } else if (builder.is_constant(factor.value, -1)) {
        negative = !negative;
      } else if (negative && is_exactly_a<GiNaC::numeric>(factor.e)) {
        numerator = builder.multiply(numerator, builder.negate(factor.value));
        negative = false;
      } else {
        numerator = builder.multiply(numerator, factor.value);
      }
    }
    const Value quotient = builder.divide(numerator, denominator);
    return negative ? builder.negate(quotient) : quotient;
  }

  Value power(const Part& part) {
    if (part.exponent != 0) return builder.power(value(part.operands.front()), part.exponent);
    const Value base = signed_value(part.operands.front());
    std::int32_t halves = 0;
    if (small_integer(2 * part.e.op(1), halves)) return builder.power(builder.apply(Operation::sqrt, base), halves);
    return builder.apply(Operation::power, base, signed_value(part.operands.back()));
  }

  Value function(const Part& part) {
    const std::string name = ex_to<GiNaC::function>(part.e).get_name();
    const auto known = functions().find(name);
    if (known == functions().end() || static_cast<int>(part.operands.size()) != numeric::operand_count(known->second))
      throw Error(SourceSpan{}, "the function '" + name + "' has no numeric form");
    if (is_even_or_odd(part.e)) return builder.apply(known->second, value(part.operands.front()));
    return builder.apply(known->second, signed_value(part.operands.front()),
                         part.operands.size() == 2 ? signed_value(part.operands.back()) : Value{});
  }
};

ExpressionCompiler::ExpressionCompiler(numeric::TapeBuilder& builder, const GiNaC::exmap& values)
    : impl_(new Impl{builder, evaluated(values), {}, {}}) {}
ExpressionCompiler::~ExpressionCompiler() = default;

void ExpressionCompiler::define(const ex& symbol, const ex& value) { impl_->values[symbol] = value; }

Value ExpressionCompiler::operator()(const ex& e) {
  try {
    return impl_->translate(e);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {  // GiNaC's and CLN's
    throw Error(SourceSpan{}, std::string("an expression has no numeric value: ") + failure.what());
  }
}

numeric::Tape compile(std::span<const ex> outputs, std::span<const ex> inputs, const GiNaC::exmap& values,
                      std::span<const std::pair<ex, ex>> definitions) {
  TapeBuilder builder;
  for (const ex& input : inputs) builder.input(ex_to<GiNaC::symbol>(input).get_name());
  GiNaC::exmap others = values;
  for (const ex& input : inputs) others.erase(input);
  ExpressionCompiler compiler(builder, others);
  for (const auto& [symbol, value] : definitions) compiler.define(symbol, value);
  std::vector<Value> results;
  for (const ex& output : outputs) results.push_back(compiler(output));
  numeric::Tape tape = builder.tape(results);
  if (tape.inputs().size() > inputs.size()) {
    const auto missing = tape.inputs().subspan(inputs.size());
    throw missing_values({missing.begin(), missing.end()});
  }
  return tape;
}

}  // namespace sfg
