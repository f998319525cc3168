#pragma once
#include <iosfwd>
#include <string>

#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const SobolStudy&, const std::string& input, const std::string& output);
Page page(const MorrisStudy&, const std::string& input, const std::string& output);
Page page(const TornadoStudy&, const std::string& input, const std::string& output);

/// {"schema": "sfg/sens/1", …}: docs/schema/sens.schema.json. What is no number is null.
void write_json(std::ostream&, const SobolStudy&, const std::string& input, const std::string& output);
void write_json(std::ostream&, const MorrisStudy&, const std::string& input, const std::string& output);
void write_json(std::ostream&, const TornadoStudy&, const std::string& input, const std::string& output);

}  // namespace sfg
