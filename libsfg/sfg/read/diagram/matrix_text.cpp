#include "sfg/read/diagram/matrix_text.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/name.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

constexpr std::size_t deepest_expression = 100, most_entries = 10'000, most_bits = 100'000;
constexpr long largest_power = 1'000;

bool is_scalar_or_same(const StatedMatrix& a, const StatedMatrix& b) {
  return a.scalar() || b.scalar() || (a.rows == b.rows && a.columns == b.columns);
}

template <class Operation>
StatedMatrix entry_by_entry(const StatedMatrix& a, const StatedMatrix& b, Operation operation) {
  StatedMatrix made = a.scalar() ? b : a;
  for (std::size_t i = 0; i < made.entries.size(); ++i)
    made.entries[i] = operation(a.scalar() ? a.entries[0] : a.entries[i], b.scalar() ? b.entries[0] : b.entries[i]);
  return made;
}

class MatrixScan {
 public:
  using Names = MatrixReading::Names;

  MatrixScan(const Passage& passage, const MatrixReading& reading, const Names& own)
      : passage_(passage), text_(passage.text), reading_(reading), own_(own) {}

  StatedMatrix whole() {
    blanks();
    if (ended()) return {};
    StatedMatrix value = sum();
    blanks();
    if (!ended()) refuse(at_, std::string("there is '") + next() + "' where the value ought to end");
    return value;
  }

 private:
  bool ended() const { return at_ >= text_.size(); }
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool matlab() const { return reading_.language() == ValueLanguage::matlab; }
  [[noreturn]] void refuse(std::size_t at, const std::string& what,
                           const std::string& hint = "write numbers, names, matrices and + - * / ^ of them") const {
    throw Error(place(reading_.source(), passage_.part(std::min(at, text_.size()), 1)), what, hint);
  }
  void blanks() {
    while (!ended() && is_blank_character(next())) ++at_;
  }
  bool take(std::string_view what) {
    if (!text_.substr(std::min(at_, text_.size())).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  /// In brackets a blank before a sign and none behind it begins the next entry.
  bool next_entry() const {
    if (!in_brackets_) return false;
    std::size_t at = at_;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    if (at == at_ || at + 1 >= text_.size() || (text_[at] != '+' && text_[at] != '-')) return false;
    return !is_blank_character(text_[at + 1]);
  }
  void inner_blanks() {
    while (!ended() && (in_brackets_ ? next() == ' ' || next() == '\t' : is_blank_character(next()))) ++at_;
  }

  StatedMatrix sum() {
    if (++depth_ > deepest_expression) refuse(at_, "the value is nested more than 100 deep");
    StatedMatrix value = product();
    for (;;) {
      if (next_entry()) break;
      const std::size_t here = at_;
      inner_blanks();
      const std::size_t sign = at_;
      const bool minus = next() == '-';
      if (next() != '+' && !minus) {
        at_ = here;
        break;
      }
      ++at_;
      const StatedMatrix other = product();
      check_shapes(sign, value, other);
      value = entry_by_entry(value, other, [&](const GiNaC::ex& a, const GiNaC::ex& b) { return minus ? a - b : a + b; });
    }
    --depth_;
    return value;
  }

  void check_shapes(std::size_t at, const StatedMatrix& a, const StatedMatrix& b) const {
    if (a.entries.empty() || b.entries.empty()) refuse(at, "a value without entries in an expression");
    if (!is_scalar_or_same(a, b)) refuse(at, "matrices of different sizes");
  }

  StatedMatrix product() {
    StatedMatrix value = sign();
    for (;;) {
      const std::size_t here = at_;
      inner_blanks();
      const std::size_t sign_at = at_;
      const bool dotted = next() == '.' && (next(1) == '*' || next(1) == '/');
      if (dotted) ++at_;
      const char operation = next();
      if (operation != '*' && operation != '/') {
        at_ = here;
        return value;
      }
      ++at_;
      const StatedMatrix other = sign();
      if (operation == '*' && !dotted && !value.scalar() && !other.scalar())
        value = matrix_product(sign_at, value, other);
      else
        value = scaled(sign_at, value, other, operation == '/', dotted);
    }
  }

  StatedMatrix scaled(std::size_t at, const StatedMatrix& a, const StatedMatrix& b, bool divide, bool dotted) const {
    if (divide && !dotted && !b.scalar()) refuse(at, "a division by a matrix");
    check_shapes(at, a, b);
    return entry_by_entry(a, b, [&](const GiNaC::ex& x, const GiNaC::ex& y) -> GiNaC::ex {
      if (!divide) return x * y;
      if (vanishes(y)) refuse(at, "a division by zero", "write another value");
      return x / y;
    });
  }

  StatedMatrix matrix_product(std::size_t at, const StatedMatrix& a, const StatedMatrix& b) const {
    if (a.columns != b.rows) refuse(at, "a product of matrices whose sizes do not fit");
    if (a.rows * b.columns > most_entries || a.rows * b.columns * a.columns > 100 * most_entries)
      refuse(at, "the product is too large");
    StatedMatrix made{a.rows, b.columns, std::vector<GiNaC::ex>(a.rows * b.columns, 0)};
    for (std::size_t i = 0; i < a.rows; ++i)
      for (std::size_t j = 0; j < b.columns; ++j)
        for (std::size_t k = 0; k < a.columns; ++k) made.entries[i * b.columns + j] += a.at(i, k) * b.at(k, j);
    return made;
  }

  StatedMatrix sign() {
    inner_blanks();
    if (++depth_ > deepest_expression) refuse(at_, "the value is nested more than 100 deep");
    StatedMatrix value;
    if (take("-")) {
      value = sign();
      for (GiNaC::ex& entry : value.entries) entry = -entry;
    } else {
      value = take("+") ? sign() : power();
    }
    --depth_;
    return value;
  }

  StatedMatrix power() {
    StatedMatrix value = transposed();
    for (;;) {
      const std::size_t here = at_;
      inner_blanks();
      const std::size_t at = at_;
      const bool dotted = take(".^");
      if (!dotted && !take("^")) {
        at_ = here;
        return value;
      }
      inner_blanks();
      const StatedMatrix exponent = next() == '-' || next() == '+' ? sign() : transposed();
      if (!dotted && (!value.scalar() || !exponent.scalar()))
        refuse(at, "a power of a matrix", "write .^ for that of each entry");
      check_shapes(at, value, exponent);
      value = entry_by_entry(value, exponent, [&](const GiNaC::ex& a, const GiNaC::ex& b) { return raised(at, a, b); });
    }
  }

  GiNaC::ex raised(std::size_t at, const GiNaC::ex& base, const GiNaC::ex& exponent) const {
    if (vanishes(base) && !(GiNaC::is_a<GiNaC::numeric>(exponent) && GiNaC::ex_to<GiNaC::numeric>(exponent).is_nonneg_integer()))
      refuse(at, "a power of zero", "write another value");
    if (GiNaC::is_a<GiNaC::numeric>(exponent)) {
      const GiNaC::numeric n = GiNaC::ex_to<GiNaC::numeric>(exponent);
      if (!n.is_rational() || GiNaC::abs(n) > largest_power)
        refuse(at, "the exponent is too large", "write one from -1000 to 1000");
      if (GiNaC::is_a<GiNaC::numeric>(base)) {
        const GiNaC::numeric b = GiNaC::ex_to<GiNaC::numeric>(base);
        const double bits = b.is_rational() ? b.numer().int_length() + b.denom().int_length() : 200.0;
        if (bits * GiNaC::abs(n).to_double() > double{most_bits}) refuse(at, "the power is too large", "write a smaller number");
      }
    }
    return GiNaC::pow(base, exponent);
  }

  StatedMatrix transposed() {
    StatedMatrix value = atom();
    while (take("'") || take(".'")) {
      StatedMatrix turned{value.columns, value.rows, {}};
      for (std::size_t j = 0; j < value.columns; ++j)
        for (std::size_t i = 0; i < value.rows; ++i) turned.entries.push_back(value.at(i, j));
      value = std::move(turned);
    }
    return value;
  }

  StatedMatrix atom() {
    const std::size_t begin = at_;
    if (take("(")) {
      const bool before = std::exchange(in_brackets_, false);
      StatedMatrix value = sum();
      blanks();
      if (!take(")")) refuse(begin, "the '(' that stands here is not closed", "write ')'");
      in_brackets_ = before;
      return value;
    }
    if (next() == '[') return brackets();
    if (is_ascii_digit(next()) || (next() == '.' && is_ascii_digit(next(1)))) return StatedMatrix::of(number());
    if (is_ascii_letter(next()) || next() == '_' || next() == '%') return name();
    refuse(at_, ended() ? "a value is missing" : std::string("there is '") + next() + "' where a value is expected");
  }

  GiNaC::ex number() {
    const std::size_t begin = at_;
    while (is_ascii_digit(next())) ++at_;
    if (next() == '.' && next(1) != '*' && next(1) != '/' && next(1) != '^' && next(1) != '\'') {
      ++at_;
      while (is_ascii_digit(next())) ++at_;
    }
    const std::size_t sign = next(1) == '-' || next(1) == '+' ? 1 : 0;
    if (std::string_view("eEdD").find(next()) != std::string_view::npos && next() != '\0' && is_ascii_digit(next(1 + sign))) {
      at_ += 1 + sign;
      while (is_ascii_digit(next())) ++at_;
    }
    Passage digits = passage_.part(begin, at_ - begin);
    std::ranges::replace(digits.text, 'd', 'e');
    std::ranges::replace(digits.text, 'D', 'e');
    if (digits.text.starts_with('.')) digits.text.insert(0, "0");
    if (const std::size_t point = digits.text.find('.');
        point != std::string::npos && !is_ascii_digit(digits.text.c_str()[point + 1]))
      digits.text.insert(point + 1, "0");
    const GiNaC::ex value = parse_number(digits.text, place(reading_.source(), passage_.part(begin, at_ - begin)));
    if (matlab() && (next() == 'i' || next() == 'j') && !is_word_character(next(1))) {
      ++at_;
      return value * GiNaC::I;
    }
    return value;
  }

  /// Rows are ended by ';' or lines, entries by ',' or blanks.
  StatedMatrix brackets() {
    const std::size_t open = at_++;
    const bool before = std::exchange(in_brackets_, true);
    StatedMatrix made;
    StatedMatrix row;
    const auto end_row = [&] {
      if (row.entries.empty()) return;
      if (!made.entries.empty() && made.columns != row.columns) refuse(at_, "the rows of a matrix are of different lengths");
      made.columns = row.columns;
      made.rows += row.rows;
      made.entries.insert(made.entries.end(), row.entries.begin(), row.entries.end());
      row = {};
    };
    for (;;) {
      while (!ended() && (next() == ' ' || next() == '\t' || next() == ',')) ++at_;
      if (text_.substr(at_).starts_with("...")) at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
      if (ended()) refuse(open, "the '[' that stands here is not closed", "write ']'");
      if (take("]")) break;
      if (next() == ';' || next() == '\n' || next() == '\r') {
        ++at_;
        end_row();
        continue;
      }
      beside(row, sum());
      if (made.entries.size() + row.entries.size() > most_entries) refuse(open, "the matrix has more than 10000 entries");
    }
    end_row();
    in_brackets_ = before;
    return made;
  }

  void beside(StatedMatrix& row, const StatedMatrix& value) const {
    if (value.entries.empty()) return;
    if (row.entries.empty()) {
      row = value;
      return;
    }
    if (row.rows != value.rows) refuse(at_, "parts of different heights stand side by side in a matrix");
    StatedMatrix made{row.rows, row.columns + value.columns, {}};
    for (std::size_t i = 0; i < row.rows; ++i) {
      for (std::size_t j = 0; j < row.columns; ++j) made.entries.push_back(row.at(i, j));
      for (std::size_t j = 0; j < value.columns; ++j) made.entries.push_back(value.at(i, j));
    }
    row = std::move(made);
  }

  StatedMatrix name() {
    const std::size_t begin = at_;
    if (next() == '%') ++at_;
    while (is_word_character(next()) || (next() == '.' && is_ascii_letter(next(1)))) ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    std::ranges::replace(word, '.', '_');  // P.K, a field of a structure
    const StatedMatrix* known = nullptr;
    if (const auto found = own_.find(word); found != own_.end()) known = &found->second;
    for (const Names* scope : reading_.scopes)
      if (const auto found = scope->find(word); !known && found != scope->end()) known = &found->second;
    if (next() == '(') return known ? indexed(*known, word) : call(word, begin);
    if (known) return *known;
    if (word == "pi" || word == "%pi") return StatedMatrix::of(GiNaC::Pi);
    if (word == "%e") return StatedMatrix::of(GiNaC::exp(GiNaC::ex(1)));
    if ((matlab() && (word == "i" || word == "j") && !reading_.symbols().find(word)) || word == "%i")
      return StatedMatrix::of(GiNaC::I);
    if (word.starts_with('%') || word == "inf" || word == "Inf" || word == "nan" || word == "NaN")
      refuse(begin, in_quotes(word) + " is no finite value", "write a number or the name of a parameter");
    if (!is_name(word)) refuse(begin, in_quotes(word) + " cannot be the name of a parameter", "rename it");
    return StatedMatrix::of(reading_.symbols().symbol(word, place(reading_.source(), passage_.part(begin, word.size()))));
  }

  std::vector<StatedMatrix> arguments() {
    const std::size_t open = at_++;
    const bool before = std::exchange(in_brackets_, false);
    std::vector<StatedMatrix> values;
    for (;;) {
      blanks();
      if (take(")")) break;
      if (!values.empty() && !take(",")) refuse(open, "the '(' that stands here is not closed", "write ')'");
      values.push_back(sum());
      if (values.size() > 10) refuse(open, "a call with more than 10 arguments");
    }
    in_brackets_ = before;
    return values;
  }

  std::size_t index(const StatedMatrix& value, std::size_t most, std::size_t at) const {
    if (value.scalar() && GiNaC::is_a<GiNaC::numeric>(value.entries[0])) {
      const GiNaC::numeric n = GiNaC::ex_to<GiNaC::numeric>(value.entries[0]);
      if (n.is_nonneg_integer() && n <= static_cast<unsigned long>(most)) return static_cast<std::size_t>(n.to_long());
    }
    refuse(at, "a whole number up to " + std::to_string(most) + " is expected here");
  }

  StatedMatrix indexed(const StatedMatrix& known, const std::string& word) {
    const std::size_t at = at_;
    const std::vector<StatedMatrix> places = arguments();
    if (places.size() == 1) {
      const std::size_t i = index(places[0], known.entries.size(), at);
      if (i > 0) return StatedMatrix::of(known.at((i - 1) % known.rows, (i - 1) / known.rows));
    } else if (places.size() == 2) {
      const std::size_t i = index(places[0], known.rows, at), j = index(places[1], known.columns, at);
      if (i > 0 && j > 0) return StatedMatrix::of(known.at(i - 1, j - 1));
    }
    refuse(at, in_quotes(word) + " has no such entry", "name one by its row and column, from 1 on");
  }

  StatedMatrix call(const std::string& word, std::size_t begin) {
    const std::size_t at = at_;
    const std::vector<StatedMatrix> values = arguments();
    const auto sized = [&](std::size_t argument) { return index(values[std::min(argument, values.size() - 1)], 100, at); };
    if (word == "conv" && values.size() == 2) return convolution(values[0], values[1], at);
    if ((word == "eye" || word == "zeros" || word == "ones") && !values.empty() && values.size() <= 2) {
      StatedMatrix made{sized(0), sized(1), {}};
      made.entries.assign(made.rows * made.columns, word == "ones" ? 1 : 0);
      for (std::size_t i = 0; word == "eye" && i < std::min(made.rows, made.columns); ++i) made.entries[i * made.columns + i] = 1;
      return made;
    }
    if (word == "diag" && values.size() == 1 && values[0].list() && values[0].entries.size() <= 100) {
      const std::size_t n = values[0].entries.size();
      StatedMatrix made{n, n, std::vector<GiNaC::ex>(n * n, 0)};
      for (std::size_t i = 0; i < n; ++i) made.entries[i * n + i] = values[0].entries[i];
      return made;
    }
    return function(word, values, begin);
  }

  StatedMatrix convolution(const StatedMatrix& a, const StatedMatrix& b, std::size_t at) const {
    if (!a.list() || !b.list() || a.entries.empty() || b.entries.empty() || a.entries.size() * b.entries.size() > most_entries)
      refuse(at, "conv is of two lists of coefficients");
    StatedMatrix made{1, a.entries.size() + b.entries.size() - 1, {}};
    made.entries.assign(made.columns, 0);
    for (std::size_t i = 0; i < a.entries.size(); ++i)
      for (std::size_t j = 0; j < b.entries.size(); ++j) made.entries[i + j] += a.entries[i] * b.entries[j];
    return made;
  }

  /// One that expressions know, of numbers.
  StatedMatrix function(const std::string& word, const std::vector<StatedMatrix>& values, std::size_t begin) const {
    static constexpr std::string_view known = " sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs ";
    if (values.size() != 1 || known.find(" " + word + " ") == std::string_view::npos)
      refuse(begin, in_quotes(word + "(…)") + " is no value that is read: nothing is run",
             "write what it gives, or a name for it");
    StatedMatrix made = values[0];
    SymbolTable table;
    const GiNaC::ex argument = table.symbol("x"), of_argument = parse(word + "(x)", table);
    for (GiNaC::ex& entry : made.entries) {
      if (word == "log" && vanishes(entry)) refuse(begin, "the logarithm of zero", "write another value");
      entry = of_argument.subs(argument == entry);
    }
    return made;
  }

  const Passage& passage_;
  std::string_view text_;
  const MatrixReading& reading_;
  const Names& own_;
  std::size_t at_ = 0, depth_ = 0;
  bool in_brackets_ = false;
};

}  // namespace

StatedMatrix MatrixReading::matrix(const Passage& passage, const Names& own) const {
  try {
    return MatrixScan(passage, *this, own).whole();
  } catch (const GiNaC::pole_error&) {
    throw Error(place(source_, passage), "a value that is not finite", "write another value");
  }
}

GiNaC::ex MatrixReading::scalar(const Passage& passage, const Names& own) const {
  const StatedMatrix value = matrix(passage, own);
  if (value.scalar()) return value.entries[0];
  throw Error(place(source_, passage),
              value.entries.empty() ? "a value is missing" : "one value is expected, and there is a matrix",
              "write one number or expression");
}

std::vector<GiNaC::ex> MatrixReading::list(const Passage& passage) const {
  StatedMatrix value = matrix(passage);
  if (value.list()) return std::move(value.entries);
  throw Error(place(source_, passage), "a row of values is expected, and there is a matrix", "write [a b c]");
}

bool MatrixReading::is_zero(const Passage& passage) const {
  SymbolTable aside = symbols_;
  MatrixReading reading(source_, aside, language_);
  reading.scopes = scopes;
  try {
    return std::ranges::all_of(reading.matrix(passage).entries, [](const GiNaC::ex& entry) { return entry.is_zero(); });
  } catch (const Error&) {
    return false;
  }
}

std::size_t MatrixReading::whole(const Passage& passage, std::size_t most) const {
  const GiNaC::ex value = scalar(passage);
  if (GiNaC::is_a<GiNaC::numeric>(value)) {
    const GiNaC::numeric n = GiNaC::ex_to<GiNaC::numeric>(value);
    if (n.is_nonneg_integer() && n <= static_cast<unsigned long>(most)) return static_cast<std::size_t>(n.to_long());
  }
  throw Error(place(source_, passage), "a whole number from 0 to " + std::to_string(most) + " is expected", "write one");
}

}  // namespace sfg
