#include "sfg/export/targets.hpp"

#include "sfg/write/graph.hpp"

namespace sfg {

void write_graphml_file(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  budget.check("the graph");
  write_graphml(out, subject.graph);
}

}  // namespace sfg
