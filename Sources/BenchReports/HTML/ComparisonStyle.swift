/// The look of tables that compare variants, and the script that shows one of several tables at a time.
enum ComparisonStyle {
  /// The backgrounds of shaded cells, from the palest. The contrast of a cell's texts to them is at least 4.5.
  private static let lightShades = ["#f6f9fc", "#e3eef8", "#cbe0f2", "#b0d0eb", "#94bfe3"]
  private static let darkShades = ["#10161d", "#10202f", "#102c44", "#103859", "#11446e"]

  /// Without scripts, and in print, all tables of a choice are shown.
  static let rules =
    """

    .faint{color:var(--soft)}.second{display:block;font-size:12px;color:var(--soft);
    white-space:normal;text-wrap:balance}
    .second strong{color:var(--ink)}
    td[class*=" s"] .second{color:var(--ink)}
    .remark{color:var(--soft);font-size:13px;margin:0 0 1em}.option .name{margin:.8em 0 .2em}
    .option table{margin-bottom:.3em}
    .choice label{display:block;margin:.8em 0}.choice select{font:inherit;max-width:100%;color:inherit;
    background:var(--ground);border:1px solid var(--soft);border-radius:4px;padding:3px 6px}
    @media screen{.live .off,.live .choice label~.option .name{display:none}}@media print{.choice label{display:none}
    .second{font-size:8px}.remark{font-size:10px}td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
    + shades(lightShades) + "@media screen and (prefers-color-scheme:dark){\(shades(darkShades))}"

  private static func shades(_ colors: [String]) -> String {
    colors.enumerated().map { "td.s\($0.offset){background:\($0.element)}" }.joined()
  }

  static let script = #"""

    for (const choice of document.querySelectorAll('.choice')) {
      const options = [...choice.querySelectorAll('.option')];
      if (options.length < 2) continue;
      const select = document.createElement('select');
      for (const option of options) select.add(new Option(option.dataset.name));
      const show = () => options.forEach(
        (option, index) => option.classList.toggle('off', index !== select.selectedIndex));
      const label = document.createElement('label');
      label.append(choice.dataset.label + ' ', select);
      choice.prepend(label);
      select.addEventListener('change', show);
      show();
    }

    """#
}
