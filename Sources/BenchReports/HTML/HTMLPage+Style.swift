extension HTMLPage {
  // Every pair of a text's and its ground's colours has a contrast of at least 4.5, every line's of at least 3.
  static let style = """

    :root{color-scheme:light dark;--ground:#fff;--ink:#1f2328;--soft:#57606a;--rule:#d0d7de;--shade:#f6f8fa;
    --link:#0550ae;--even:#eef1f5;--odd:#f8f9fb;--bad:#b3261e;
    --c0:#0072b2;--c1:#c24e00;--c2:#00805e;--c3:#a23b8c;--c4:#7a5c00;--c5:#444c56;
    --c6:#6639ba;--c7:#c4261d;--c8:#6e7781;
    --g0:#d3e6f4;--g1:#fbe3d2;--g2:#d2eee5;--g3:#f3dcee;--g4:#f0e6c8;--g5:#e2e5e9;--g6:#e6ddf7;--g7:#fadbd8}
    @media (prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--soft:#9da7b3;--rule:#3d444d;
    --shade:#161b22;--link:#79b8ff;--even:#1a212b;--odd:#131920;--bad:#ff8f87;
    --c0:#5eb0ef;--c1:#f59a5c;--c2:#45c39b;--c3:#e08fd0;--c4:#d5b04a;--c5:#b6bec8;
    --c6:#b394f5;--c7:#ff8078;--c8:#8b949e;
    --g0:#12324b;--g1:#47290f;--g2:#0c3a2e;--g3:#421f3a;--g4:#3a2f0c;--g5:#2b313a;--g6:#2f2252;--g7:#4a1a18}}
    @media print{:root{--ground:#fff;--ink:#000;--soft:#444;--rule:#bbb;--shade:#fff;--link:#000;--even:#eef1f5;
    --odd:#f8f9fb;--bad:#b3261e;
    --c0:#0072b2;--c1:#c24e00;--c2:#00805e;--c3:#a23b8c;--c4:#7a5c00;--c5:#444c56;
    --c6:#6639ba;--c7:#c4261d;--c8:#6e7781;
    --g0:#d3e6f4;--g1:#fbe3d2;--g2:#d2eee5;--g3:#f3dcee;--g4:#f0e6c8;--g5:#e2e5e9;--g6:#e6ddf7;--g7:#fadbd8}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:1000px;padding:16px 20px 48px;background:var(--ground);color:var(--ink);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;overflow-wrap:break-word}
    h1{font-size:1.6em;line-height:1.25;margin:.4em 0 .5em;border-left:6px solid var(--soft);padding-left:12px}
    h2{font-size:1.2em;margin:2em 0 .6em;padding-bottom:.25em;border-bottom:1px solid var(--rule)}
    a{color:var(--link)}nav{margin:1em 0;padding:8px 12px;background:var(--shade);border:1px solid var(--rule)}
    code,pre{font:13px/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
    code{background:var(--shade);border-radius:4px;padding:1px 4px;unicode-bidi:isolate}
    pre{background:var(--shade);border:1px solid var(--rule);padding:10px 12px;overflow-x:auto}pre code{padding:0}
    .wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0 1em;
    font-size:14px}th,td{padding:3px 10px;border:1px solid var(--rule);text-align:left;vertical-align:top}
    th{background:var(--shade);font-weight:600}.r{text-align:right;white-space:nowrap}tr:target{background:var(--even)}
    td code{background:none;padding:0}
    details{margin:.8em 0}summary{cursor:pointer}figure{margin:.6em 0 1.2em;position:relative}
    figcaption{color:var(--soft);font-size:13px;margin-top:4px}.scripted{display:none}.live .scripted{display:inline}
    .shapes{position:absolute;width:0;height:0}
    .chart{display:block;width:100%;min-width:620px;height:auto;touch-action:pan-y}
    .chart.small{min-width:0;max-width:360px}
    .small-charts{display:grid;align-items:end;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));
    gap:14px 20px}
    .chart:focus-visible{outline:2px solid var(--link)}.live .chart[data-plot]{cursor:crosshair}
    .chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:var(--ink);
    user-select:none}.chart text.title{font-weight:600}.chart text.soft,.chart text.faint{fill:var(--soft)}
    .chart .end{text-anchor:end}.chart .mid{text-anchor:middle}
    .chart path{fill:none}.grid,.tick,.frame{stroke:var(--rule)}.grid.soft{stroke-dasharray:1 4}
    .tick,.frame{stroke:var(--soft)}.ground{fill:var(--ground)}
    .line{stroke-width:1.6;stroke-linejoin:round}.dashed{stroke-dasharray:6 3}.dotted{stroke-dasharray:1.5 3}
    .bar{stroke-width:8}.mark{stroke-width:1.6}.chart path.a,.chart rect.a{stroke-width:1}
    .chart path.band{stroke:none}.chart path.even{fill:var(--even)}.chart path.odd{fill:var(--odd)}
    .chart path.out{fill:url(#out);opacity:.35}.edge{stroke:var(--soft);stroke-dasharray:4 3}
    .unseen{stroke:none}.cross{stroke:var(--ink);stroke-dasharray:3 2}.pick{fill:var(--link);opacity:.18}
    pattern path{stroke-width:1.4;opacity:.55}use.hollow{fill:var(--ground);stroke-width:1.2}
    use{stroke:none}.dot{fill:var(--ink);stroke:var(--ground);stroke-width:.8}
    .c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}
    .c5{stroke:var(--c5)}.c6{stroke:var(--c6)}.c7{stroke:var(--c7)}.c8{stroke:var(--c8)}
    use.c0{fill:var(--c0)}use.c1{fill:var(--c1)}use.c2{fill:var(--c2)}use.c3{fill:var(--c3)}use.c4{fill:var(--c4)}
    use.c5{fill:var(--c5)}use.c6{fill:var(--c6)}use.c7{fill:var(--c7)}
    .g0{fill:var(--g0)}.g1{fill:var(--g1)}.g2{fill:var(--g2)}.g3{fill:var(--g3)}.g4{fill:var(--g4)}.g5{fill:var(--g5)}
    .g6{fill:var(--g6)}.g7{fill:var(--g7)}
    .chart .p0{fill:url(#h0)}.chart .p1{fill:url(#h1)}.chart .p2{fill:url(#h2)}.chart .p3{fill:url(#h3)}
    .chart .p4{fill:url(#h4)}.chart .p5{fill:url(#h5)}.chart .p6{fill:url(#h6)}.chart .p7{fill:url(#h7)}
    .tip{position:absolute;z-index:1;pointer-events:none;background:var(--ground);color:var(--ink);max-width:280px;
    border:1px solid var(--soft);padding:5px 9px;font-size:12px;line-height:1.45;white-space:pre-line;
    font-variant-numeric:tabular-nums}
    @media print{body{max-width:none;padding:0;font-size:11px}nav,.scripted,.live .scripted,.tip{display:none}
    .chart{min-width:0}.small-charts{grid-template-columns:repeat(3,1fr)}figure,tr,svg{break-inside:avoid}
    h2{break-after:avoid}.wide{overflow:visible}table{font-size:9px}th,td{padding:1px 4px}a{text-decoration:none}
    code,pre,figcaption{font-size:10px}td code{font-size:8px}
    pre{white-space:pre-wrap}details::details-content{content-visibility:visible;display:block}}

    """
}
