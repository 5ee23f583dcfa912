/// The script of pages: shows a chart's values at the pointer, or at a position that arrow keys move, and zooms into
/// the range of a drag. It reads the drawn charts, inserts only SVG and boxes of plain text, and sends no requests.
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
      's': v => duration(v * 1e9), 'ns': duration, '': digits, '/s': v => digits(v) + '/s', '%': v => digits(v) + ' %',
      'B': v => scaled(v, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']),
      'p': v => 'p' + Number((100 - Math.pow(10, 2 - v)).toFixed(Math.max(0, Math.ceil(v)))),
    };

    function liven(chart) {
      const numbers = name => chart.dataset[name].split(' ').map(Number);
      const [left, right] = numbers('plot');
      const [low, high] = numbers('range');
      const width = chart.viewBox.baseVal.width;
      const foot = Number(chart.dataset.foot);
      const svg = (name, kind) => {
        const element = document.createElementNS(chart.namespaceURI, name);
        element.setAttribute('class', kind);
        return element;
      };
      // The elements as drawn, from which zooming computes the visible ones.
      const paths = [...chart.querySelectorAll('.z path')].map(node => ({node, d: node.getAttribute('d')}));
      const marks = [...chart.querySelectorAll('.z use, .z text')]
        .map(node => ({node, x: Number(node.getAttribute('x'))}));
      const series = [...chart.querySelectorAll('[data-y]')].map(node => {
        const x = [...node.getAttribute('d').matchAll(/(-?[\d.]+),/g)].map(match => Number(match[1]));
        const y = node.dataset.y ? node.dataset.y.split(' ').map(Number) : [];
        // An area begins and ends on the axis.
        const points = x.length > y.length ? x.slice(1, -1) : x;
        return {name: node.dataset.name, read: readings[node.dataset.unit], y, x: points};
      });
      const axis = chart.querySelector('.axis');
      const drawnAxis = axis.cloneNode(true).childNodes;
      const ticksTop = foot - 2;
      let from = left, to = right;
      const seen = x => left + (x - from) / (to - from) * (right - left);
      const value = x => low + (x - left) / (right - left) * (high - low);
      const cross = svg('path', 'cross');
      const pick = svg('rect', 'pick');
      const tip = document.createElement('div');
      tip.className = 'tip';
      tip.setAttribute('role', 'status');
      const figure = chart.closest('figure');
      let began = null, at = null;

      function redraw() {
        for (const {node, d} of paths) {
          node.setAttribute('d', d.replace(/(-?[\d.]+),/g, (_, x) => seen(Number(x)).toFixed(1) + ','));
        }
        for (const {node, x} of marks) node.setAttribute('x', seen(x).toFixed(1));
        if (chart.dataset.unit === 's') drawTicks();
      }
      function drawTicks() {
        if (from === left && to === right) {
          axis.replaceChildren(...[...drawnAxis].map(node => node.cloneNode(true)));
          return;
        }
        const span = value(to) - value(from);
        const power = Math.pow(10, Math.floor(Math.log10(span / 6)));
        const step = [1, 2, 5, 10].map(n => n * power).find(n => span / n <= 8);
        const nodes = [];
        for (let n = Math.ceil(value(from) / step); n * step <= value(to); n += 1) {
          const x = seen(left + (n * step - low) / (high - low) * (right - left)).toFixed(1);
          const tick = svg('path', 'tick');
          tick.setAttribute('d', `M${x},${ticksTop}L${x},${ticksTop + 4}`);
          const name = svg('text', 'mid');
          name.setAttribute('x', x);
          name.setAttribute('y', ticksTop + 17);
          const decimals = Math.max(0, -Math.floor(Math.log10(step)));
          name.textContent = (n * step).toFixed(decimals) + ' s';
          nodes.push(tick, name);
        }
        axis.replaceChildren(...nodes);
      }
      function hide() { cross.remove(); tip.remove(); at = null; }
      function show(x) {
        at = Math.min(Math.max(x, left), right);
        const own = from + (at - left) / (right - left) * (to - from);
        const lines = [readings[chart.dataset.unit](value(own))];
        for (const one of series) {
          let low = 0, high = one.x.length - 1;
          if (high < 0) continue;
          while (low < high) {
            const middle = (low + high) >> 1;
            if (one.x[middle] < own) low = middle + 1; else high = middle;
          }
          if (low > 0 && own - one.x[low - 1] < one.x[low] - own) low -= 1;
          // A series without a point within 30 units of the position has no value here.
          if (Math.abs(one.x[low] - own) < 30) lines.push(one.name + ': ' + one.read(one.y[low]));
        }
        cross.setAttribute('d', `M${at},4L${at},${foot}`);
        chart.append(cross);
        tip.textContent = lines.join('\n');
        figure.append(tip);
        const box = chart.getBoundingClientRect(), outer = figure.getBoundingClientRect();
        const anchor = box.left - outer.left + at / width * box.width;
        tip.style.top = box.top - outer.top + 8 + 'px';
        const isRight = anchor + 16 + tip.offsetWidth > outer.width;
        tip.style.left = Math.max(0, isRight ? anchor - 12 - tip.offsetWidth : anchor + 12) + 'px';
      }
      function zoom(a, b) {
        const start = from + (Math.min(a, b) - left) / (right - left) * (to - from);
        const end = from + (Math.max(a, b) - left) / (right - left) * (to - from);
        if (end - start < 0.05) return;
        [from, to] = [start, end];
        redraw();
      }
      function reset() { [from, to] = [left, right]; redraw(); }
      const horizontal = event => {
        const box = chart.getBoundingClientRect();
        return Math.min(Math.max((event.clientX - box.left) / box.width * width, left), right);
      };
      chart.addEventListener('pointerdown', event => {
        if (event.button !== 0 || event.pointerType === 'touch') return;
        began = horizontal(event);
        chart.setPointerCapture(event.pointerId);
      });
      chart.addEventListener('pointermove', event => {
        const x = horizontal(event);
        show(x);
        if (began === null) return;
        pick.setAttribute('x', Math.min(began, x));
        pick.setAttribute('y', 4);
        pick.setAttribute('width', Math.abs(x - began));
        pick.setAttribute('height', foot - 4);
        chart.append(pick);
      });
      const end = event => {
        pick.remove();
        const x = horizontal(event);
        if (began !== null && event.type === 'pointerup' && Math.abs(x - began) > 5) zoom(began, x);
        began = null;
      };
      // A drag or a double click must not select text near the chart.
      chart.addEventListener('mousedown', event => { event.preventDefault(); chart.focus({preventScroll: true}); });
      chart.addEventListener('pointerup', end);
      chart.addEventListener('pointercancel', end);
      chart.addEventListener('pointerleave', hide);
      chart.addEventListener('blur', hide);
      chart.addEventListener('dblclick', reset);
      chart.addEventListener('keydown', event => {
        const step = (right - left) / (event.shiftKey ? 20 : 200);
        const quarter = (right - left) / 4;
        const current = at === null ? (left + right) / 2 : at;
        if (event.key === 'ArrowRight') show(current + step);
        else if (event.key === 'ArrowLeft') show(current - step);
        else if (event.key === '+') zoom(Math.max(left, current - quarter), Math.min(right, current + quarter));
        else if (event.key === 'Escape' || event.key === '-') { reset(); hide(); }
        else return;
        event.preventDefault();
      });
    }
    for (const chart of document.querySelectorAll('.chart[data-plot]')) liven(chart);

    """#
}
