
#include "sfg/export/targets.hpp"

#include <ostream>

#include "sfg/export/document_page.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

void write_html_snippet(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  const std::vector<TransferFunction> transfers = document_transfers(subject, budget);
  Page page = document_page(subject, transfers, document_drawing(subject, budget));
  std::string end = verified_line(transfers);
  end.front() = 'V';
  page.add(Paragraph{words(end + ".")});
  if (!subject.command.empty()) page.add(Paragraph{words("Made by: " + subject.command)});
  write_html(out, page);
}

}  // namespace sfg
