// A drawing of a control loop, for LaTeX.
#include <sfg/draw/tikz.hpp>
#include <sfg/sfg.hpp>

#include <iostream>

int main() {
  sfg::SignalFlowGraph graph;
  const auto r = graph.node("r"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, y, sfg::parse("K/(s*(s+1))", graph.symbols));
  graph.add_branch(y, e, -1);
  sfg::write_tikz(std::cout, sfg::layout(graph));
}

/* prints
% Signal-flow graph
\IfFileExists{standalone.cls}{\documentclass[border=4pt]{standalone}}{\documentclass{article}\pagestyle{empty}}
\usepackage{amsmath}
\usepackage{tikz}
\usetikzlibrary{arrows.meta,calc}
\definecolor{sfgpaper}{HTML}{FFFFFF}%
\definecolor{sfgink}{HTML}{1A1A1A}%
\definecolor{sfgback}{HTML}{0B5394}%
\definecolor{sfglaw}{HTML}{B3261E}%
\definecolor{sfgon}{HTML}{C2410C}%
\definecolor{sfgfaded}{HTML}{707680}%
\definecolor{sfgnode}{HTML}{FFFFFF}%
\begin{document}
\begin{tikzpicture}[
  x=1cm, y=1cm, color=sfgink, line width=0.824pt,
  every node/.append style={inner sep=1pt, font=\fontsize{10}{12}\selectfont},
  sfg branch/.style={line width=0.824pt},
  sfg back/.style={color=sfgback},  % feedback
  sfg law/.style={color=sfglaw, dash pattern=on 4.118pt off 2.353pt},  % nonlinear
  sfg on/.style={color=sfgon, line width=1.882pt},  % highlighted
  sfg faded/.style={color=sfgfaded},  % what is beside it
  sfg node/.style={circle, draw, fill=sfgnode, inner sep=0pt, minimum size=5.412pt, line width=0.941pt},
  sfg node on/.style={draw=sfgon, fill=sfgon},
  sfg name/.style={}, sfg gain/.style={}, sfg sign/.style={}, sfg number/.style={},
  sfg paper/.style={fill=sfgpaper},
  sfg legend/.style={anchor=north west, align=left},
  sfg line/.style={line width=0.824pt}, sfg wire/.style={sfg line}, sfg block/.style={}, sfg thin/.style={line width=0.529pt},
  sfg frame/.style={draw=sfgink!50!sfgpaper, dash pattern=on 1.765pt off 1.765pt},  % a subsystem
  sfg cell/.style={fill=sfgink!9!sfgpaper}, sfg grid/.style={draw=sfgink!18!sfgpaper, line width=0.412pt},
  sfg table/.style={line width=0.588pt}, sfg diagonal/.style={draw=sfgback, line width=1.176pt},
  sfg head/.pic={\draw[solid, line width=0.353pt, -{Stealth[length=6.471pt, width=4.941pt, inset=1.471pt]}] (-1pt,0) -- (0,0);}]
  % The places of the nodes: move one, and its branches follow.
  \coordinate (n0) at (0.62,-1.333);  % r
  \coordinate (n1) at (2.688,-1.333);  % e
  \coordinate (n2) at (4.755,-1.333);  % y
  % The branches: course, arrow head, gain.
  \draw[sfg branch] (n0) -- (n1)
    pic[pos=0.56, sloped, allow upside down] {sfg head}
    node[sfg gain, pos=0.5, anchor=south, xshift=0cm, yshift=0.124cm] {$\displaystyle 1$};  % r to e
  \draw[sfg branch] (n1) -- (n2)
    pic[pos=0.56, sloped, allow upside down] {sfg head}
    node[sfg gain, pos=0.5, anchor=south, xshift=0cm, yshift=0.124cm] {$\displaystyle \frac{K}{s \left(s + 1\right)}$};  % e to y
  \draw[sfg branch, sfg back] (n2) .. controls +(-0.26,-1.092) and +(0.186,0) .. ($(n2)!0.36!(n1)+(0,-1.149)$) -- ($(n2)!0.64!(n1)+(0,-1.149)$)
    pic[pos=0.715, sloped, allow upside down] {sfg head}
    node[sfg gain, pos=0.5, anchor=north, xshift=0cm, yshift=-0.124cm] {$\displaystyle -1$} .. controls +(-0.186,0) and +(0.26,-1.092) .. (n1);  % y to e
  % The nodes and their names.
  \node[sfg node] at (n0) {};
  \path (n0) +(0,0.263) node[sfg name, anchor=south] {$\displaystyle r$};
  \node[sfg node] at (n1) {};
  \path (n1) +(0,0.26) node[sfg name, anchor=south] {$\displaystyle e$};
  \node[sfg node] at (n2) {};
  \path (n2) +(0,0.187) node[sfg name, anchor=south] {$\displaystyle y$};
\end{tikzpicture}
\end{document}
*/
