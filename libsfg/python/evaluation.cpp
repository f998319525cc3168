#include "python/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/response/compiled_response.hpp"

namespace sfg::python {

namespace {

constexpr double tolerance = 1e-11;
constexpr double rounded_once = 0x1p-53;
constexpr double negligible = 1e-150;  // −3000 dB, as CompiledResponse::values has it
constexpr std::size_t block_size = 2048;

bool good(std::complex<double> value, double error) {
  const double modulus = std::sqrt(value.real() * value.real() + value.imag() * value.imag());
  return std::isfinite(modulus) && (error <= tolerance * modulus || (error <= negligible && modulus <= 1e100 * negligible));
}

/// The number that the shortest text of a double says: 0.1 is 1/10. (No formula: this is any thread.)
ExactInput decimal(double value) {
  std::string digits = print(value);
  long exponent = 0;
  if (const std::size_t e = digits.find('e'); e != std::string::npos) {
    exponent = std::stol(digits.substr(e + 1));
    digits.resize(e);
  }
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const std::string zeros(static_cast<std::size_t>(std::abs(exponent)), '0');
  return {value, exact::Rational::parse(exponent < 0 ? digits + "/1" + zeros : digits + zeros)};
}

}  // namespace

/// What one thread works with.
struct Evaluation::Block {
  std::vector<std::vector<Complex>> lists;
  std::vector<std::span<const Complex>> inputs;
  std::vector<double> errors = std::vector<double>(block_size), point;
  long precision = 128;
};

Evaluation::Evaluation(const CompiledResponse& response, std::size_t parameters)
    : tape_(response.tape()),
      constants_(response.constants().begin(), response.constants().end()),
      parameters_(parameters),
      relative_errors_(tape_.inputs().size(), rounded_once) {
  relative_errors_[0] = 0;  // the operator is where it is said to be
}

Evaluation::Complex Evaluation::refined(Complex value, Complex s, std::span<const double> parameters, long& precision) const {
  if (!std::isfinite(s.real()) || !std::isfinite(s.imag())) return value;
  std::vector<ExactInput> inputs{{s, {}}};
  for (const double parameter : parameters) {
    if (!std::isfinite(parameter)) return value;
    inputs.push_back(decimal(parameter));
  }
  inputs.insert(inputs.end(), constants_.begin(), constants_.end());
  const auto certain = certified_values(tape_, inputs, &precision);
  return certain ? certain->front() : value;
}

void Evaluation::run(Block& block, std::span<const Complex> s, std::span<const std::span<const double>> parameters,
                     std::span<Complex> values, const Budget& budget) const {
  block.lists.resize(parameters.size());
  block.inputs.assign(1, s);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    block.lists[i].assign(parameters[i].begin(), parameters[i].end());
    block.inputs.push_back(block.lists[i]);
  }
  for (const ExactInput& constant : constants_) block.inputs.emplace_back(&constant.value, 1);
  const std::span errors = std::span(block.errors).first(values.size());
  tape_.run_bounded(values.size(), block.inputs, relative_errors_, values, errors, 1, budget);
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (good(values[p], errors[p])) continue;
    budget.check("values with more digits");
    block.point.clear();
    for (const auto& list : parameters) block.point.push_back(list[list.size() == 1 ? 0 : p]);
    long precision = block.precision;
    values[p] = refined(values[p], s[s.size() == 1 ? 0 : p], block.point, precision);
    block.precision = std::min(precision, 4096L);
  }
}

Evaluation::Complex Evaluation::at(Complex s, std::span<const double> parameters) const {
  thread_local Block block;
  thread_local std::vector<std::span<const double>> lists;
  lists.clear();
  for (const double& parameter : parameters) lists.emplace_back(&parameter, 1);
  Complex value;
  block.precision = 128;
  run(block, {&s, 1}, lists, {&value, 1}, {});
  return value;
}

void Evaluation::at(std::span<const Complex> s, std::span<const std::span<const double>> parameters, std::span<Complex> values,
                    const Budget& budget) const {
  const auto part = []<class T>(std::span<const T> all, std::size_t begin, std::size_t count) {
    return all.size() == 1 ? all : all.subspan(begin, count);
  };
  numeric::parallel_with((values.size() + block_size - 1) / block_size, 0, budget, "values", [&] {
    return [&, block = Block(), lists = std::vector<std::span<const double>>(parameters.size())](std::size_t k) mutable {
      const std::size_t begin = k * block_size, count = std::min(block_size, values.size() - begin);
      for (std::size_t i = 0; i < lists.size(); ++i) lists[i] = part(parameters[i], begin, count);
      block.precision = 128;  // the same digits for every number of threads
      run(block, part(s, begin, count), lists, values.subspan(begin, count), budget);
    };
  });
}

}  // namespace sfg::python
