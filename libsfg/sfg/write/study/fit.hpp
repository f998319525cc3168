#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sfg/study/fit/fit.hpp"
#include "sfg/study/identifiable/identifiable.hpp"
#include "sfg/study/tuning/tuning.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Parameters that follow from those that were found: name and expression, with the value.
struct TiedParameter {
  std::string name, expression;
  double value = 0;
};

Page page(const Fit&, const std::vector<TiedParameter>& tied = {});
void write_json(std::ostream&, const Fit&, const std::vector<TiedParameter>& tied = {});
/// A row for every row of the data: where, and of each column what was measured, the model's value and the residual.
void write_csv(std::ostream&, std::span<const FittedSeries>);

/// "K, J: the data do not determine them, but K/J"; "" where all are determined.
std::string undetermined(const Fit&);

/// @param check  a command or call that shows the result again, "" for none
Page page(const Tuning&, const std::string& check = "");
/// {"schema": "sfg/tune/1", …}: docs/schema/tune.schema.json.
void write_json(std::ostream&, const Tuning&, const std::string& input, const std::string& output);

struct IdentifiableHeading {
  std::vector<std::string> transfers;  ///< "Y/R"
  std::vector<std::string> known;
};

Page page(const Identifiable&, const IdentifiableHeading&);
/// docs/schema/identifiable.schema.json
void write_json(std::ostream&, const Identifiable&, const IdentifiableHeading&);

}  // namespace sfg
