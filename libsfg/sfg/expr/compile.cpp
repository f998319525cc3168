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

// GiNaC keeps the number in front of a product as its last operand.
bool has_minus(const ex& e) {
  if (!is_exactly_a<GiNaC::mul>(e)) return false;
  const ex last = e.op(e.nops() - 1);
  return is_exactly_a<GiNaC::numeric>(last) && ex_to<GiNaC::numeric>(last).is_negative();
}

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
// deep expressions is slow.
struct ExpressionCompiler::Impl {
  struct Part {
    ex e;                                 // keeps the address alive
    std::vector<std::uint32_t> operands;  // of sums and products in the order of their keys
    std::uint64_t key = 0;
    std::int32_t exponent = 0;  // of an integer power, which has one operand; else 0
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
    return parts[number].value;
  }

  // Parts with their keys, operands first.
  std::uint32_t collect(const ex& root) {
    struct Open {
      Part part;
      std::vector<ex> operands;
    };
    std::vector<Open> open;
    const auto visit = [&](const ex& e) {
      Open next{{e, {}, 0, 0, false, {}}, {}};
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
    const auto key_less = [&](std::uint32_t a, std::uint32_t b) { return parts[a].key < parts[b].key; };
    if (is_exactly_a<GiNaC::add>(e) || is_exactly_a<GiNaC::mul>(e))
      std::stable_sort(part.operands.begin(), part.operands.end(), key_less);
    if (is_exactly_a<GiNaC::numeric>(e))
      part.key = mixed(1, std::bit_cast<std::uint64_t>(double_of(e)));
    else if (is_exactly_a<GiNaC::symbol>(e))
      part.key = hash_of(ex_to<GiNaC::symbol>(e).get_name());
    else
      part.key = hash_of(ex_to<GiNaC::basic>(e).class_name());
    if (is_exactly_a<GiNaC::function>(e)) part.key = mixed(part.key, hash_of(ex_to<GiNaC::function>(e).get_name()));
    part.key = mixed(part.key, static_cast<std::uint32_t>(part.exponent));
    for (const std::uint32_t operand : part.operands) part.key = mixed(part.key, parts[operand].key);
  }

  Value value(std::uint32_t part) const { return parts[part].value; }

  Value translated(const Part& part) {
    const ex& e = part.e;
    if (is_exactly_a<GiNaC::symbol>(e))
      return part.operands.empty() ? builder.input(ex_to<GiNaC::symbol>(e).get_name()) : value(part.operands.front());
    if (is_exactly_a<GiNaC::numeric>(e)) return builder.constant(double_of(e));
    if (is_exactly_a<GiNaC::constant>(e)) return builder.constant(double_of(e.evalf()));
    if (is_exactly_a<GiNaC::add>(e)) return sum(part);
    if (is_exactly_a<GiNaC::mul>(e)) return product(part);
    if (is_exactly_a<GiNaC::power>(e)) return power(part);
    if (is_exactly_a<GiNaC::function>(e)) return function(part);
    throw Error(SourceSpan{}, "an expression has a part that is no formula of numbers and symbols");
  }

  // Terms with a negative number in front are subtracted.
  Value sum(const Part& part) {
    Value plus = builder.constant(0), minus = plus;
    for (const std::uint32_t operand : part.operands) {
      if (has_minus(parts[operand].e))
        minus = builder.add(minus, builder.negate(value(operand)));
      else
        plus = builder.add(plus, value(operand));
    }
    return builder.subtract(plus, minus);
  }

  // Factors with a negative exponent are divided by, all at once.
  Value product(const Part& part) {
    const Value one = builder.constant(1);
    Value numerator = one, denominator = one;
    bool negative = false;
    for (const std::uint32_t operand : part.operands) {
      const Part& factor = parts[operand];
      if (factor.exponent < 0)
        denominator = builder.multiply(denominator, builder.power(value(factor.operands.front()), -factor.exponent));
      else if (builder.is_constant(factor.value, -1))
        negative = !negative;
      else
        numerator = builder.multiply(numerator, factor.value);
    }
    const Value quotient = builder.divide(numerator, denominator);
    return negative ? builder.negate(quotient) : quotient;
  }

  Value power(const Part& part) {
    const Value base = value(part.operands.front());
    if (part.exponent != 0) return builder.power(base, part.exponent);
    std::int32_t halves = 0;
    if (small_integer(2 * part.e.op(1), halves)) return builder.power(builder.apply(Operation::sqrt, base), halves);
    return builder.apply(Operation::power, base, value(part.operands.back()));
  }

  Value function(const Part& part) {
    const std::string name = ex_to<GiNaC::function>(part.e).get_name();
    const auto known = functions().find(name);
    if (known == functions().end() || static_cast<int>(part.operands.size()) != numeric::operand_count(known->second))
      throw Error(SourceSpan{}, "the function '" + name + "' has no numeric form");
    return builder.apply(known->second, value(part.operands.front()),
                         part.operands.size() == 2 ? value(part.operands.back()) : Value{});
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
