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
<svg xmlns="http://www.w3.org/2000/svg" id="sfg-x2lefjoluf" viewBox="0 0 278 156" width="278" height="156" role="img" aria-labelledby="sfg-x2lefjoluf-title sfg-x2lefjoluf-description">
<title id="sfg-x2lefjoluf-title">Signal-flow graph</title>
<desc id="sfg-x2lefjoluf-description">Signal-flow graph with 3 nodes and 3 branches. Inputs: r. Outputs: none. Branches: r to e: 1; e to y: K/(s*(s + 1)); y to e: -1.</desc>
<style>
#sfg-x2lefjoluf path.branch{fill:none;stroke:currentColor;stroke-width:1.4}
#sfg-x2lefjoluf path.law{stroke-dasharray:7 4}
#sfg-x2lefjoluf .head{fill:currentColor;stroke:none}
#sfg-x2lefjoluf circle.node{stroke:currentColor;stroke-width:1.6}
#sfg-x2lefjoluf text{font-family:'Liberation Serif','STIX Two Text','Times New Roman','Nimbus Roman',Tinos,Times,'DejaVu Serif Condensed',serif;fill:currentColor;text-anchor:middle;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
#sfg-x2lefjoluf .italic{font-style:italic}
#sfg-x2lefjoluf .rule{fill:currentColor}
#sfg-x2lefjoluf .on path.branch{stroke-width:3.2}
#sfg-x2lefjoluf .on .head{stroke:currentColor;stroke-width:1.4}
#sfg-x2lefjoluf .on circle.node{fill:currentColor}
#sfg-x2lefjoluf .line,#sfg-x2lefjoluf .wire{fill:none;stroke:currentColor;stroke-width:1.3}
#sfg-x2lefjoluf path.law{stroke-dasharray:7 4}
#sfg-x2lefjoluf rect.block,#sfg-x2lefjoluf circle.sum{stroke:currentColor;stroke-width:1.3}
#sfg-x2lefjoluf rect.law{stroke-dasharray:7 4}
#sfg-x2lefjoluf .dot{fill:currentColor;stroke:none}
#sfg-x2lefjoluf .frame{fill:currentColor;fill-opacity:.04;stroke:currentColor;stroke-opacity:.5;stroke-dasharray:3 3}
#sfg-x2lefjoluf .sign{stroke-width:3px}
#sfg-x2lefjoluf .table{fill:none;stroke:currentColor;stroke-width:1}
#sfg-x2lefjoluf .grid{fill:none;stroke:currentColor;stroke-opacity:.18;stroke-width:.7}
#sfg-x2lefjoluf rect.cell{fill:currentColor;fill-opacity:.09}
#sfg-x2lefjoluf .cell text{stroke:none}
#sfg-x2lefjoluf .mark{fill:currentColor;fill-opacity:.75}
#sfg-x2lefjoluf .diagonal{fill:none;stroke:currentColor;stroke-width:2}
#sfg-x2lefjoluf{color:#1a1a1a}
#sfg-x2lefjoluf .paper{fill:#ffffff}
#sfg-x2lefjoluf circle.node{fill:#ffffff}
#sfg-x2lefjoluf text{stroke:#ffffff}
#sfg-x2lefjoluf g.back{color:#0b5394}
#sfg-x2lefjoluf g.law{color:#b3261e}
#sfg-x2lefjoluf.lit g.branch,#sfg-x2lefjoluf.lit g.node{color:#707680}
#sfg-x2lefjoluf g.branch.on,#sfg-x2lefjoluf g.node.on{color:#c2410c}
#sfg-x2lefjoluf rect.block,#sfg-x2lefjoluf circle.sum{fill:#ffffff}
#sfg-x2lefjoluf .blocks{color:#0b5394}
@media screen and (prefers-color-scheme:dark){
#sfg-x2lefjoluf{color:#e6e6e6}
#sfg-x2lefjoluf .paper{fill:#16181d}
#sfg-x2lefjoluf circle.node{fill:#16181d}
#sfg-x2lefjoluf text{stroke:#16181d}
#sfg-x2lefjoluf g.back{color:#6cb2ff}
#sfg-x2lefjoluf g.law{color:#ff8a80}
#sfg-x2lefjoluf.lit g.branch,#sfg-x2lefjoluf.lit g.node{color:#868c96}
#sfg-x2lefjoluf g.branch.on,#sfg-x2lefjoluf g.node.on{color:#ffb454}
#sfg-x2lefjoluf rect.block,#sfg-x2lefjoluf circle.sum{fill:#16181d}
#sfg-x2lefjoluf .blocks{color:#6cb2ff}
}
</style>
<rect class="paper" width="278" height="156"/>
<g class="branch" data-from="r" data-to="e" data-branch="0"><title>r → e: 1</title>
<path class="branch" d="M30,61.7 C59.3,61.7 88.7,61.7 118,61.7"/>
<path class="head" d="M80,61.7 L69,57.5 L71.5,61.7 L69,65.9 Z"/>
<g class="gain"><g>
<text x="74" y="55.7"><tspan font-size="17">1</tspan></text>
</g></g>
</g>
<g class="branch" data-from="e" data-to="y" data-branch="1"><title>e → y: K/(s*(s + 1))</title>
<path class="branch" d="M118,61.7 C161.3,61.7 204.7,61.7 248,61.7"/>
<path class="head" d="M189,61.7 L178,57.5 L180.5,61.7 L178,65.9 Z"/>
<g class="gain"><g>
<text x="183" y="34.9"><tspan font-size="16" class="italic">K</tspan></text>
<text x="183" y="52.2"><tspan font-size="16" class="italic">s</tspan><tspan font-size="16" dx="2.2">(</tspan><tspan font-size="16" class="italic">s</tspan><tspan font-size="16" dx="3.5">+</tspan><tspan font-size="16" dx="3.5">1</tspan><tspan font-size="16">)</tspan></text>
<rect class="rule" x="156.8" y="38" width="52.4" height="0.9"/>
</g></g>
</g>
<g class="branch back" data-from="y" data-to="e" data-branch="2"><title>y → e: −1</title>
<path class="branch back" d="M248,61.7 C229.2,111.7 207.8,114.3 194.4,114.3 C186.8,114.3 179.2,114.3 171.6,114.3 C158.2,114.3 136.8,111.7 118,61.7"/>
<path class="head back" d="M177,114.3 L188,118.5 L185.5,114.3 L188,110.1 Z"/>
<g class="gain"><g>
<text x="183" y="131.5"><tspan font-size="17">−</tspan><tspan font-size="17" dx="0.7">1</tspan></text>
</g></g>
</g>
<g class="node" data-node="r"><title>r</title>
<circle class="node" cx="30" cy="61.7" r="4.6"/>
<g class="name"><g>
<text x="30" y="82.2"><tspan font-size="17" class="italic">r</tspan></text>
</g></g>
</g>
<g class="node" data-node="e"><title>e</title>
<circle class="node" cx="118" cy="61.7" r="4.6"/>
<g class="name"><g>
<text x="118" y="52.3"><tspan font-size="17" class="italic">e</tspan></text>
</g></g>
</g>
<g class="node" data-node="y"><title>y</title>
<circle class="node" cx="248" cy="61.7" r="4.6"/>
<g class="name"><g>
<text x="248" y="49"><tspan font-size="17" class="italic">y</tspan></text>
</g></g>
</g>
</svg>
*/
