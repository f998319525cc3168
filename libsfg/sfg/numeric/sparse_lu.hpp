#pragma once
#include <Eigen/SparseLU>

#include "sfg/numeric/dense.hpp"

// The decomposition of sparse matrices, made once, in dense.cpp.
SFG_DENSE void Eigen::SparseLU<Eigen::SparseMatrix<double>>::analyzePattern(const Eigen::SparseMatrix<double>&);
SFG_DENSE void Eigen::SparseLU<Eigen::SparseMatrix<double>>::factorize(const Eigen::SparseMatrix<double>&);
SFG_DENSE void Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>>::analyzePattern(
    const Eigen::SparseMatrix<std::complex<double>>&);
SFG_DENSE void Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>>::factorize(
    const Eigen::SparseMatrix<std::complex<double>>&);
