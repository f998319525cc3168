#include "sfg/draw/svg.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>

#include "sfg/draw/palette.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {
namespace {

/// A length with a tenth of a pixel; same bytes on every machine and in every locale.
std::string number(double value) {
  std::array<char, 32> text{};
  const double rounded = std::round(value * 10) / 10;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded == 0 ? 0 : rounded).ptr;
  return {text.data(), end};
}

class SvgWriter {
 public:
  SvgWriter(std::ostream& out, const Drawing& drawing, const SvgOptions& options) : out_(out), d_(drawing), dark_(options.dark) {}

  void write() {
    const std::string w = number(std::ceil(d_.width)), h = number(std::ceil(d_.height));
    out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << w << ' ' << h << R"(" width=")" << w << R"(" height=")"
         << h << R"(" role="img" aria-labelledby="title description">)" << '\n';
    out_ << R"(<title id="title">)" << xml_text(d_.title) << "</title>\n";
    out_ << R"(<desc id="description">)" << xml_text(d_.description) << "</desc>\n";
    style();
    out_ << R"(<rect class="paper" width=")" << w << R"(" height=")" << h << "\"/>\n";
    for (const DrawnBranch& branch : d_.branches) course(branch);
    for (const DrawnNode& node : d_.nodes)
      out_ << R"(<circle class="node" cx=")" << number(node.at.x) << R"(" cy=")" << number(node.at.y) << R"(" r=")"
           << number(d_.node_radius) << "\"/>\n";
    for (const DrawnBranch& branch : d_.branches) {
      if (branch.gain.backed) backing(branch.gain);
      formula(branch.gain.formula, branch_class(branch));
    }
    for (const DrawnNode& node : d_.nodes) formula(node.name.formula, "");
    for (const Label& line : d_.legend) formula(line.formula, "");
    out_ << "</svg>\n";
  }

 private:
  void style() {
    const auto& [paper, ink, back, law] = dark_ ? dark_drawing : light_drawing;
    out_ << "<style>\n"
         << ".paper{fill:" << paper << "}\n"
         << ".branch{fill:none;stroke:" << ink << ";stroke-width:1.4}\n"
         << ".head{fill:" << ink << ";stroke:none}\n"
         << ".node{fill:" << paper << ";stroke:" << ink << ";stroke-width:1.6}\n"
         << "text{font-family:'Liberation Serif','STIX Two Text','Times New Roman','Nimbus Roman',Tinos,Times,'DejaVu Serif "
            "Condensed',serif;fill:"
         << ink << ";text-anchor:middle;paint-order:stroke;stroke:" << paper << ";stroke-width:4px;stroke-linejoin:round}\n"
         << ".italic{font-style:italic}\n"
         << ".rule{fill:" << ink << "}\n"
         << "path.back{stroke:" << back << "}\n.head.back,.rule.back,text.back{fill:" << back << "}\n"
         << "path.law{stroke:" << law << ";stroke-dasharray:7 4}\n.head.law,.rule.law,text.law{fill:" << law << "}\n"
         << "</style>\n";
  }

  static std::string branch_class(const DrawnBranch& branch) { return branch.nonlinear ? "law" : branch.feedback ? "back" : ""; }

  static std::string classes(std::string_view first, const std::string& second) {
    return second.empty() ? std::string(first) : std::string(first) + (first.empty() ? "" : " ") + second;
  }

  static std::string at(Point p) { return number(p.x) + ',' + number(p.y); }

  void course(const DrawnBranch& branch) {
    const std::string kind = branch_class(branch);
    out_ << R"(<path class=")" << classes("branch", kind) << R"(" d="M)" << at(branch.curve.front());
    for (std::size_t i = 1; i + 2 < branch.curve.size(); i += 3)
      out_ << " C" << at(branch.curve[i]) << ' ' << at(branch.curve[i + 1]) << ' ' << at(branch.curve[i + 2]);
    // the arrow head of the field: a slim barb midway
    const Point d = branch.direction, tip = branch.arrow;
    const auto corner = [&](double backwards, double sideways) {
      return at({tip.x - backwards * d.x - sideways * d.y, tip.y - backwards * d.y + sideways * d.x});
    };
    out_ << "\"/>\n"
         << R"(<path class=")" << classes("head", kind) << R"(" d="M)" << at(tip) << " L" << corner(11, -4.2) << " L"
         << corner(8.5, 0) << " L" << corner(11, 4.2) << " Z\"/>\n";
  }

  void backing(const Label& label) {
    const double w = label.formula.width + 2, h = label.formula.height();
    out_ << R"(<rect class="paper" x=")" << number(label.centre.x - w / 2) << R"(" y=")" << number(label.centre.y - h / 2)
         << R"(" width=")" << number(w) << R"(" height=")" << number(h) << "\"/>\n";
  }

  void formula(const Formula& f, const std::string& kind) {
    for (const TextRow& row : f.rows) text(row, kind);
    for (const TextRule& rule : f.rules)
      out_ << R"(<rect class=")" << classes("rule", kind) << R"(" x=")" << number(rule.x1) << R"(" y=")"
           << number(rule.y - rule.thickness / 2) << R"(" width=")" << number(rule.x2 - rule.x1) << R"(" height=")"
           << number(std::max(rule.thickness, 0.9)) << "\"/>\n";
  }

  void text(const TextRow& row, const std::string& kind) {
    out_ << "<text";
    if (!kind.empty()) out_ << R"( class=")" << kind << '"';
    out_ << R"( x=")" << number(row.x) << R"(" y=")" << number(row.y) << "\">";
    double raised = 0;
    for (const TextRun& run : row.runs) {
      out_ << R"(<tspan font-size=")" << number(run.size) << '"';
      if (run.italic) out_ << R"( class="italic")";
      if (const double up = run.raise - raised; std::abs(up) > 0.05) out_ << R"( dy=")" << number(-up) << '"';
      if (std::abs(run.before) > 0.05) out_ << R"( dx=")" << number(run.before) << '"';
      out_ << '>' << xml_text(run.text) << "</tspan>";
      raised = run.raise;
    }
    out_ << "</text>\n";
  }

  std::ostream& out_;
  const Drawing& d_;
  bool dark_;
};

}  // namespace

void write_svg(std::ostream& out, const Drawing& drawing, const SvgOptions& options) { SvgWriter(out, drawing, options).write(); }

}  // namespace sfg
