#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/read/diagram/block_diagram.hpp"
#include "sfg/read/diagram/matrix_text.hpp"

namespace sfg {

/// What a block does to the signals that enter it.
struct BlockMeaning {
  enum class Kind {
    nothing,     ///< no signal passes: a clock, a text
    scale,       ///< each element times a gain
    sum,         ///< the inputs with their signs; of one input its elements
    product,     ///< y = matrix · u
    states,      ///< state space
    pass,        ///< what enters leaves, at every output
    source,      ///< an input of the graph
    sink,        ///< an output of the graph
    terminator,  ///< what enters is not looked at
    ground,      ///< zero
    inlet,       ///< of a subsystem; at the top an input
    outlet,
    inside,  ///< a subsystem
    join,    ///< mux
    part,    ///< demux
    send,    ///< goto
    receive,
  };
  enum class Time { none, continuous, discrete };

  Kind kind = Kind::nothing;
  Time time = Time::none;
  std::vector<GiNaC::ex> gains = {};  ///< of scale: one, or one an element
  std::vector<int> signs = {};
  StatedMatrix matrix = {};  ///< of product
  StatedMatrix A = {}, B = {}, C = {}, D = {};
  std::vector<std::size_t> widths = {};     ///< of part; of a source its width
  std::size_t number = 0;                   ///< of inlet and outlet, from 1; of part the number of equal parts
  std::string tag = {};                     ///< of send and receive
  bool everywhere = false;                  ///< the tag of send holds in the whole diagram
  std::vector<GiNaC::ex> values = {};       ///< of a source that is constant
  std::optional<Passage> sample_time = {};  ///< as stated, where it is
  std::optional<GiNaC::ex> period = {};     ///< its value
  bool states_rest = false;                 ///< an initial value that is not zero is stated
};

/// The symbols that gains are made of before it is known whether the diagram is continuous or discrete.
struct DiagramOperators {
  GiNaC::ex s, z;
};

/// What is known of the words of one program. @throws sfg::Error at the block for what is not linear, or not known.
using BlockVocabulary = BlockMeaning (*)(const DiagramBlock&, const MatrixReading&, const DiagramOperators&);

BlockMeaning simulink_meaning(const DiagramBlock&, const MatrixReading&, const DiagramOperators&);
BlockMeaning xcos_meaning(const DiagramBlock&, const MatrixReading&, const DiagramOperators&);

/// "the block 'Plant/Valve' (Saturation) is not linear": refuses it, and says what to do.
[[noreturn]] void refuse_block(const DiagramBlock&, const std::string& why, const std::string& remedy);
[[noreturn]] void refuse_block(const DiagramBlock&);

/// Coefficients, highest power first. @throws sfg::Error where the denominator is 0.
GiNaC::ex quotient_of(const DiagramBlock&, const std::vector<GiNaC::ex>& numerator, const std::vector<GiNaC::ex>& denominator,
                      const GiNaC::ex& variable);
GiNaC::ex polynomial_of(const std::vector<GiNaC::ex>& coefficients, const GiNaC::ex& variable);
/// How many elements each output of a demultiplexer has. @throws sfg::Error with the remedy where an entry is no such number.
std::vector<std::size_t> widths_of(const DiagramBlock&, const StatedMatrix&, const std::string& remedy);
/// Matrices of fitting sizes. @throws sfg::Error otherwise.
void check_state_space(const DiagramBlock&, BlockMeaning&);

}  // namespace sfg
