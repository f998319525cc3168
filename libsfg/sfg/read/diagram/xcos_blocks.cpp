#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/expr/rational.hpp"
#include "sfg/read/diagram/block_meaning.hpp"
#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

using Kind = BlockMeaning::Kind;
using Time = BlockMeaning::Time;

/// One block of Xcos, by its interface function; its values are numbered as its dialogue asks for them.
class XcosBlock {
 public:
  XcosBlock(const DiagramBlock& block, const MatrixReading& reading, const DiagramOperators& operators)
      : block_(block), reading_(reading), s_(operators.s), z_(operators.z) {}

  BlockMeaning meaning() {
    if (const auto found = blocks().find(block_.type); found != blocks().end())
      (this->*found->second)();
    else if (is_source(block_.type))
      made_.kind = Kind::source;
    else if (is_sink(block_.type) || block_.type.starts_with("SCALE_C"))
      made_.kind = Kind::sink;
    else if (block_.type == "SPLIT_f")
      made_.kind = Kind::pass;
    else if (block_.type == "TRASH_f")
      made_.kind = Kind::terminator;
    else if (block_.inside && !is_silent(block_.type))
      made_.kind = Kind::inside;
    else if (!is_silent(block_.type))
      refuse_block(block_);
    return std::move(made_);
  }

 private:
  using Self = XcosBlock;
  using Readers = std::map<std::string, void (Self::*)(), std::less<>>;

  static const Readers& blocks() {
    static const Readers known{{"GAINBLK", &Self::gain},
                               {"GAINBLK_f", &Self::gain},
                               {"GAIN_f", &Self::gain},
                               {"SUMMATION", &Self::sum},
                               {"BIGSOM_f", &Self::sum},
                               {"SUM_f", &Self::plain_sum},
                               {"SOM_f", &Self::plain_sum},
                               {"CLR", &Self::transfer},
                               {"CLR_f", &Self::transfer},
                               {"DLR", &Self::discrete},
                               {"DLR_f", &Self::discrete},
                               {"CLSS", &Self::state_space},
                               {"CLSS_f", &Self::state_space},
                               {"DLSS", &Self::discrete_space},
                               {"DLSS_f", &Self::discrete_space},
                               {"INTEGRAL_f", &Self::integral},
                               {"INTEGRAL_m", &Self::integral},
                               {"INTEGRAL", &Self::integral},
                               {"DERIV", &Self::derivative},
                               {"DOLLAR", &Self::unit_delay},
                               {"DOLLAR_f", &Self::unit_delay},
                               {"DOLLAR_m", &Self::unit_delay},
                               {"REGISTER", &Self::shift},
                               {"REGISTER_f", &Self::shift},
                               {"TIME_DELAY", &Self::dead_time},
                               {"CONST", &Self::constant},
                               {"CONST_m", &Self::constant},
                               {"CONST_f", &Self::constant},
                               {"IN_f", &Self::inlet},
                               {"OUT_f", &Self::outlet},
                               {"MUX", &Self::join},
                               {"MUX_f", &Self::join},
                               {"MATCATV", &Self::join},
                               {"DEMUX", &Self::part},
                               {"DEMUX_f", &Self::part},
                               {"GOTO", &Self::send},
                               {"FROM", &Self::receive},
                               {"CONVERT", &Self::conversion}};
    return known;
  }

  static bool is_source(const std::string& type) {
    static const std::set<std::string> sources = words_in(
        "GENSIN_f GENSQR_f STEP STEP_FUNCTION RAMP RAND_m RAND_f SAWTOOTH_f PULSE_SC TIME_f CURV_f CURVE_c Sigbuilder RFILE_f "
        "READC_f READAU_f FROMWSB FROMWS_c TKSCALE Counter Modulo_Count");
    return sources.contains(type);
  }
  static bool is_sink(const std::string& type) {
    static const std::set<std::string> sinks = words_in(
        "CSCOPE CMSCOPE CSCOPXY CSCOPXY3D CFSCOPE CANIMXY CANIMXY3D BARXY TOWS_c WRITEC_f WFILE_f WRITEAU_f AFFICH_m AFFICH_f "
        "CMATVIEW CMAT3D");
    return sinks.contains(type);
  }
  static bool is_silent(const std::string& type) {
    static const std::set<std::string> silent = words_in(
        "TEXT_f CLOCK_c CLOCK_f SampleCLK CLKSPLIT_f CLKSOM_f CLKSOMV_f EVTDLY_c EVTDLY_f EVTGEN_f CEVENTSCOPE MFCLCK_f "
        "MCLOCK_f M_freq freq_div HALT_f END_c ENDBLK CLKIN_f CLKINV_f CLKOUT_f CLKOUTV_f CLINDUMMY_f CLKGOTO CLKFROM "
        "GotoTagVisibility CLKGotoTagVisibility GOTOMO FROMMO");
    return silent.contains(type);
  }

  const Passage* value(std::size_t number) const { return block_.find(std::to_string(number)); }
  const Passage& needed(std::size_t number) const {
    if (const Passage* stated = value(number)) return *stated;
    refuse_block(block_, "has no value number " + std::to_string(number),
                 "open it in Xcos, press OK, and save the diagram again");
  }
  std::size_t values() const { return block_.parameters.size(); }
  void scale(GiNaC::ex by) {
    made_.kind = Kind::scale;
    made_.gains = {std::move(by)};
  }
  void rest(const Passage* stated) {
    if (!stated || stated->trimmed().text.empty()) return;
    made_.states_rest = !reading_.is_zero(*stated);
  }

  /// GAINBLK_f states it first, GAINBLK alone or before what it does at overflow.
  void gain() {
    const StatedMatrix stated = reading_.matrix(needed(1));
    if (stated.entries.empty()) refuse_block(block_, "has no gain", "write one");
    made_.kind = stated.scalar() ? Kind::scale : Kind::product;
    if (stated.scalar())
      made_.gains = stated.entries;
    else
      made_.matrix = stated;
  }

  /// SUMMATION: a type, the signs, what it does at overflow; of old the signs alone.
  void sum() {
    made_.kind = Kind::sum;
    const StatedMatrix stated = reading_.matrix(needed(block_.type == "SUMMATION" && values() > 1 ? 2 : 1));
    std::vector<GiNaC::ex> weights = stated.entries;
    if (stated.scalar() && GiNaC::is_a<GiNaC::numeric>(weights[0]) && weights[0] > 1 && weights[0] <= 1000)
      weights.assign(static_cast<std::size_t>(GiNaC::ex_to<GiNaC::numeric>(weights[0]).to_long()), 1);  // a number of inputs
    if (std::ranges::all_of(weights, [](const GiNaC::ex& w) { return w.is_equal(1) || w.is_equal(-1); })) {
      for (const GiNaC::ex& weight : weights) made_.signs.push_back(weight.is_equal(1) ? 1 : -1);
      return;
    }
    made_.gains = weights;  // BIGSOM_f weighs its inputs
    made_.signs.assign(weights.size(), 1);
  }
  void plain_sum() {
    made_.kind = Kind::sum;
    made_.signs.assign(std::max<std::size_t>(block_.inputs, 1), 1);
    if (const Passage* signs = block_.type == "SOM_f" ? value(1) : nullptr) {
      const std::vector<GiNaC::ex> stated = reading_.list(*signs);
      for (std::size_t i = 0; i < std::min(stated.size(), made_.signs.size()); ++i)
        made_.signs[i] = stated[i].is_equal(-1) ? -1 : 1;
    }
  }

  GiNaC::ex in(std::size_t number, const char* name, const GiNaC::ex& variable) const {
    return reading_.scalar(needed(number),
                           {{name, StatedMatrix::of(variable)}, {"%" + std::string(name), StatedMatrix::of(variable)}});
  }
  void fraction(const char* name, const GiNaC::ex& variable) {
    const GiNaC::ex below = in(2, name, variable);
    if (vanishes(below)) refuse_block(block_, "has the denominator 0", "write another one");
    scale(in(1, name, variable) / below);
  }
  void transfer() {
    made_.time = Time::continuous;
    fraction("s", s_);
  }
  void discrete() {
    made_.time = Time::discrete;
    fraction("z", z_);
  }
  void matrices() {
    made_.A = reading_.matrix(needed(1));
    made_.B = reading_.matrix(needed(2));
    made_.C = reading_.matrix(needed(3));
    made_.D = reading_.matrix(needed(4));
    if (made_.D.entries.empty() && made_.A.rows > 0)  // [] is zero
      made_.D = {made_.C.rows, made_.B.columns, std::vector<GiNaC::ex>(made_.C.rows * made_.B.columns, 0)};
    check_state_space(block_, made_);
    rest(value(5));
  }
  void state_space() {
    made_.time = Time::continuous;
    matrices();
  }
  void discrete_space() {
    made_.time = Time::discrete;
    matrices();
  }

  void integral() {
    for (const auto& [number, what] : {std::pair{2, "is reset by a signal"}, std::pair{3, "has limits"}})
      if (const Passage* stated = value(static_cast<std::size_t>(number));
          stated && block_.type == "INTEGRAL_m" && stated->trimmed().text != "0")
        refuse_block(block_, what, "switch that off");
    made_.time = Time::continuous;
    scale(1 / s_);
    rest(value(1));
  }
  void derivative() {
    made_.time = Time::continuous;
    scale(s_);
  }
  void unit_delay() {
    made_.time = Time::discrete;
    scale(1 / z_);
    rest(value(1));
  }
  /// As many samples as it has initial values.
  void shift() {
    made_.time = Time::discrete;
    const Passage& stated = needed(1);
    Passage listed;  // they stand without brackets: 0;0;0
    listed.append("[", stated.source_of(0));
    for (std::size_t i = 0; i < stated.text.size(); ++i) listed.append(stated.text.substr(i, 1), stated.source_of(i));
    listed.append("]", stated.source_of(stated.text.size()));
    const StatedMatrix initial = reading_.matrix(listed);
    made_.states_rest = std::ranges::any_of(initial.entries, [](const GiNaC::ex& entry) { return !entry.is_zero(); });
    scale(GiNaC::pow(z_, -static_cast<int>(initial.entries.size())));
  }
  void dead_time() {
    made_.time = Time::continuous;
    scale(GiNaC::exp(-reading_.scalar(needed(1)) * s_));
    rest(value(2));
  }

  void constant() {
    made_.kind = Kind::source;
    made_.values = reading_.matrix(needed(1)).entries;
    made_.widths = {std::max<std::size_t>(1, made_.values.size())};
  }
  void inlet() {
    made_.kind = Kind::inlet;
    made_.number = reading_.whole(needed(1), 10'000);
  }
  void outlet() {
    made_.kind = Kind::outlet;
    made_.number = reading_.whole(needed(1), 10'000);
  }
  void join() { made_.kind = Kind::join; }
  void part() {
    made_.kind = Kind::part;
    const StatedMatrix stated = reading_.matrix(needed(1));
    if (stated.scalar())
      made_.number = reading_.whole(needed(1), 1000);
    else
      made_.widths = widths_of(block_, stated, "write how many elements each has, or how many outputs there are");
  }
  void send() {
    made_.kind = Kind::send;
    made_.tag = needed(1).trimmed().text;
    made_.everywhere = value(2) && value(2)->trimmed().text != "1";
  }
  void receive() {
    made_.kind = Kind::receive;
    made_.tag = needed(1).trimmed().text;
  }
  /// To the type 1, double.
  void conversion() {
    const Passage* const to = value(2);
    if (!to || to->trimmed().text != "1") refuse_block(block_, "rounds to whole numbers", "convert to double");
    made_.kind = Kind::pass;
  }

  const DiagramBlock& block_;
  const MatrixReading& reading_;
  const GiNaC::ex &s_, &z_;
  BlockMeaning made_;
};

}  // namespace

BlockMeaning xcos_meaning(const DiagramBlock& block, const MatrixReading& reading, const DiagramOperators& operators) {
  return XcosBlock(block, reading, operators).meaning();
}

}  // namespace sfg
