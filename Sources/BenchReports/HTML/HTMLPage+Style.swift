extension HTMLPage {
  static let style = """

    :root{color-scheme:light dark;\(ChartStyle.variables(isDark: false))
    --good:#1a7f37;--bad:#cf222e;--doubtful:#9a6700}
    @media (prefers-color-scheme:dark){:root{\(ChartStyle.variables(isDark: true))
    --good:#3fb950;--bad:#f85149;--doubtful:#d29922}}
    @media print{:root{\(ChartStyle.variables(isDark: false))--ink:#000;--soft:#444;--rule:#bbb;--shade:#fff;
    --link:#000}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:1000px;padding:16px 20px 48px;background:var(--ground);color:var(--ink);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;overflow-wrap:break-word}
    h1{font-size:1.6em;line-height:1.25;margin:.4em 0 .5em;border-left:6px solid var(--soft);padding-left:12px}
    .subject{font-weight:600;color:var(--soft);margin:0 0 -.4em}
    h1.good{border-color:var(--good)}h1.bad{border-color:var(--bad)}h1.doubtful{border-color:var(--doubtful)}
    h1.good::before{content:"\\2714\\a0";color:var(--good)}h1.bad::before{content:"\\2718\\a0";color:var(--bad)}
    h1.doubtful::before{content:"\\26a0\\a0";color:var(--doubtful)}
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
    .cross{stroke:var(--ink);stroke-dasharray:3 2}.pick{fill:var(--link);opacity:.18}
    \(ChartStyle.rules)
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
