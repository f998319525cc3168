#pragma once
#include <iosfwd>
#include <string>
#include <string_view>

#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const MonteCarlo&, bool hertz = false);  ///< frequencies in rad/s or Hz
/// {"schema": "sfg/sens/1", "study": {"kind": "monte-carlo", …}, …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const MonteCarlo&);
/// With "samples", {parameter or measure: [number or null]}: `rows` are those of packed_rows(), one behind the other.
void write_json(std::ostream&, const MonteCarlo&, std::string_view rows);
/// The samples as bytes, a double after the other: parameters, then measures.
std::string packed_rows(const SampleBlock&);

/// The samples as CSV: a line of names, varying parameters in the order of the model, then measures; empty where one failed.
/// Numbers have as many digits as it takes to read them back exactly.
std::string csv_head(const Variation&, const SampledQuestions&);
std::string csv_rows(const SampleBlock&);

Page page(const SobolStudy&, const std::string& input, const std::string& output);
Page page(const MorrisStudy&, const std::string& input, const std::string& output);
Page page(const TornadoStudy&, const std::string& input, const std::string& output);

/// {"schema": "sfg/sens/1", …}: docs/schema/sens.schema.json. What is no number is null.
void write_json(std::ostream&, const SobolStudy&, const std::string& input, const std::string& output);
void write_json(std::ostream&, const MorrisStudy&, const std::string& input, const std::string& output);
void write_json(std::ostream&, const TornadoStudy&, const std::string& input, const std::string& output);

Page page(const WorstCases&);
/// {"schema": "sfg/sens/1", …, "worst_case": […]}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const WorstCases&);

}  // namespace sfg
