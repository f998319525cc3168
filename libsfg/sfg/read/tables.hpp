#pragma once
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// Takes the tables of a model into its symbols, where laws find them. Files are CSV with two columns, x and y, in the folder of
/// the model: what a model file names lies beside it.
class TableReading {
 public:
  TableReading(const SourceText& source, SymbolTable& symbols, Problems& problems)
      : source_(source), symbols_(symbols), problems_(problems) {}

  /// "name=file.csv monotone; other=[0, 0] [1, 2] spline": linear where no interpolation is named.
  void list(const Passage&);
  /// What a law calls by file: table(u, "force.csv"). False where one of them is not read, which is then a problem.
  bool files_of(const Passage& law);
  void points(const std::string& name, const Passage& interpolation, std::vector<double> x, std::vector<double> y,
              const SourceSpan&);
  void file(const std::string& name, const Passage& interpolation, const Passage& file);

 private:
  void entry(const Passage&);
  bool is_free(const std::string& name, const SourceSpan&);
  void add(const std::string& key, const std::string& name, const Passage& interpolation, std::vector<double> x,
           std::vector<double> y, const SourceSpan&);
  void add_file(const std::string& key, const std::string& name, const Passage& interpolation, const Passage& file);

  const SourceText& source_;
  SymbolTable& symbols_;
  Problems& problems_;
};

}  // namespace sfg
