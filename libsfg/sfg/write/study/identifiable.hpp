#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sfg/study/identifiable/identifiable.hpp"
#include "sfg/write/page/page.hpp"

// Not installed: which parameters transfer functions determine, in words.
namespace sfg {

struct IdentifiableHeading {
  std::vector<std::string> transfers;  ///< "Y/R"
  std::vector<std::string> known;
};

Page page(const Identifiable&, const IdentifiableHeading&);
/// docs/schema/identifiable.schema.json
void write_json(std::ostream&, const Identifiable&, const IdentifiableHeading&);

}  // namespace sfg
