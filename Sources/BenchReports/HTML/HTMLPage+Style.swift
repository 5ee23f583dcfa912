extension HTMLPage {
  static let style = """

    :root{color-scheme:light dark;\(ChartStyle.variables(isDark: false))
    --good:#1a7f37;--bad:#cf222e;--doubtful:#9a6700}
    @media screen and (prefers-color-scheme:dark){:root{\(ChartStyle.variables(isDark: true))
    --good:#3fb950;--bad:#f85149;--doubtful:#d29922}}
    @media print{:root{color-scheme:light;--ink:#000;--soft:#444;--rule:#bbb;--shade:#fff;--link:#000}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:1240px;padding:16px 20px 48px;background:var(--ground);color:var(--ink);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;overflow-wrap:break-word}
    p,ul{max-width:100ch}
    h1{font-size:1.6em;line-height:1.25;margin:.4em 0 .5em;border-left:6px solid var(--soft);padding-left:12px}
    .links{margin:0 0 1em}.subject{font-weight:600;color:var(--soft);margin:0 0 -.4em}
    h1.good{border-color:var(--good)}h1.bad{border-color:var(--bad)}h1.doubtful{border-color:var(--doubtful)}
    h1.good::before,.toned.good::before{content:"\\2714\\a0";color:var(--good)}
    h1.bad::before,.toned.bad::before{content:"\\2718\\a0";color:var(--bad)}
    h1.doubtful::before,.toned.doubtful::before,.tiles .doubtful .value::before{content:"\\26a0\\a0";
    color:var(--doubtful)}
    .toned.good{color:var(--good)}.toned.bad{color:var(--bad)}.toned.doubtful{color:var(--doubtful)}
    .toned{white-space:nowrap}
    h2{font-size:1.2em;margin:1.8em 0 .6em;padding-bottom:.25em;border-bottom:1px solid var(--rule)}
    a{color:var(--link)}nav{margin:1em 0;padding:8px 12px;background:var(--shade);border:1px solid var(--rule)}
    code,pre{font:13px/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
    code{background:var(--shade);border-radius:4px;padding:1px 4px;unicode-bidi:isolate}
    pre{background:var(--shade);border:1px solid var(--rule);padding:10px 12px;margin:.6em 0;white-space:pre-wrap;
    overflow-wrap:anywhere}pre code{padding:0}.command{display:flex;gap:8px;
    align-items:flex-start}.command pre{flex:1;min-width:0}.command button{margin-top:.6em}
    button{font:13px/1.4 inherit;color:var(--ink);background:var(--ground);border:1px solid var(--soft);
    border-radius:4px;padding:3px 10px;cursor:pointer}

    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:10px;margin:1em 0}
    .tiles div{border:1px solid var(--rule);border-top:3px solid var(--soft);background:var(--shade);
    padding:8px 12px}.tiles .doubtful{border-top-color:var(--doubtful)}
    .tiles dt{font-weight:600;font-size:14px}.tiles dd{margin:0;font-size:13px;color:var(--soft)}
    .tiles .value{font-size:26px;line-height:1.35;color:var(--ink);font-variant-numeric:tabular-nums}
    .tiles code{background:none;padding:0;color:var(--ink)}

    .wide{overflow-x:auto;background:linear-gradient(90deg,var(--ground) 30%,transparent) 0 0/40px 100% no-repeat local,
    linear-gradient(270deg,var(--ground) 30%,transparent) 100% 0/40px 100% no-repeat local,
    linear-gradient(90deg,var(--rule),transparent) 0 0/12px 100% no-repeat scroll,
    linear-gradient(270deg,var(--rule),transparent) 100% 0/12px 100% no-repeat scroll}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0 1em;
    font-size:14px}th,td{padding:3px 9px;border:1px solid var(--rule);text-align:left;vertical-align:top}
    th{font-weight:600;border-bottom-width:2px}.r{text-align:right}td.r{white-space:nowrap}
    tr:target{background:var(--even)}td code{background:none;padding:0}
    td:first-child a{white-space:nowrap}
    .gauge{margin-left:10px;vertical-align:middle}.gauge .track{fill:var(--rule)}.gauge .limit{fill:var(--ink)}
    .gauge.good .fill{fill:var(--good)}.gauge.bad .fill{fill:var(--bad)}.gauge.doubtful .fill{fill:var(--doubtful)}
    .spark{width:124px;height:30px;vertical-align:middle;margin-right:8px}.spark.small{width:90px;height:18px}
    .spark path{fill:none;stroke:var(--c0);stroke-width:1.4}.spark circle{fill:var(--c0)}
    .more{float:right;margin-left:14px;white-space:nowrap;color:var(--soft);cursor:pointer}.more input{margin:0}
    tbody:has(.more input:not(:checked)) .part:not(:target){display:none}
    .part td:nth-child(n+3){color:var(--soft)}

    details{margin:.6em 0}summary{cursor:pointer}.help{font-size:14px}.help>summary{color:var(--soft)}
    .section{margin:0}.section>summary{margin:1em 0 .4em;padding-bottom:.25em;border-bottom:1px solid var(--rule)}
    .section>summary h2{display:inline;border:0;margin:0}.gist{color:var(--soft);margin-left:.6em}
    figure{margin:.6em 0 1.2em}
    figcaption{color:var(--soft);font-size:13px;margin-top:4px;max-width:110ch}
    .scripted{display:none}.live .scripted{display:inline}
    .shapes{position:absolute;width:0;height:0}
    .drawing{display:block;width:100%;min-width:620px;height:auto}.drawing.small{min-width:0;max-width:360px}
    .small-charts{display:grid;align-items:end;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));
    gap:14px 20px}
    .chart{position:relative;touch-action:pan-y}.chart.small{max-width:400px}
    .chart:focus-visible{outline:2px solid var(--link);outline-offset:2px}.live .plot{cursor:crosshair}
    .plot{display:block;width:calc(100% - 80px);margin-left:66px;overflow:visible}
    .small .plot{width:calc(100% - 68px);margin-left:54px}.plot path{vector-effect:non-scaling-stroke}
    .bars{display:block;width:100%}.chart .bars{margin-top:4px}
    .panel{font-weight:600;font-size:13px;margin:8px 0 4px}
    .legend{display:flex;flex-wrap:wrap;gap:2px 4px;margin:0 0 6px 62px;font-size:12px}.small .legend{margin-left:50px}
    .key{display:inline-flex;align-items:center;gap:6px;padding:1px 6px 1px 4px}.key svg{overflow:visible}
    button.key{font-size:12px;border:1px solid transparent;background:none}
    button.key:hover{border-color:var(--rule)}button.key[aria-pressed=false]{color:var(--soft);
    text-decoration:line-through}button.key[aria-pressed=false] svg{opacity:.35}.hidden{display:none}
    .tight{display:none}
    .cross{position:absolute;z-index:1;width:0;border-left:1px dashed var(--ink);pointer-events:none}
    .pick{position:absolute;z-index:1;background:var(--link);opacity:.18;pointer-events:none}
    \(ChartStyle.rules)
    .tip{position:absolute;z-index:1;pointer-events:none;background:var(--ground);color:var(--ink);max-width:280px;
    border:1px solid var(--soft);padding:5px 9px;font-size:12px;line-height:1.45;white-space:pre-line;
    font-variant-numeric:tabular-nums}
    @media (max-width:700px){.roomy{display:none}.tight{display:block}}
    @media (max-width:600px){body{padding:12px 12px 40px}h1{font-size:1.3em}
    .tiles{grid-template-columns:repeat(auto-fit,minmax(150px,1fr))}.tiles .value{font-size:21px}}
    @media print{body{max-width:none;padding:0;font-size:11px}nav,.links,.scripted,.live .scripted,.tip,button,
    .more{display:none}.drawing{min-width:0}.small-charts{grid-template-columns:repeat(3,1fr)}
    figure,tr,svg,.tiles div{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible;background:none}
    table{font-size:9px}th,td{padding:1px 4px}a{text-decoration:none}.tiles{grid-template-columns:repeat(5,1fr)}
    .tiles .value{font-size:16px}.tiles dt,.tiles dd{font-size:10px}
    tbody:has(.more input:not(:checked)) .part:not(:target){display:table-row}
    code,pre,figcaption,.help{font-size:10px}button.key{display:inline-flex}
    button.key[aria-pressed=false]{display:none}td code{font-size:8px}
    details::details-content{content-visibility:visible;display:block}}

    """
}
