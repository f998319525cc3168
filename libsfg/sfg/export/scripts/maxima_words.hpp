#pragma once
#include <string_view>

// Not installed.
namespace sfg {

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

}  // namespace sfg
