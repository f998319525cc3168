// Closed forms in exact numbers, whatever their gains are: dead times and roots are functions there. The forms are quoted, so
// that they keep their letters where these have values.

#include "sfg/export/targets.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <set>

#include "sfg/error.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/export/scripts/script_content.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

/// Words that no variable of a Maxima script may have: its operators, its constants, and the variables that it has by itself
/// (options among them: a parameter called `simp` would switch off its arithmetic). As version 5.46 lists them.
constexpr std::string_view maxima_words =
    "abconvtest absboxchar activecontexts algdelta algebraic algepsilon algexact aliases all alt_format_prompt and "
    "announce_rules_firing appendfile arrays assume_pos assume_pos_pred assumescalar atan2 backsubst backtrace batch "
    "berlefact bessel_reduce besselexpand beta_args_sum_to_integer beta_expand bftorat bftrunc boxchar breakup cauchysum "
    "cflength combineflag compgrind context contexts current_let_rule_package debugmode default_format_prompt "
    "default_let_rule_package define_variable demoivre dependencies derivabbrev derivsubst detout dispflag display2d "
    "display_format_internal disptime distribute_over do doallmxops domain domxexpt domxmxops domxnctimes domxplus "
    "domxtimes done dontfactor doscmxops doscmxplus dot0nscsimp dot0simp dot1simp dotassoc dotconstrules dotdistrib "
    "dotexptsimp dotident dotscrules ecm_limit ecm_limit_delta ecm_max_limit ecm_number_of_curves ef_coeff_add ef_coeff_exp "
    "ef_coeff_inv ef_coeff_mult else elseif erf_representation erfflag error error_size error_syms errormsg ev "
    "expand_polynomials expintexpand expintrep expon exponentialize expop exptdispflag exptisolate exptsubst facexpand "
    "factlim factor_max_degree factor_max_degree_print_warning factorflag factorial_expand factors_only false "
    "fast_bfloat_conversion fast_bfloat_threshold features file_output_append file_search_demo file_search_lisp "
    "file_search_maxima file_search_tests file_search_usage file_type_lisp file_type_maxima find_root_abs find_root_error "
    "find_root_rel float float2bf float_approx_equal_tolerance floatwidth floor for fortfloat fortindent fortspaces fpprec "
    "fpprintprec from functions gamma_expand gammalim gcd genindex gensumnum geomview_command gf_balanced "
    "gf_cantor_zassenhaus gf_coeff_limit gf_logs gf_powers gf_rat gf_symmetric gf_zech_logs globalsolve gnuplot_command "
    "gnuplot_file_args gnuplot_view_args gradefs grind grindswitch halfangles help homog_hack hypergeometric_representation "
    "if ifactor_verbose in in_netmath inchar ind inf infeval infinity inflag infolists intanalysis integrate_use_rootsof "
    "integration_constant integration_constant_counter intfaclim invert_by_adjoint_size_limit invert_method is "
    "isolate_wrt_times keepfloat known_index_properties labels leftjust let_rule_packages letrat letvarsimp lhospitallim "
    "liflag limitdomain limsubst linechar linel linenum linsolve_params linsolvewarn lispdisp listarith listconstvars "
    "listdummyvars lmxchar load_pathname loadprint logabs logarc logconcoeffp logexpand lognegint logsimp m1pbranch "
    "macroexpansion macros manual_demo maperror mapprint matrix_element_add matrix_element_mult matrix_element_transpose "
    "max maxapplydepth maxapplyheight maxfpprintprec maxima_frontend maxima_frontend_version maxima_objdir maxima_tempdir "
    "maxima_userdir maxmin_effort maxnegex maxposex maxpsifracdenom maxpsifracnum maxpsinegint maxpsiposint maxtaydiff "
    "maxtayorder mdebug_print_length mgnuplot_command min minf mode_check_errorp mode_check_warnp mode_checkp "
    "multiplicities mx0simp myoptions nalgfac negdistrib negsumdispflag next niceindicespref nointegrate nolabels norepeat "
    "not noundisp numer numer_pbranch off on opproperties opsubst optimprefix optimwarn optionset or outchar packagefile "
    "parsewindow partswitch pfeformat piece plot_options pointbound pois1 poislim poisz pollard_pm1_limit "
    "pollard_pm1_limit_step pollard_pm1_tests pollard_rho_limit pollard_rho_limit_step pollard_rho_tests polyfactor "
    "powerdisp prederror prefer_d prefer_gamma_incomplete prefer_whittaker primep_number_of_tests print programmode prompt "
    "props psexpand pstream radexpand radsubstflag ratalgdenom ratdenomdivide ratepsilon ratexpand ratfac ratmx ratprint "
    "ratsimpexpons ratvars ratvarswitch ratweights ratwtlvl realonly refcheck report_synerr_info report_synerr_line "
    "resultant rmxchar rootsconmode rootsepsilon rot rules save_primes savedef savefactors scalarmatrixp setcheck "
    "setcheckbreak setval share_testsuite_files show_openplot showtime signbfloat simp simpproduct simpsum solvedecomposes "
    "solveexplicit solvefactors solvenullwarn solveradcan solvetrigwarn sparse sqrtdispflag stardisp step stirling2 strdisp "
    "stringdisp structures sublis_apply_lambda subnumsimp sumexpand sumsplitfact taylor_logexpand taylor_order_coefficients "
    "taylor_simplifier taylor_truncate_polynomials taylordepth testsuite_files then thru timer timer_devalue tlimswitch "
    "tr_array_as_ref tr_bind_mode_hook tr_bound_function_applyp tr_exponent tr_file_tty_messagesp "
    "tr_float_can_branch_complex tr_function_call_default tr_numer tr_optimize_max_loop tr_state_vars "
    "tr_true_name_of_file_being_translated tr_warn_bad_function_calls tr_warn_fexpr tr_warn_meval tr_warn_mode "
    "tr_warn_undeclared tr_warn_undefined_variable trace trace2f1 trace_break_arg trace_max_indent trace_safety translate "
    "translate_fast_arrays transrun trigexpand trigexpandplus trigexpandtimes triginverses trigsign true ttyoff und "
    "unit_step unknown unless use_fast_arrays useminmax values vect_cross verbose while xmaxima_plot_command zeroa zerob "
    "zerobern zn_primroot_limit zn_primroot_pretest zn_primroot_verbose ";

std::set<std::string> taken_words(std::size_t transfers) {
  std::set<std::string> words = words_in(maxima_words);
  words.merge(words_in("frequencies at_frequency spectrum value point unit_step_from_0"));
  return numbered(std::move(words), {"transfer_"}, transfers);
}

std::string maxima_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

/// Functions of the grammar whose names mean something else to Maxima.
std::string in_maxima_functions(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> other{
      {{"sign(", "signum("}, {"step(", "unit_step_from_0("}}};
  for (const auto& [name, now] : other)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + now.size()))
      if (at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_'))
        text.replace(at, name.size(), now);
  return text;
}

class MaximaProgram {
 public:
  MaximaProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        parameters_(valued_parameters(subject.graph)),
        legal_(taken_words(subject.questions.size())) {
    refuse_laws(subject);
    const SignalFlowGraph& graph = subject.graph;
    GiNaC::exmap names{{GiNaC::Pi, GiNaC::symbol("%pi")}};
    if (graph.op.kind() != Operator::Kind::none) {
      operator_ = legal_(graph.op.symbol());
      names[graph.op.in(graph.symbols)] = GiNaC::symbol(operator_);
    }
    for (const ExportedParameter& parameter : parameters_) {
      names_.push_back(legal_(parameter.name));
      names[parameter.symbol] = GiNaC::symbol(names_.back());
    }
    letters_ = std::move(names);
    constexpr std::uint64_t most_terms = 20'000;
    transfers_ = transfer_functions(graph, subject.questions, {.budget = budget.with_terms(most_terms)});
  }

  void write() {
    const ExportHeader header{.what = "transfer functions for Maxima, exact; run: maxima --very-quiet -b FILE",
                              .verified = "verified: every closed form by " + transfers_.front().verification.method,
                              .renamed = legal_.renamed()};
    out_ << "/*\n";
    for (const std::string& line : header_lines(subject_, parameters_, header)) out_ << "   " << block_comment_text(line) << '\n';
    out_ << "*/\ndisplay2d: false$\n";
    if (uses_step()) out_ << "unit_step_from_0(x) := if x >= 0 then 1 else 0$\n";
    parameters();
    transfers();
    frequencies();
  }

 private:
  std::string text(const GiNaC::ex& expression, std::string_view main = {}) const {
    const std::string printed = print(expression.subs(letters_), Notation::text, main);
    if (printed.find("lookup(") != std::string::npos)
      throw NoAnswer("a gain has a table, which the target maxima does not know", "the targets octave, python and c do", {});
    return in_maxima_functions(printed);
  }

  bool uses_step() const {
    const auto has = [](const GiNaC::ex& e) { return print(e).find("step(") != std::string::npos; };
    return std::ranges::any_of(transfers_, [&](const TransferFunction& T) { return has(T.value.expression()); }) ||
           std::ranges::any_of(parameters_, [&](const ExportedParameter& p) { return has(p.stated); });
  }

  void parameters() {
    if (!parameters_.empty()) out_ << "\n/* parameters */\n";
    for (const ExportedParameter& parameter : by_dependence(parameters_)) {
      const auto place = std::ranges::find(parameters_, parameter.name, &ExportedParameter::name) - parameters_.begin();
      out_ << names_[static_cast<std::size_t>(place)] << ": " << text(parameter.stated) << '$';
      const std::string unit = block_comment_text(parameter.unit);
      out_ << (unit.empty() ? "" : "  /* " + unit + " */") << '\n';
    }
  }

  void transfers() {
    out_ << "\n/* transfer functions with their letters; ev(transfer_0) has the values */\n";
    for (std::size_t k = 0; k < transfers_.size(); ++k)
      out_ << "/* " << block_comment_text(label(k)) << " */\ntransfer_" << k << ": '(" << form(transfers_[k]) << ")$\n";
  }

  std::string form(const TransferFunction& T) const {
    const PolynomialSpace& space = T.value.space();
    return quotient_text(text(space.expression(T.value.numerator()), operator_),
                         text(space.expression(T.value.denominator()), operator_));
  }

  std::string label(std::size_t k) const { return export_label(subject_, subject_.questions[k]); }

  /// In 32 digits, so that no difference of large numbers shows.
  void frequencies() {
    const bool sampled = subject_.graph.op.discrete();
    const std::string at =
        sampled ? "exp(%i*bfloat(point)*bfloat(" + print(subject_.graph.op.period().to_double()) + "))" : "%i*bfloat(point)";
    out_ << "\n/* the file's own tables: frequency responses */\nfpprec: 32$\nfrequencies: [";
    for (std::size_t k = 0; k < subject_.frequencies.size(); ++k)
      out_ << (k == 0 ? "" : k % 8 == 0 ? ",\n  " : ", ") << print(subject_.frequencies[k]);
    out_ << "]$\nat_frequency(spectrum, point) := block([value: "
         << (operator_.empty() ? "spectrum" : "subst(rectform(" + at + "), '" + operator_ + ", spectrum)")
         << "],\n  value: rectform(bfloat(value)),\n"
            "  print(point, float(realpart(value)), float(imagpart(value))))$\n";
    for (std::size_t k = 0; k < transfers_.size(); ++k)
      out_ << "print(" << maxima_string("# frequency " + label(k)) << ")$\nfor point in frequencies do at_frequency(ev(transfer_"
           << k << "), point)$\n";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  std::vector<ExportedParameter> parameters_;
  LegalNames legal_;
  std::string operator_;
  std::vector<std::string> names_;
  GiNaC::exmap letters_;
  std::vector<TransferFunction> transfers_;
};

}  // namespace

void write_maxima_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  MaximaProgram(out, subject, budget).write();
}

}  // namespace sfg
