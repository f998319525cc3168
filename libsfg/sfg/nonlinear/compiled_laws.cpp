#include "sfg/nonlinear/compiled_laws.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/compile.hpp"

namespace sfg {

CompiledLaws::CompiledLaws(const PrincipalForm& form, const GiNaC::exmap& values, std::span<const GiNaC::ex> parameters)
    : laws_(form.laws.size()), arguments_(form.arguments.size()), parameters_(parameters.size()) {
  std::vector<GiNaC::ex> outputs, symbols;
  for (const auto& law : form.laws) outputs.push_back(law.law);
  for (const auto& argument : form.arguments) symbols.push_back(argument.symbol);
  symbols.push_back(form.time);
  symbols.insert(symbols.end(), parameters.begin(), parameters.end());
  GiNaC::exmap others = values;
  for (const GiNaC::ex& symbol : symbols) others.erase(symbol);
  value_ = compile(outputs, symbols, others);
  jacobian_ = numeric::with_jacobian(value_);
}

std::vector<double> CompiledLaws::inputs(const Point& point) const {
  std::vector<double> all(point.arguments.begin(), point.arguments.end());
  all.push_back(point.time);
  all.insert(all.end(), point.parameters.begin(), point.parameters.end());
  return all;
}

void CompiledLaws::values(const Point& point, std::span<double> f) const {
  const std::vector<double> found = value_.values<double>(inputs(point));
  std::ranges::copy(found, f.begin());
}

void CompiledLaws::values(const Point& point, std::span<double> f, std::span<double> by_arguments) const {
  sensitivities(point, f, by_arguments, {});
}

void CompiledLaws::sensitivities(const Point& point, std::span<double> f, std::span<double> by_arguments,
                                 std::span<double> by_parameters) const {
  const std::vector<double> found = jacobian_.values<double>(inputs(point));
  std::copy_n(found.begin(), laws_, f.begin());
  const std::size_t width = arguments_ + 1 + parameters_;
  for (std::size_t law = 0; law < laws_; ++law) {
    const auto row = found.begin() + static_cast<std::ptrdiff_t>(laws_ + law * width);
    std::copy_n(row, arguments_, by_arguments.begin() + static_cast<std::ptrdiff_t>(law * arguments_));
    if (!by_parameters.empty())
      std::copy_n(row + static_cast<std::ptrdiff_t>(arguments_ + 1), parameters_,
                  by_parameters.begin() + static_cast<std::ptrdiff_t>(law * parameters_));
  }
}

std::vector<double> CompiledLaws::batch(std::size_t points, std::span<const double> arguments,
                                        std::span<const double> parameters) const {
  constexpr double time = 0;
  std::vector<std::span<const double>> columns;
  for (std::size_t a = 0; a < arguments_; ++a) columns.push_back(arguments.subspan(a * points, points));
  columns.emplace_back(&time, 1);
  for (const double& value : parameters) columns.emplace_back(&value, 1);
  std::vector<double> all(jacobian_.outputs().size() * points), workspace(jacobian_.slot_count() * numeric::Tape::batch_size);
  jacobian_.run_batch<double>(points, columns, all, workspace);
  return all;
}

}  // namespace sfg
