#pragma once
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sfg/export/scripts/script_content.hpp"

// Not installed.
namespace sfg {

/// How a language of matrices says what others say, too.
struct MatrixLanguage {
  const char* words;         ///< keywords, and what the script calls or makes itself
  const char* comment;       ///< begins one
  const char* continued;     ///< what goes on in the next line
  const char* end_function;  ///< ends one
  const char* row_indent;    ///< of what a row of a matrix goes on with
  const char* next_place;    ///< between two rows of the table of places
  char quote;                ///< around text
  const char* doubled;       ///< characters that are doubled within it
  const char* joined[4];     ///< around and between parts of a text, and the function that makes a character of its code
  const char* texts[2];      ///< around several texts
  const char* lists[2];      ///< around several vectors
  const char *arctangent, *truth, *lookup;  ///< functions: of two numbers, of a truth as a number, of a table
  bool sized_empty;                         ///< a matrix without entries has rows or columns
};

/// A script for Octave and MATLAB or for Scilab: parameters, tables, transfer functions and state space or the equations of
/// motion, then the file's own tables of responses. What only one of them says is asked of the derived class.
class MatrixProgram {
 public:
  MatrixProgram(std::ostream&, const ExportSubject&, const MatrixLanguage&, const Budget&);
  virtual ~MatrixProgram() = default;
  MatrixProgram(const MatrixProgram&) = delete;
  MatrixProgram& operator=(const MatrixProgram&) = delete;
  void write();

 protected:
  virtual void header() = 0;                 ///< by write_header(), and what stands before the parameters
  virtual void parameters_and_tables() = 0;  ///< in their order
  virtual void transfer_function(const std::string& k, const ExportedTransfer&, const std::string& delay) = 0;
  virtual void state_space_object(const ExportedStates&) = 0;
  virtual bool names_ports() const { return false; }  ///< the object has the names of inputs and outputs
  virtual void steps_and_frequencies() = 0;
  virtual std::string further_arguments() const { return {}; }  ///< what functions are given beside time, state and drive
  virtual void further_functions() {}
  virtual void run() = 0;

  void write_header(const std::string& what);
  void parameters();
  std::string list(const std::vector<std::string>& texts, const std::string& indent = "  ") const;
  std::string text(const std::string&) const;  ///< as a value of the language; control characters by their codes
  std::string texts(const std::vector<std::string>&) const;
  std::string column(const std::vector<std::string>& texts) const;
  std::string times() const;
  std::string sample_time() const;
  bool sampled() const { return subject_.graph.op.discrete(); }
  bool delayed() const;

  std::ostream& out_;
  const ExportSubject& subject_;
  const MatrixLanguage& language_;
  ScriptContent content_;

 private:
  CodeSyntax syntax() const;
  void assign(const std::vector<std::pair<std::string, std::string>>& assignments, const char* indent = "");
  void transfers();
  void named(const std::string& what, const std::vector<std::string>& names);
  void matrix(const std::string& name, const std::vector<std::string>& entries, std::size_t& from, std::size_t rows,
              std::size_t columns);
  void state_space();
  void labels();
  void motion();
};

}  // namespace sfg
