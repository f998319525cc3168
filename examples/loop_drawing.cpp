// A drawing of a control loop, as SVG.
#include <sfg/sfg.hpp>

#include <iostream>

int main() {
  sfg::SignalFlowGraph graph;
  const auto r = graph.node("r"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, y, sfg::parse("K/(s*(s+1))", graph.symbols));
  graph.add_branch(y, e, -1);
  sfg::write_svg(std::cout, sfg::layout(graph));
}

/* prints
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 251 142" width="251" height="142" role="img" aria-labelledby="title description">
<title id="title">Signal-flow graph</title>
<desc id="description">Signal-flow graph with 3 nodes and 3 branches. Inputs: r. Outputs: none. Branches: r to e: 1; e to y: K/(s*(s + 1)); y to e: -1.</desc>
<style>
.paper{fill:#ffffff}
.branch{fill:none;stroke:#1a1a1a;stroke-width:1.4}
.head{fill:#1a1a1a;stroke:none}
.node{fill:#ffffff;stroke:#1a1a1a;stroke-width:1.6}
text{font-family:'Liberation Serif','STIX Two Text','Times New Roman','Nimbus Roman',Tinos,Times,'DejaVu Serif Condensed',serif;fill:#1a1a1a;text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}
.italic{font-style:italic}
.rule{fill:#1a1a1a}
path.back{stroke:#0b5394}
.head.back,.rule.back,text.back{fill:#0b5394}
path.law{stroke:#b3261e;stroke-dasharray:7 4}
.head.law,.rule.law,text.law{fill:#b3261e}
</style>
<rect class="paper" width="251" height="142"/>
<path class="branch" d="M30,61.4 C59.3,61.4 88.7,61.4 118,61.4"/>
<path class="head" d="M80,61.4 L69,57.2 L71.5,61.4 L69,65.6 Z"/>
<path class="branch" d="M118,61.4 C152.3,61.4 186.6,61.4 220.9,61.4"/>
<path class="head" d="M175.4,61.4 L164.4,57.2 L166.9,61.4 L164.4,65.6 Z"/>
<path class="branch back" d="M220.9,61.4 C205.2,97.5 187.3,99.4 176.1,99.4 C171.6,99.4 167.2,99.4 162.8,99.4 C151.6,99.4 133.7,97.5 118,61.4"/>
<path class="head back" d="M163.4,99.4 L174.4,103.6 L171.9,99.4 L174.4,95.2 Z"/>
<circle class="node" cx="30" cy="61.4" r="4.6"/>
<circle class="node" cx="118" cy="61.4" r="4.6"/>
<circle class="node" cx="220.9" cy="61.4" r="4.6"/>
<text x="74" y="55"><tspan font-size="17">1</tspan></text>
<text x="169.4" y="34.9"><tspan font-size="16" class="italic">K</tspan></text>
<text x="169.4" y="52"><tspan font-size="16" class="italic">s</tspan><tspan font-size="16" dx="2.2">(</tspan><tspan font-size="16" class="italic">s</tspan><tspan font-size="16" dx="3.5">+</tspan><tspan font-size="16" dx="3.5">1</tspan><tspan font-size="16">)</tspan></text>
<rect class="rule" x="140" y="38" width="58.8" height="0.9"/>
<text class="back" x="169.4" y="116.9"><tspan font-size="17">−</tspan><tspan font-size="17" dx="0.7">1</tspan></text>
<text x="30" y="81.9"><tspan font-size="17" class="italic">r</tspan></text>
<text x="118" y="52"><tspan font-size="17" class="italic">e</tspan></text>
<text x="220.9" y="48.8"><tspan font-size="17" class="italic">y</tspan></text>
</svg>
*/
