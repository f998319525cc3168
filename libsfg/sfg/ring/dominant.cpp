#include "sfg/ring/dominant.hpp"

#include <stdexcept>
#include <tuple>

namespace sfg::ring {

bool DominantTerms::Candidate::operator<(const Candidate& other) const {
  return std::tuple(log_magnitude, other.edge, other.addend, other.rank) < std::tuple(other.log_magnitude, edge, addend, rank);
}

DominantTerms::DominantTerms(const ddd::DeterminantDiagram& diagram, std::span<const std::vector<double>> log_magnitudes)
    : diagram_(diagram), vertices_(diagram.vertex_count()) {
  if (log_magnitudes.size() != diagram.entry_count()) throw std::invalid_argument("DominantTerms: one list for every entry");
  constexpr double zero = -std::numeric_limits<double>::infinity();
  for (const auto& list : log_magnitudes) {
    auto& sorted = addends_.emplace_back();
    for (std::uint32_t k = 0; k < list.size(); ++k)
      if (list[k] > zero) sorted.push_back({list[k], k});
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Addend& a, const Addend& b) { return a.log_magnitude > b.log_magnitude; });
  }
  best_.assign(diagram.vertex_count(), zero);
  if (!best_.empty()) best_.front() = 0;
  for (std::size_t v = 1; v < best_.size(); ++v)
    for (const auto& edge : diagram.edges(v))
      if (const auto& list = addends_[edge.entry()]; !list.empty())
        best_[v] = std::max(best_[v], list.front().log_magnitude + best_[edge.child()]);
}

void DominantTerms::push(std::uint32_t vertex, std::uint32_t edge, std::uint32_t addend, std::uint32_t rank) {
  const auto& e = diagram_.edges(vertex)[edge];
  const auto& list = addends_[e.entry()];
  if (addend >= list.size()) return;
  const double below = rank == 0 ? best_[e.child()] : vertices_[e.child()].found[rank].log_magnitude;
  if (below == -std::numeric_limits<double>::infinity()) return;
  auto& heap = vertices_[vertex].heap;
  heap.push_back({list[addend].log_magnitude + below, edge, addend, rank});
  std::push_heap(heap.begin(), heap.end());
}

void DominantTerms::open(std::uint32_t vertex) {
  vertices_[vertex].opened = true;
  for (std::uint32_t edge = 0; edge < diagram_.edges(vertex).size(); ++edge) push(vertex, edge, 0, 0);
}

// Makes vertices_[vertex].found[rank] exist, if there is such a product. Taking a candidate from the heap brings in its
// successors, for which the child must know one product more: a list of vertices, as the way down may be long.
bool DominantTerms::ensure(std::uint32_t vertex, std::uint32_t rank) {
  struct Task {
    std::uint32_t vertex, rank;
  };
  std::vector<Task> tasks{{vertex, rank}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    Vertex& v = vertices_[task.vertex];
    if (task.vertex == 0) {  // the terminal has one product: 1
      if (v.found.empty()) v.found.push_back({0, 0, 0, 0});
      tasks.pop_back();
      continue;
    }
    if (!v.opened) open(task.vertex);
    if (v.found.size() > task.rank || v.heap.empty()) {
      tasks.pop_back();
      continue;
    }
    const Candidate top = v.heap.front();
    const std::uint32_t child = diagram_.edges(task.vertex)[top.edge].child();
    if (vertices_[child].found.size() <= top.rank + 1 &&
        (child != 0 ? !vertices_[child].opened || !vertices_[child].heap.empty() : vertices_[child].found.empty())) {
      tasks.push_back({child, top.rank + 1});
      continue;
    }
    std::pop_heap(v.heap.begin(), v.heap.end());
    v.heap.pop_back();
    v.found.push_back(top);
    if (vertices_[child].found.size() > top.rank + 1) push(task.vertex, top.edge, top.addend, top.rank + 1);
    if (top.rank == 0) push(task.vertex, top.edge, top.addend + 1, 0);
  }
  return vertices_[vertex].found.size() > rank;
}

std::optional<DominantTerm> DominantTerms::next() {
  if (diagram_.is_zero()) return std::nullopt;
  auto vertex = static_cast<std::uint32_t>(diagram_.vertex_count() - 1);
  if (!ensure(vertex, given_)) return std::nullopt;
  std::uint32_t rank = given_++;
  DominantTerm term;
  term.log_magnitude = vertices_[vertex].found[rank].log_magnitude;
  while (vertex != 0) {
    const Candidate& way = vertices_[vertex].found[rank];
    const auto& edge = diagram_.edges(vertex)[way.edge];
    term.factors.push_back({edge.entry(), addends_[edge.entry()][way.addend].number});
    term.negative = term.negative != edge.negative();
    vertex = edge.child();
    rank = way.rank;
  }
  std::sort(term.factors.begin(), term.factors.end());
  return term;
}

}  // namespace sfg::ring
