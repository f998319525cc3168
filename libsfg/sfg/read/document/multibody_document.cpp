#include "sfg/read/document/model_document.hpp"

namespace sfg {

Multibody multibody_of(const DocumentReader& reader, const Value& table, const SharedParts&) {
  reader.error(table, "a model of the kind [multibody] is not read by this version yet",
               "state it as [lagrange], [polar], [matrix] or [graph]");
  return {};
}

}  // namespace sfg
