extension IndexPage {
  /// The rules of the index, which follow the rules of every page. Below 720 px, each row is a block.
  static let style = """

    body{max-width:1280px}h1{border:0;padding:0}
    .good{color:var(--good)}.bad{color:var(--bad)}.doubtful{color:var(--doubtful)}
    .filter{display:none}.live .filter{display:block}.filter input{font:inherit;width:20em;max-width:100%;
    padding:3px 8px;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:4px}
    #found,.note{color:var(--soft);font-size:13px}[hidden]{display:none!important}
    .runs{width:100%}.runs th[scope=row]{background:none;border-bottom-width:1px;min-width:9em}
    .runs td,.runs th{overflow-wrap:anywhere}
    .runs td:last-child,.runs td:first-child{white-space:nowrap}
    .runs small{display:block;color:var(--soft);font-weight:400;font-size:12px}.runs small code{font-size:12px}
    .marks{white-space:nowrap}.mark{display:inline-block;width:21px;height:22px;line-height:22px;text-align:center;
    text-decoration:none;border-radius:4px}.mark:hover,.mark:focus-visible{background:var(--even);
    outline:1px solid currentColor}.mark.bad{font-weight:700}
    .spark path.bad{stroke:var(--bad);stroke-width:2}
    .spark path.limit{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 2}
    @media (max-width:719px){.runs thead{display:none}.runs,.runs tbody,.runs tr,.runs th,.runs td{display:block}
    .runs td:last-child{white-space:normal}.runs tr{border:1px solid var(--rule);margin:0 0 10px;padding:6px 10px}
    .runs th,.runs td{border:0;padding:2px 0}.mark{width:28px;height:30px;line-height:30px}}
    @media print{.live .filter{display:none}.mark{width:15px}}

    """

  /// Shows only the rows that contain every word of the filter.
  static let script = #"""

    'use strict';
    document.documentElement.classList.add('live');
    const filter = document.getElementById('filter');
    const rows = [...document.querySelectorAll('[data-words]')];
    const apply = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(word => word !== '');
      for (const row of rows) row.hidden = !words.every(word => row.dataset.words.includes(word));
      const count = rows.filter(row => !row.hidden && !row.closest('#all')).length;
      document.getElementById('found').textContent =
        words.length === 0 ? '' : count + (count === 1 ? ' scenario' : ' scenarios');
    };
    if (filter) {
      filter.addEventListener('input', apply);
      // A browser may restore the text of a page that is shown again.
      addEventListener('pageshow', apply);
    }

    """#
}
