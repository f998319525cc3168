#include "sfg/export/circuits/verilog_language.hpp"

#include <sstream>

#include "sfg/write/page/table_formula.hpp"

namespace sfg {

namespace {

using numeric::Operation;

constexpr const char* words = R"(
above abs absdelay absdelta ac_stim accept_on access acos acosh alias aliasparam always always_comb always_ff always_latch analog
analysis and asin asinh assert assign assume atan atan2 atanh automatic before begin bind bins binsof bit branch break buf bufif0
bufif1 byte case casex casez ceil cell chandle checker class clocking cmos config connect connectmodule connectrules const
constraint context continue cos cosh cover covergroup coverpoint cross current ddt ddt_nature ddx deassign default defparam design
disable discipline discrete dist do domain driver_update edge electrical else end endcase endchecker endclass endclocking endconfig
endconnectrules enddiscipline endfunction endgenerate endgroup endinterface endmodule endnature endpackage endparamset endprimitive
endprogram endproperty endsequence endspecify endtable endtask enum event eventually exclude exp expect export extends extern
final final_step first_match flicker_noise floor flow for force foreach forever fork forkjoin from function generate genvar global
ground highz0 highz1 hypot idt idt_nature idtmod if iff ifnone ignore_bins illegal_bins implements implies import in incdir include
inf initial initial_step inout input inside instance int integer interconnect interface intersect join join_any join_none
laplace_nd laplace_np laplace_zd laplace_zp large last_crossing let liblist library limexp ln local localparam log logic longint
macromodule matches max medium merged min modport module nand nature negedge net_resolution nettype new nexttime nmos
noise_table nor noshowcancelled not notif0 notif1 null or output package packed parameter paramset pmos posedge potential pow
primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc
randcase randsequence rcmos real realtime ref reg reject_on release repeat resolveto restrict return rnmos rpmos rtran rtranif0
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed sin sinh
slew small soft solve specify specparam split sqrt static string strong strong0 strong1 struct super supply0 supply1
sync_accept_on sync_reject_on table tagged tan tanh task this throughout time timeprecision timer timeunit tran tranif0 tranif1
transition tri tri0 tri1 triand trior trireg type typedef union unique unique0 units unsigned until until_with untyped use uwire
var vectored virtual void voltage wait wait_order wand weak weak0 weak1 while white_noise wildcard wire with within wone wor wreal
xnor xor zi_nd zi_np zi_zd zi_zp V I abstol M_PI)";

CodeText verilog_product(const std::string& base, int exponent) {
  std::string text = base;
  for (int k = 1; k < exponent; ++k) text += "*" + base;
  return {text, Binding::product};
}

/// @param begin  "$" where the functions of the language begin with it
CodeText verilog_call(Operation operation, const std::string& left, const std::string& right, const std::string& begin) {
  const auto either = [&](const char* condition, const std::string& yes, const std::string& no) {
    return CodeText{"((" + left + ") " + condition + " ? " + yes + " : " + no + ")"};
  };
  switch (operation) {
    case Operation::sign: return either("> 0", "1.0", "((" + left + ") < 0 ? -1.0 : 0.0)");
    case Operation::step: return either("< 0", "0.0", "1.0");
    case Operation::abs: return either("< 0", "-(" + left + ")", "(" + left + ")");
    case Operation::min: return either(("< (" + right + ")").c_str(), "(" + left + ")", "(" + right + ")");
    case Operation::max: return either(("> (" + right + ")").c_str(), "(" + left + ")", "(" + right + ")");
    case Operation::log: return {begin + "ln(" + left + ")"};
    case Operation::power: return {begin + "pow(" + left + ", " + right + ")"};
    case Operation::lookup:
      return {table_formula(static_cast<std::uint32_t>(std::stoul(right)), "(" + left + ")",
                            [](const std::string& difference) { return "(" + difference + " > 0 ? " + difference + " : 0.0)"; })};
    default: return {begin + std::string(name(operation)) + "(" + left + (right.empty() ? "" : ", " + right) + ")"};
  }
}

}  // namespace

const std::set<std::string>& verilog_words() {
  static const std::set<std::string> all = [] {
    std::istringstream in{words};
    std::set<std::string> found;
    for (std::string word; in >> word;) found.insert(word);
    return found;
  }();
  return all;
}

CodeSyntax verilog_a_syntax() {
  return {code_number, verilog_product, [](Operation operation, const std::string& left, const std::string& right) {
            return verilog_call(operation, left, right, "");
          }};
}

CodeSyntax verilog_syntax() {
  return {code_number, verilog_product, [](Operation operation, const std::string& left, const std::string& right) {
            return verilog_call(operation, left, right, "$");
          }};
}

}  // namespace sfg
