#include "sfg/draw/math_tree.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "sfg/text/utf8.hpp"

namespace sfg {
namespace {

using Kind = MathNode::Kind;

constexpr int deepest = 200;  // nested parts; what lies deeper is left out

const std::map<std::string_view, std::string_view> letters{
    {"alpha", "α"},   {"beta", "β"},   {"gamma", "γ"},  {"delta", "δ"},    {"epsilon", "ϵ"}, {"varepsilon", "ε"},
    {"zeta", "ζ"},    {"eta", "η"},    {"theta", "θ"},  {"vartheta", "ϑ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"},  {"mu", "μ"},     {"nu", "ν"},     {"xi", "ξ"},       {"omicron", "ο"}, {"pi", "π"},
    {"rho", "ρ"},     {"varrho", "ϱ"}, {"sigma", "σ"},  {"varsigma", "ς"}, {"tau", "τ"},     {"upsilon", "υ"},
    {"phi", "ϕ"},     {"varphi", "φ"}, {"chi", "χ"},    {"psi", "ψ"},      {"omega", "ω"},   {"Gamma", "Γ"},
    {"Delta", "Δ"},   {"Theta", "Θ"},  {"Lambda", "Λ"}, {"Xi", "Ξ"},       {"Pi", "Π"},      {"Sigma", "Σ"},
    {"Upsilon", "Υ"}, {"Phi", "Φ"},    {"Psi", "Ψ"},    {"Omega", "Ω"},    {"infty", "∞"},   {"partial", "∂"}};
const std::map<std::string_view, std::string_view> marks{
    {"cdot", "·"}, {"times", "×"}, {"pm", "±"}, {"lvert", "|"}, {"rvert", "|"}, {"vert", "|"}, {"prime", "′"}, {"le", "≤"},
    {"ge", "≥"},   {"_", "_"},     {"%", "%"},  {"&", "&"},     {"#", "#"},     {"$", "$"},    {"{", "{"},     {"}", "}"}};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// Everything up to a closing brace, \right or the end.
  MathNode list() {
    MathNode made;
    while (true) {
      const bool spaced = skip_space();
      if (at_end() || text_[at_] == '}' || text_.substr(at_).starts_with("\\right")) return made;
      MathNode next = with_scripts();
      next.spaced = spaced;
      made.parts.push_back(std::move(next));
    }
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }

  bool skip_space() {
    const std::size_t before = at_;
    while (!at_end()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.front() == ' ' || rest.front() == '~') {
        ++at_;
      } else if (rest.size() > 1 && rest.front() == '\\' && std::string_view(", ;:!").find(rest[1]) != std::string_view::npos) {
        at_ += 2;
      } else {
        break;
      }
    }
    return at_ > before;
  }

  MathNode with_scripts() {
    MathNode base = atom();
    if (at_end() || (text_[at_] != '^' && text_[at_] != '_')) return base;
    MathNode made{Kind::script, {}, {}, {std::move(base), {}, {}}, false};
    while (!at_end() && (text_[at_] == '^' || text_[at_] == '_')) {
      MathNode& script = made.parts[text_[at_++] == '^' ? 2 : 1];
      script.parts.push_back(argument());
    }
    return made;
  }

  MathNode argument() {
    skip_space();
    return atom();
  }

  MathNode group() {
    ++at_;
    MathNode made = list();
    if (!at_end()) ++at_;
    return made;
  }

  /// The text of {…} as it is.
  std::string raw_group() {
    skip_space();
    if (at_end() || text_[at_] != '{') return {};
    const std::size_t begin = ++at_;
    int depth = 1;
    while (!at_end() && depth > 0) {
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}') --depth;
      ++at_;
    }
    std::string raw(text_.substr(begin, at_ - begin - (depth == 0 ? 1 : 0)));
    std::erase(raw, '\\');
    return raw;
  }

  MathNode atom() {
    if (at_end()) return {};
    if (depth_ == deepest) {
      ++at_;
      return {};
    }
    ++depth_;
    MathNode made = atom_within();
    --depth_;
    return made;
  }

  MathNode atom_within() {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '{') return group();
    if (c == '\\') return command();
    if (c == '}') {
      ++at_;
      return {};
    }
    if (std::string_view("+-=<>").find(static_cast<char>(c)) != std::string_view::npos) {
      ++at_;
      return {Kind::sign, c == '-' ? "−" : std::string(1, static_cast<char>(c)), {}, {}, false};
    }
    if (std::isdigit(c) != 0) {
      const std::size_t begin = at_;
      while (!at_end() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.')) ++at_;
      return {Kind::upright, std::string(text_.substr(begin, at_ - begin)), {}, {}, false};
    }
    std::string one(text_.substr(at_, character_bytes(text_, at_)));
    at_ += one.size();
    const bool letter = std::isalpha(c) != 0 || c == 0xCE || c == 0xCF;  // Latin or Greek
    return {letter ? Kind::letter : Kind::upright, std::move(one), {}, {}, false};
  }

  std::string_view command_name() {
    const std::size_t begin = ++at_;
    while (!at_end() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == begin && !at_end()) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  MathNode command() {
    const std::string_view name = command_name();
    if (name == "frac" || name == "dfrac" || name == "tfrac") {
      MathNode made{Kind::fraction, {}, {}, {}, false};
      made.parts.push_back(argument());
      made.parts.push_back(argument());
      return made;
    }
    if (name == "sqrt") return {Kind::root, {}, {}, {argument()}, false};
    if (name == "left") return bracketed();
    if (name == "mathrm" || name == "operatorname" || name == "text" || name == "textrm")
      return {Kind::upright, raw_group(), {}, {}, false};
    if (name == "mathit" || name == "mathnormal") return {Kind::letter, raw_group(), {}, {}, false};
    if (const auto it = letters.find(name); it != letters.end()) return {Kind::letter, std::string(it->second), {}, {}, false};
    if (const auto it = marks.find(name); it != marks.end()) return {Kind::upright, std::string(it->second), {}, {}, false};
    return {Kind::upright, std::string(name), {}, {}, false};
  }

  std::string delimiter() {
    if (at_end()) return {};
    if (text_[at_] != '\\') return std::string(1, text_[at_++]);
    const auto it = marks.find(command_name());
    return it == marks.end() ? "|" : std::string(it->second);
  }

  MathNode bracketed() {
    MathNode made{Kind::bracket, delimiter(), {}, {}, false};
    made.parts.push_back(list());
    at_ += std::min<std::size_t>(6, text_.size() - at_);  // \right
    made.closing = delimiter();
    for (std::string* sign : {&made.text, &made.closing})
      if (*sign == ".") sign->clear();
    return made;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

MathNode math_tree(std::string_view latex) {
  MathNode tree = Reader(latex).list();
  if (tree.parts.size() == 1 && tree.parts.front().kind == MathNode::Kind::list) return std::move(tree.parts.front());
  return tree;
}

std::vector<std::string> summands(std::string_view latex) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    const std::string_view rest = latex.substr(i);
    if (rest.front() == '{' || rest.starts_with("\\left")) ++depth;
    if (rest.front() == '}' || rest.starts_with("\\right")) --depth;
    const bool sign = rest.starts_with("+ ") || rest.starts_with("- ");
    if (depth == 0 && sign && i > 0 && latex[i - 1] == ' ') parts.emplace_back();
    parts.back() += latex[i];
  }
  return parts;
}

}  // namespace sfg
