
#include "sfg/export/targets.hpp"

#include <ostream>

#include "sfg/export/document_page.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

void write_latex_document(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  const std::vector<TransferFunction> transfers = document_transfers(subject, budget);
  const Page page = document_page(subject, transfers, document_drawing(subject, budget));
  const ExportHeader header{.what = "graph, equations and transfer functions; pdflatex compiles this file alone",
                            .verified = verified_line(transfers)};
  for (const std::string& line : header_lines(subject, exported_parameters(subject.graph), header)) out << "% " << line << '\n';
  write_latex(out, page, {.width = 160, .document = true});
}

}  // namespace sfg
