#pragma once
#include <ginac/ex.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/read/printed/printed_text.hpp"

namespace sfg {

/// A signal of a printed system.
struct PrintedSignal {
  std::string name;
  bool by_user = false;  ///< not one of the names u1, y1 that programs give
};

/// A matrix of a state-space model, with the names of its rows and columns.
struct PrintedMatrix {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<GiNaC::ex>> entries;
  SourceSpan where;
};

/// One system of a print.
struct PrintedModel {
  struct Transfer {
    PrintedSignal input, output;
    GiNaC::ex gain;
    SourceSpan where;
  };
  enum class Time { unknown, continuous, discrete };

  std::string name;
  SourceSpan where;
  std::vector<Transfer> transfers;
  std::map<char, PrintedMatrix> matrices;  ///< 'A' … 'E'
  Time time = Time::unknown;
  std::optional<exact::Rational> sample_time;  ///< in s, where one is stated
};

/// Finds the systems of a print.
class PrintedModels {
 public:
  PrintedModels(const SourceText&, SymbolTable&, Problems&);
  std::vector<PrintedModel> models();
  const std::string& variable() const noexcept { return variable_; }  ///< "" where none occurs
  bool rounded() const noexcept { return rounded_; }                  ///< a number has as many digits as programs print

 private:
  bool heading(std::size_t line);
  bool transfer_heading(const PrintedLine&);
  bool matrix_heading(std::size_t line);
  bool is_matrix(std::size_t line) const;
  bool footer(const PrintedLine&);
  void sample_time(const Passage& stated);
  void fraction(const std::vector<PrintedLine>&);
  void matrix(char letter, const PrintedLine& heading);
  void rows(PrintedMatrix&, std::vector<Passage> columns, const GiNaC::ex& scale);
  void row(PrintedMatrix&, const std::vector<Passage>& cells, std::size_t first_column, std::size_t columns, std::size_t index,
           const GiNaC::ex& scale);
  GiNaC::ex polynomial(const Passage&);
  GiNaC::ex number(const Passage&);
  void look_at_digits(std::string_view);
  PrintedModel& current(const SourceSpan& where);
  void begin(std::string name, const SourceSpan& where);
  std::size_t after_blank_lines(std::size_t line) const;

  const SourceText& source_;
  SymbolTable& symbols_;
  Problems& problems_;
  std::vector<PrintedLine> lines_;
  std::size_t at_ = 0;
  std::vector<PrintedModel> models_;
  bool open_ = false;  ///< the last model goes on
  PrintedSignal input_{"u", false};
  std::optional<PrintedSignal> output_;  ///< that the heading names
  std::string variable_;
  bool rounded_ = false;
};

}  // namespace sfg
