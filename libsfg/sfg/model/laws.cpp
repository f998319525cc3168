#include "sfg/model/laws.hpp"

namespace sfg {

void refuse_laws(const EquationSystem& system, std::string_view consequence) {
  std::vector<Diagnostic> found;
  for (const EquationSystem::Law& law : system.laws)
    found.push_back({law.where, "the law of '" + system.sources.at(law.source).name + "' is nonlinear" + std::string(consequence),
                     "linearise it first"});
  if (!found.empty()) throw Error(std::move(found));
}

}  // namespace sfg
