#pragma once
#include <Eigen/Dense>
#include <complex>

// Eigen for this library. The solvers and products in use are made once, in dense.cpp: every source that made them anew took
// seconds longer to compile.
#ifndef SFG_DENSE
#define SFG_DENSE extern template
#endif

SFG_DENSE class Eigen::PartialPivLU<Eigen::MatrixXd>;
SFG_DENSE class Eigen::PartialPivLU<Eigen::MatrixXcd>;
SFG_DENSE class Eigen::FullPivLU<Eigen::MatrixXd>;
SFG_DENSE class Eigen::LLT<Eigen::MatrixXd>;
SFG_DENSE class Eigen::HouseholderQR<Eigen::MatrixXd>;
SFG_DENSE class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
SFG_DENSE class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;
SFG_DENSE class Eigen::JacobiSVD<Eigen::MatrixXd>;
SFG_DENSE class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;
SFG_DENSE class Eigen::RealSchur<Eigen::MatrixXd>;
SFG_DENSE class Eigen::EigenSolver<Eigen::MatrixXd>;
SFG_DENSE class Eigen::ComplexEigenSolver<Eigen::MatrixXcd>;
// Their work is in templates of members.
SFG_DENSE Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::compute(
    const Eigen::EigenBase<Eigen::MatrixXd>&, int);
SFG_DENSE Eigen::EigenSolver<Eigen::MatrixXd>& Eigen::EigenSolver<Eigen::MatrixXd>::compute(
    const Eigen::EigenBase<Eigen::MatrixXd>&, bool);
SFG_DENSE Eigen::ComplexEigenSolver<Eigen::MatrixXcd>& Eigen::ComplexEigenSolver<Eigen::MatrixXcd>::compute(
    const Eigen::EigenBase<Eigen::MatrixXcd>&, bool);

namespace Eigen::internal {

using RowsOfNumbers = const_blas_data_mapper<double, Index, RowMajor>;
using ColumnsOfNumbers = const_blas_data_mapper<double, Index, ColMajor>;
using ComplexRows = const_blas_data_mapper<std::complex<double>, Index, RowMajor>;
using ComplexColumns = const_blas_data_mapper<std::complex<double>, Index, ColMajor>;

// Matrix times vector, matrix times matrix, their kernel, and triangular systems.
SFG_DENSE struct general_matrix_vector_product<Index, double, RowsOfNumbers, RowMajor, false, double, ColumnsOfNumbers, false, 0>;
SFG_DENSE struct general_matrix_vector_product<Index, double, RowsOfNumbers, RowMajor, false, double, RowsOfNumbers, false, 1>;
SFG_DENSE struct general_matrix_vector_product<Index, double, ColumnsOfNumbers, ColMajor, false, double, RowsOfNumbers, false, 0>;
SFG_DENSE struct general_matrix_vector_product<Index, double, ColumnsOfNumbers, ColMajor, false, double, ColumnsOfNumbers, false,
                                               0>;
SFG_DENSE struct general_matrix_vector_product<Index, std::complex<double>, ComplexRows, RowMajor, false, std::complex<double>,
                                               ComplexColumns, false, 0>;
SFG_DENSE struct general_matrix_vector_product<Index, std::complex<double>, ComplexColumns, ColMajor, false, std::complex<double>,
                                               ComplexRows, false, 0>;
SFG_DENSE struct gebp_kernel<double, double, Index, blas_data_mapper<double, Index, ColMajor>, 4, 4, false, false>;
SFG_DENSE struct general_matrix_matrix_product<Index, double, ColMajor, false, double, ColMajor, false, ColMajor, 1>;
SFG_DENSE struct general_matrix_matrix_product<Index, double, RowMajor, false, double, ColMajor, false, ColMajor, 1>;
SFG_DENSE struct general_matrix_matrix_product<Index, double, ColMajor, false, double, RowMajor, false, ColMajor, 1>;
SFG_DENSE struct general_matrix_matrix_product<Index, double, RowMajor, false, double, RowMajor, false, ColMajor, 1>;
SFG_DENSE struct general_matrix_matrix_product<Index, std::complex<double>, ColMajor, false, std::complex<double>, ColMajor,
                                               false, ColMajor, 1>;
SFG_DENSE struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
SFG_DENSE struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
SFG_DENSE struct triangular_solve_matrix<std::complex<double>, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
SFG_DENSE struct triangular_solve_matrix<std::complex<double>, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
SFG_DENSE struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, ColMajor>;
SFG_DENSE struct triangular_solve_vector<double, double, Index, OnTheLeft, UnitLower, false, ColMajor>;

}  // namespace Eigen::internal
