#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/graph/drawing.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/page/page.hpp"

// Not installed: what the targets latex and html-snippet show.
namespace sfg {

/// The picture of the graph, its inputs and outputs those of the questions, where its lines can be followed.
std::optional<Drawing> document_drawing(const ExportSubject&, const Budget&);

/// The transfer functions of the questions; a graph with laws has none.
std::vector<TransferFunction> document_transfers(const ExportSubject&, const Budget&);

/// How they were verified: "verified: …"
std::string verified_line(const std::vector<TransferFunction>&);

/// Picture, equations of the nodes with the laws of nonlinear branches, parameters, transfer functions.
/// @param picture  in the language of the file; "": there is none
Page document_page(const ExportSubject&, const std::vector<TransferFunction>&, std::optional<Drawing> picture);

}  // namespace sfg
