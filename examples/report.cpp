// A whole study of one model in one file: a page in which loops light up and parameters move, and the same on paper.
#include "sfg/report/report.hpp"

#include <iostream>
#include <sstream>

int main() {
  const sfg::ReportSubject subject = sfg::report_subject("servo.dot");
  const sfg::Report study = sfg::report(subject, {.title = "The servo, for Monday"});
  std::cout << study.title << "\n";
  for (const sfg::ReportSection& section : study.sections) std::cout << "  " << section.id << ": " << section.heading << "\n";
  if (study.moving)
    for (const sfg::MovingParameter& parameter : study.moving->parameters)
      std::cout << "moves: " << parameter.name << ", from " << parameter.start.to_double() << "\n";

  std::ostringstream page, paper;
  sfg::write_html_document(page, study);
  sfg::write_latex_document(paper, study);
  std::cout << "the page is below half a megabyte: " << (page.str().size() < 500'000) << "\n"
            << "it asks for nothing: " << (page.str().find("default-src 'none'") != std::string::npos) << "\n"
            << "on paper it is a document: " << paper.str().starts_with("\\documentclass") << "\n";
}

/* prints
The servo, for Monday
  model: Model
  graph: Signal-flow graph
  mason: Mason's rule
  transfer: Transfer functions
  poles: Poles and zeros
  frequency: Frequency response
  time: Response over time
  sensitivity: Sensitivity
  reduction: Reduction
  verification: Verification
  reproduce: Reproduce
moves: Ka, from 12
moves: Km, from 0.05
moves: R, from 1.2
moves: L, from 0.002
moves: J, from 0.0004
moves: b, from 0.0001
the page is below half a megabyte: 1
it asks for nothing: 1
on paper it is a document: 1
*/
