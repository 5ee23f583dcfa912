/// The script of pages: shows a chart's values at the pointer, or at a position that arrow keys move, zooms into the
/// range of a drag, hides and shows the lines of a legend, copies commands, and opens the section of a link. It reads
/// the drawn charts, inserts only SVG, buttons and boxes of plain text, and sends no requests.
enum PageScript {
  static let text = #"""

    'use strict';
    document.documentElement.classList.add('live');
    const digits = v => v === 0 ? '0' : Math.abs(v) >= 100 ? Math.round(Number(v.toPrecision(3))).toLocaleString('en')
      : v.toPrecision(3);
    const scaled = (v, factor, units) => {
      let unit = 0;
      while (unit < units.length - 1 && Math.abs(Number(v.toPrecision(3))) >= 1000) { v /= factor; unit += 1; }
      return digits(v) + ' ' + units[unit];
    };
    const duration = ns => ns === 0 ? '0 s' : ns >= 7.2e12 ? digits(ns / 3.6e12) + ' h'
      : ns >= 1.2e11 ? digits(ns / 6e10) + ' min' : scaled(ns, 1000, ['ns', 'µs', 'ms', 's']);
    const readings = {
      's': v => duration(v * 1e9), 'ns': duration, '': digits, 'count': digits, '1/s': v => digits(v) + '/s',
      '%': v => digits(v) + ' %', 'share': v => digits(v * 100) + ' %',
      'B': v => scaled(v, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']),
      'B·s': v => scaled(v, 1024, ['B·s', 'KiB·s', 'MiB·s', 'GiB·s', 'TiB·s']),
      'p': v => 'p' + Number((100 - Math.pow(10, 2 - v)).toFixed(Math.max(0, Math.ceil(v)))),
    };

    function box(kind) {
      const element = document.createElement('div');
      element.className = kind;
      return element;
    }

    function liven(chart) {
      // Positions on the axis count from 0 to `width`, the width of the frame of paths.
      const width = Number(chart.dataset.width);
      const [low, high] = chart.dataset.range.split(' ').map(Number);
      const plots = [...chart.querySelectorAll('.plot')];
      // The last plot has the axis, and is shown at every width.
      const axisPlot = plots[plots.length - 1];
      const svg = (name, kind) => {
        const element = document.createElementNS(plots[0].namespaceURI, name);
        element.setAttribute('class', kind);
        return element;
      };
      const share = x => (x / width * 100).toFixed(2) + '%';
      // The elements as drawn, from which zooming computes the visible ones.
      const paths = [...chart.querySelectorAll('.z path')].map(node => ({node, d: node.getAttribute('d')}));
      const marks = [...chart.querySelectorAll('.z use, .z text')]
        .map(node => ({node, x: parseFloat(node.getAttribute('x')) / 100 * width}));
      const ticks = [...chart.querySelectorAll('.z line')]
        .map(node => ({node, x: parseFloat(node.getAttribute('x1')) / 100 * width}));
      const hidden = new Set();
      const series = [...chart.querySelectorAll('[data-y]')].map(node => {
        const x = [...node.getAttribute('d').matchAll(/(-?[\d.]+),/g)].map(match => Number(match[1]));
        const y = node.dataset.y ? node.dataset.y.split(' ').map(Number) : [];
        // An area begins and ends on the axis.
        const points = x.length > y.length ? x.slice(1, -1) : x;
        return {key: node.dataset.series, name: node.dataset.name, read: readings[node.dataset.unit], y, x: points};
      });
      const axis = chart.querySelector('.axis');
      const drawnAxis = axis.cloneNode(true).childNodes;
      const cross = box('cross'), pick = box('pick'), tip = box('tip');
      tip.setAttribute('role', 'status');
      let from = 0, to = width, began = null, at = null;
      const seen = x => (x - from) / (to - from) * width;
      const value = x => low + x / width * (high - low);

      function redraw() {
        for (const {node, d} of paths) {
          node.setAttribute('d', d.replace(/(-?[\d.]+),/g, (_, x) => seen(Number(x)).toFixed(1) + ','));
        }
        for (const {node, x} of marks) node.setAttribute('x', share(seen(x)));
        for (const {node, x} of ticks) {
          node.setAttribute('x1', share(seen(x)));
          node.setAttribute('x2', share(seen(x)));
        }
        if (chart.dataset.unit === 's') drawTicks();
      }
      function drawTicks() {
        if (from === 0 && to === width) {
          axis.replaceChildren(...[...drawnAxis].map(node => node.cloneNode(true)));
          return;
        }
        const most = Math.max(2, Math.min(8, axisPlot.getBoundingClientRect().width / 80));
        const span = value(to) - value(from);
        const power = Math.pow(10, Math.floor(Math.log10(span / most)));
        const step = [1, 2, 5, 10].map(n => n * power).find(n => span / n <= most);
        const nodes = [];
        for (let n = Math.ceil(value(from) / step); n * step <= value(to); n += 1) {
          const x = share(seen((n * step - low) / (high - low) * width));
          const tick = svg('line', 'tick');
          for (const [name, text] of [['x1', x], ['x2', x], ['y1', 0], ['y2', 4]]) tick.setAttribute(name, text);
          const name = svg('text', 'mid');
          name.setAttribute('x', x);
          name.setAttribute('y', 17);
          const decimals = Math.max(0, -Math.floor(Math.log10(step)));
          name.textContent = (n * step).toFixed(decimals) + ' s';
          nodes.push(tick, name);
        }
        axis.replaceChildren(...nodes);
      }
      // The rectangle of all plots together, relative to the chart.
      function area() {
        const outer = chart.getBoundingClientRect();
        const shown = plots.map(plot => plot.getBoundingClientRect()).filter(rect => rect.height > 0);
        const axisRect = axisPlot.getBoundingClientRect();
        return {left: shown[0].left - outer.left, width: shown[0].width, top: shown[0].top - outer.top,
          bottom: axisRect.top - outer.top, whole: outer.width};
      }
      function place(element, x, length, {left, width: wide, top, bottom}) {
        element.style.left = left + x / width * wide + 'px';
        element.style.top = top + 'px';
        element.style.height = bottom - top + 'px';
        if (length !== null) element.style.width = length / width * wide + 'px';
        chart.append(element);
      }
      function hide() { cross.remove(); tip.remove(); at = null; }
      function show(x) {
        at = Math.min(Math.max(x, 0), width);
        const own = from + at / width * (to - from);
        const lines = [readings[chart.dataset.unit](value(own))];
        for (const one of series) {
          let low = 0, high = one.x.length - 1;
          if (high < 0 || hidden.has(one.key)) continue;
          while (low < high) {
            const middle = (low + high) >> 1;
            if (one.x[middle] < own) low = middle + 1; else high = middle;
          }
          if (low > 0 && own - one.x[low - 1] < one.x[low] - own) low -= 1;
          // A series without a point within 30 units of the position has no value here.
          if (Math.abs(one.x[low] - own) < 30) lines.push(one.name + ': ' + one.read(one.y[low]));
        }
        const rect = area();
        place(cross, at, null, rect);
        tip.textContent = lines.join('\n');
        chart.append(tip);
        const anchor = rect.left + at / width * rect.width;
        tip.style.top = rect.top + 8 + 'px';
        const isRight = anchor + 16 + tip.offsetWidth > rect.whole;
        tip.style.left = Math.max(0, isRight ? anchor - 12 - tip.offsetWidth : anchor + 12) + 'px';
      }
      function zoom(a, b) {
        const start = from + Math.min(a, b) / width * (to - from);
        const end = from + Math.max(a, b) / width * (to - from);
        if (end - start < 0.05) return;
        [from, to] = [start, end];
        redraw();
      }
      function reset() { [from, to] = [0, width]; redraw(); }
      const horizontal = event => {
        const rect = plots[0].getBoundingClientRect().width > 0 ? plots[0] : plots[1];
        const {left, width: wide} = rect.getBoundingClientRect();
        return Math.min(Math.max((event.clientX - left) / wide * width, 0), width);
      };
      const end = event => {
        pick.remove();
        const x = horizontal(event);
        if (began !== null && event.type === 'pointerup' && Math.abs(x - began) > 5) zoom(began, x);
        began = null;
      };
      for (const plot of plots) {
        plot.addEventListener('pointerdown', event => {
          if (event.button !== 0 || event.pointerType === 'touch') return;
          began = horizontal(event);
          plot.setPointerCapture(event.pointerId);
        });
        plot.addEventListener('pointermove', event => {
          const x = horizontal(event);
          show(x);
          if (began !== null) place(pick, Math.min(began, x), Math.abs(x - began), area());
        });
        // A drag or a double click must not select text near the chart.
        plot.addEventListener('mousedown', event => { event.preventDefault(); chart.focus({preventScroll: true}); });
        plot.addEventListener('pointerup', end);
        plot.addEventListener('pointercancel', end);
        plot.addEventListener('pointerleave', hide);
        plot.addEventListener('dblclick', reset);
      }
      chart.addEventListener('blur', hide);
      chart.addEventListener('keydown', event => {
        if (event.target !== chart) return;
        const step = width / (event.shiftKey ? 20 : 200);
        const quarter = width / 4;
        const current = at === null ? width / 2 : at;
        if (event.key === 'ArrowRight') show(current + step);
        else if (event.key === 'ArrowLeft') show(current - step);
        else if (event.key === '+') zoom(Math.max(0, current - quarter), Math.min(width, current + quarter));
        else if (event.key === 'Escape' || event.key === '-') { reset(); hide(); }
        else return;
        event.preventDefault();
      });
      for (const key of chart.querySelectorAll('.key[data-key]')) {
        const button = document.createElement('button');
        const number = key.dataset.key;
        const set = isShown => {
          button.setAttribute('aria-pressed', String(isShown));
          if (isShown) hidden.delete(number); else hidden.add(number);
          for (const node of chart.querySelectorAll(`[data-series="${number}"]`)) {
            node.classList.toggle('hidden', !isShown);
          }
        };
        button.type = 'button';
        button.className = 'key';
        button.append(...key.childNodes);
        button.addEventListener('click', () => set(hidden.has(number)));
        key.replaceWith(button);
        set(key.dataset.hidden !== 'true');
      }
    }
    for (const chart of document.querySelectorAll('.chart[data-width]')) liven(chart);

    for (const command of document.querySelectorAll('.command')) {
      const code = command.querySelector('code');
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(code.textContent);
          button.textContent = 'Copied';
        } catch {
          // Without access to the clipboard, the command is selected for the keyboard.
          getSelection().selectAllChildren(code);
          button.textContent = 'Selected';
        }
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      });
      command.append(button);
    }

    function reveal() {
      const target = document.getElementById(location.hash.slice(1));
      const section = target && target.querySelector(':scope > details.section');
      if (section) section.open = true;
      for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    }
    addEventListener('hashchange', reveal);
    reveal();

    """#
}
