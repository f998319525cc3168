#include "sfg/export/independent_parameters.hpp"

#include <algorithm>
#include <iterator>

#include "sfg/export/linear_motion.hpp"
#include "sfg/expr/compile.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

std::vector<ExportedParameter> those(const std::vector<ExportedParameter>& parameters, bool follow) {
  std::vector<ExportedParameter> found;
  std::ranges::copy_if(parameters, std::back_inserter(found), [&](const ExportedParameter& p) { return p.follows == follow; });
  return found;
}

/// Every parameter in a builder whose inputs are the independent ones.
class Followed {
 public:
  Followed(TapeBuilder& builder, const std::vector<ExportedParameter>& parameters) : compile_(builder) {
    for (const ExportedParameter& parameter : independent(parameters)) builder.input(parameter.name);
    for (const ExportedParameter& parameter : by_dependence(derived(parameters)))
      compile_.define(parameter.symbol, parameter.stated);
  }
  Value operator()(const ExportedParameter& parameter) { return compile_(parameter.symbol); }

 private:
  ExpressionCompiler compile_;
};

}  // namespace

std::vector<ExportedParameter> independent(const std::vector<ExportedParameter>& all) { return those(all, false); }
std::vector<ExportedParameter> derived(const std::vector<ExportedParameter>& all) { return those(all, true); }

numeric::Tape of_independent(const numeric::Tape& tape, const std::vector<ExportedParameter>& parameters) {
  if (derived(parameters).empty()) return tape;
  TapeBuilder builder;
  Followed followed(builder, parameters);
  std::vector<Value> inputs;
  for (const ExportedParameter& parameter : parameters) inputs.push_back(followed(parameter));
  for (const std::string& name : tape.inputs().subspan(parameters.size())) inputs.push_back(builder.input(name));
  return builder.tape(inserted(builder, tape, inputs));
}

numeric::Tape derived_values(const std::vector<ExportedParameter>& parameters) {
  TapeBuilder builder;
  Followed followed(builder, parameters);
  std::vector<Value> values;
  for (const ExportedParameter& parameter : derived(parameters)) values.push_back(followed(parameter));
  return builder.tape(values);
}

}  // namespace sfg
