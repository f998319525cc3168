#include "sfg/export/c/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "sfg/error.hpp"
#include "sfg/numeric/lookup_table.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

using numeric::Operation;

std::set<std::string> reserved_words() {
  std::set<std::string> words{
      // C and C++
      "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for",
      "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
      "switch", "typedef", "typeof", "union", "unsigned", "void", "volatile", "while", "alignas", "alignof", "and", "and_eq",
      "asm", "bitand", "bitor", "bool", "catch", "class", "co_await", "co_return", "co_yield", "compl", "concept", "consteval",
      "constexpr", "constinit", "const_cast", "decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend",
      "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected",
      "public", "reinterpret_cast", "requires", "static_assert", "static_cast", "template", "this", "thread_local", "throw",
      "true", "try", "typeid", "typename", "using", "virtual", "wchar_t", "char8_t", "char16_t", "char32_t", "xor", "xor_eq",
      "linux", "unix", "main",
      // macros of math.h, stdint.h, stdio.h, stddef.h, string.h, stdlib.h
      "NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "NULL", "EOF", "BUFSIZ", "FILENAME_MAX", "FOPEN_MAX", "L_tmpnam",
      "SEEK_CUR", "SEEK_END", "SEEK_SET", "TMP_MAX", "stdin", "stdout", "stderr", "errno", "math_errhandling", "FP_FAST_FMA",
      "FP_ILOGB0", "FP_ILOGBNAN", "FP_INFINITE", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL", "FP_ZERO", "MATH_ERRNO", "MATH_ERREXCEPT",
      "RAND_MAX", "EXIT_SUCCESS", "EXIT_FAILURE", "MB_CUR_MAX", "I", "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS",
      "M_E", "M_PI", "M_LN2", "MAXFLOAT",
      // what the functions of the file call their own
      "p", "re", "im", "out", "t", "x", "u", "y", "dx", "dt", "A", "B", "C", "D", "E", "F"};
  for (const char* function : {"sqrt", "exp",  "log",  "sin",  "cos", "tan",   "asin",  "acos",  "atan", "atan2",
                               "sinh", "cosh", "tanh", "fabs", "pow", "floor", "frexp", "ldexp", "fmax", "fmin"}) {
    words.emplace(function);
    words.emplace(std::string(function) + "f");
  }
  return words;
}

/// Marks that change the direction of writing: compilers warn of them.
bool turns_writing(std::string_view character) {
  return character.size() == 3 && character[0] == '\xe2' &&
         ((character[1] == '\x80' &&
           ((character[2] >= '\xaa' && character[2] <= '\xae') || character[2] == '\x8e' || character[2] == '\x8f')) ||
          (character[1] == '\x81' && character[2] >= '\xa6' && character[2] <= '\xa9'));
}

std::string_view name_of(Operation operation) {
  using enum Operation;
  switch (operation) {
    case power: return "pow";
    case abs: return "fabs";
    default: return name(operation);
  }
}

}  // namespace

CText::CText(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters, bool single) : single_(single) {
  LegalNames of_file, legal(reserved_words());  // the name of the file only begins those of its functions
  name_ = of_file(subject.name);
  for (const ExportedParameter& parameter : parameters) parameters_.push_back(legal(parameter.name));
  renamed_ = of_file.renamed();
  renamed_.insert(renamed_.end(), legal.renamed().begin(), legal.renamed().end());
  const auto begins_one = [&] {
    return std::ranges::any_of(parameters_, [&](const std::string& other) { return other.starts_with(prefix_); });
  };
  while (begins_one()) prefix_ += prefix_.size() == 1 ? '_' : 'v';
}

std::string CText::filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& more) const {
  std::vector<std::pair<std::string, std::string>> all = more;
  all.insert(all.end(),
             {{"$N", name_}, {"$R", single_ ? "float" : "double"}, {"$f", single_ ? "f" : ""}, {"$l", single_ ? "f" : ""}});
  std::string result;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(all, [&](const auto& pair) { return text.starts_with(pair.first); });
    result += found == all.end() ? text.substr(0, 1) : std::string_view(found->second);
    text.remove_prefix(found == all.end() ? 1 : found->first.size());
  }
  return result;
}

std::string CText::number(double x) const {
  if (!single_) return code_number(x);
  if (std::isfinite(x) && std::abs(x) > static_cast<double>(std::numeric_limits<float>::max()))
    throw NoAnswer("the number " + code_number(x) + " is beyond single precision",
                   "scale the units, or leave the numbers double");
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(x)).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text + "f";
}

std::string CText::numbers(std::span<const double> values) const {
  constexpr std::size_t widest = 110;
  std::string text, line;
  for (const double value : values) {
    const std::string next = number(value);
    if (line.size() + next.size() > widest) {
      line.pop_back();
      text += line + "\n    ";
      line.clear();
    }
    line += next + ", ";
  }
  text += line;
  if (values.empty()) return number(0);
  text.resize(text.size() - 2);
  return text;
}

std::string CText::string(std::string_view bytes) {
  std::string text = "\"";
  while (!bytes.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(bytes));
    const std::string_view character = bytes.substr(0, length);
    const char c = character.front();
    bytes.remove_prefix(length);
    if (c == '"' || c == '\\' || c == '?')  // three-character codes of C begin with ??
      text += std::string("\\") + c;
    else if ((length == 1 && (c < 0x20 || c == 0x7f)) || turns_writing(character))
      for (const char byte : character) text += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
    else
      text += character;
  }
  return text + '"';
}

CText::Block CText::block(const numeric::Tape& tape, std::span<const std::string> others) {
  std::vector<std::string> inputs = parameters_;
  inputs.insert(inputs.end(), others.begin(), others.end());
  CodeSyntax syntax{.number = [&](double x) { return number(x); },
                    .power = [&](const std::string& base, int exponent) { return power(base, exponent); },
                    .function = [&](Operation operation, const std::string& left,
                                    const std::string& right) { return call(operation, left, right); }};
  const CodeLines lines = code_lines(tape, inputs, syntax, prefix_);
  std::vector<bool> used(inputs.size(), false);
  for (const numeric::Instruction& instruction : tape.instructions())
    if (instruction.operation == Operation::input) used[instruction.left] = true;
  Block block;
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    if (used[k]) block.statements += filled("  const $R ") + fmt::format("{} = p[{}];\n", parameters_[k], k);
  for (const auto& [name, formula] : lines.assignments)
    block.statements += filled("  const $R ") + name + " = " + formula + ";\n";
  block.outputs = lines.outputs;
  return block;
}

CodeText CText::call(Operation operation, const std::string& left, const std::string& right) {
  const auto own_function = [&](const char* name, const char* text) {  // of math.h there is none
    helpers_[name] = filled(text);
    return CodeText{filled("$N_") + name + "(" + left + (right.empty() ? "" : ", " + right) + ")", Binding::atom};
  };
  switch (operation) {
    case Operation::sign:
      return own_function("sign", "static $R $N_sign($R a) { return a > 0.0$l ? 1.0$l : a < 0.0$l ? -1.0$l : a; }\n");
    case Operation::step:
      return own_function("unit_step", "static $R $N_unit_step($R a) { return a < 0.0$l ? 0.0$l : 1.0$l; }\n");
    case Operation::min: return own_function("min", "static $R $N_min($R a, $R b) { return b < a ? b : a; }\n");
    case Operation::max: return own_function("max", "static $R $N_max($R a, $R b) { return b > a ? b : a; }\n");
    case Operation::lookup: return lookup(std::stoul(right), left);
    default: break;
  }
  return {std::string(name_of(operation)) + (single_ ? "f(" : "(") + left + (right.empty() ? ")" : ", " + right + ")"),
          Binding::atom};
}

CodeText CText::power(const std::string& base, int exponent) {
  constexpr int written_out = 6;
  if (exponent <= written_out) {
    std::string text = base;
    for (int k = 1; k < exponent; ++k) text += "*" + base;
    return {text, Binding::product};
  }
  helpers_["power"] = filled(R"(static $R $N_power($R a, int n) {
  $R b = 1.0$l;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) b *= a;
    if (n > 1) a *= a;
  }
  return b;
}
)");
  return {filled("$N_power(") + base + ", " + std::to_string(exponent) + ")", Binding::atom};
}

/// A table is a function of its own: its cubics between the knots, straight beyond them.
CodeText CText::lookup(std::size_t number_of_code, const std::string& at) {
  const int order = static_cast<int>(number_of_code % 8);
  if (order == numeric::knots_of_table) throw NoAnswer("the number of a table's knot has no place in the file");
  const numeric::LookupTable& table = numeric::table_of_number(number_of_code / 8);
  const std::string name = fmt::format("table_{}", number_of_code);
  std::vector<double> rows;
  const std::span<const double> x = table.x();
  for (std::size_t i = 0; i < x.size(); ++i) {
    rows.push_back(x[i]);
    double factor = 1;
    for (int k = 0; k < 4; ++k, factor *= k) rows.push_back(table.value(x[i], order + k) / factor);
  }
  helpers_[name] = filled(R"(/* $ABOUT: x, then the coefficients of (at - x)^0 .. (at - x)^3 behind it. */
static $R $N_$TABLE($R at) {
  static const $R rows[$COUNT][5] = {$ROWS};
  int k = 0;
  $R a;
  while (k + 1 < $COUNT && at >= rows[k + 1][0]) ++k;
  a = at - rows[k][0];
  if (a < 0.0$l) return rows[0][1] + $SLOPE * a;
  return rows[k][1] + a * (rows[k][2] + a * (rows[k][3] + a * rows[k][4]));
}
)",
                          {{"$ABOUT", "A table" + std::string(order > 0 ? ", a derivative of it" : "")},
                           {"$TABLE", name},
                           {"$COUNT", std::to_string(x.size())},
                           {"$ROWS", "$"},
                           {"$SLOPE", number(table.value(x[0] - 1, order + 1))}});
  std::string text;
  for (std::size_t i = 0; i < x.size(); ++i)
    text += (i == 0 ? "{" : ",\n    {") + numbers(std::span(rows).subspan(5 * i, 5)) + "}";
  std::string& helper = helpers_[name];
  helper.replace(helper.find('$'), 1, text);
  return {filled("$N_") + name + "(" + at + ")", Binding::atom};
}

std::string CText::helpers() const {
  std::string text;
  for (const auto& [name, function] : helpers_) text += function;
  return text;
}

std::string CText::unused(std::span<const std::string_view> words, std::string_view text) {
  std::string result;
  for (const std::string_view word : words)
    if (!has_name(text, word)) result += "  (void)" + std::string(word) + ";\n";
  return result;
}

numeric::Tape outputs_of(const numeric::Tape& tape, std::span<const std::size_t> numbers) {
  numeric::TapeBuilder builder(numeric::TapeBuilder::Folding::exact);
  for (const std::string& input : tape.inputs()) builder.input(input);
  std::vector<numeric::TapeBuilder::Value> values, outputs;
  for (const numeric::Instruction& i : tape.instructions()) switch (i.operation) {
      case Operation::constant: values.push_back(builder.constant(tape.constants()[i.left])); break;
      case Operation::input: values.push_back(builder.input(tape.inputs()[i.left])); break;
      case Operation::integer_power: values.push_back(builder.power(values[i.left], i.exponent())); break;
      default:
        values.push_back(operand_count(i.operation) > 1 ? builder.apply(i.operation, values[i.left], values[i.right])
                                                        : builder.apply(i.operation, values[i.left]));
    }
  for (const std::size_t k : numbers) outputs.push_back(values[tape.outputs()[k]]);
  return builder.tape(outputs);
}

}  // namespace sfg
