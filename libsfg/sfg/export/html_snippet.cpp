#include "sfg/export/html_snippet.hpp"

#include <ostream>
#include <sstream>

#include "sfg/draw/svg.hpp"
#include "sfg/export/document_page.hpp"
#include "sfg/write/page/page_html.hpp"

namespace sfg {

void write_html_snippet(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  const std::vector<TransferFunction> transfers = document_transfers(subject, budget);
  std::ostringstream picture;
  if (const auto drawing = document_drawing(subject, budget)) write_svg(picture, *drawing);
  Page page = document_page(subject, transfers, picture.str());
  std::string end = verified_line(transfers);
  end.front() = 'V';
  page.add(Paragraph{words(end + ".")});
  if (!subject.command.empty()) page.add(Paragraph{words("Made by: " + subject.command)});
  write_html(out, page);
}

}  // namespace sfg
