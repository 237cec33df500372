// What drawings of work have in common: a canvas as sharp as the screen, hatching, ticks, and words about a piece.
import { large, valueText } from './text.js';
import { GROWN, HELP, ITERATION, SPLIT, STOLEN, WAIT } from './work.js';

export const themeColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Calls draw(context, width, height) whenever what it reads may have changed, at most once a frame. Returns a function that
// asks for it, and one that ends it.
export function paint(canvas, draw) {
  let asked = 0;
  const now = () => {
    asked = 0;
    const { clientWidth: width, clientHeight: height } = canvas;
    const scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    if (width && height) draw(context, width, height);
  };
  const ask = () => (asked ||= requestAnimationFrame(now));
  const size = new ResizeObserver(ask);
  size.observe(canvas);
  const theme = new MutationObserver(ask);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-big'] });
  return [
    ask,
    () => {
      cancelAnimationFrame(asked);
      size.disconnect();
      theme.disconnect();
    },
  ];
}

const hatches = new Map();
export function hatch(context, colour) {
  if (!hatches.has(colour)) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 12;
    const pen = tile.getContext('2d');
    pen.strokeStyle = colour;
    pen.lineWidth = 3;
    pen.beginPath();
    for (const x of [-12, 0, 12]) {
      pen.moveTo(x - 2, 14);
      pen.lineTo(x + 14, -2);
    }
    pen.stroke();
    hatches.set(colour, context.createPattern(tile, 'repeat'));
    hatches.get(colour).setTransform(new DOMMatrix().scale(0.5));
  }
  return hatches.get(colour);
}

// Text that fits into a width, or as much of it, or none.
export function fit(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = Math.floor((text.length * width) / context.measureText(text).width);
  return letters >= 3 ? `${text.slice(0, letters - 1)}…` : '';
}

export function timeText(microseconds) {
  if (microseconds < 1000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(microseconds < 1e5 ? 2 : 0)} ms`;
  return `${(microseconds / 1e6).toFixed(2)} s`;
}

export function ticks(from, to, most) {
  let step = 1;
  while ((to - from) / step > most) step *= String(step)[0] === '2' ? 2.5 : 2;
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return list;
}

const boundText = (value, game, catalogue) => (Math.abs(value) > catalogue.proven + catalogue.longest ? (value > 0 ? '∞' : '−∞') : valueText(value, game, catalogue));

// Pairs of words about a piece of work, as a person would ask for them.
export function wordsAbout(piece, game, catalogue) {
  if (!piece) return [];
  const list = [];
  if (piece.open) return [['under way', 'not finished yet']];
  if (piece.grown) return [['visits', large(piece.nodes)]];
  if (piece.kind === GROWN) return [['move', piece.move], ['ply', String(piece.ply + 1)], ['visits', large(piece.nodes)], ['mean', boundText(piece.value, game, catalogue)]];
  const what = { [ITERATION]: 'the whole tree', [SPLIT]: 'split node', [WAIT]: 'waiting for helpers', [HELP]: 'helping', [STOLEN]: 'stolen move' }[piece.kind] ?? 'move';
  list.push([what, piece.move ?? '']);
  list.push(['thread', String(piece.thread + 1)]);
  if (piece.ply >= 0) list.push(['ply', String(piece.ply + 1)]);
  list.push(['depth', String(piece.depth)]);
  if (piece.alpha !== null) list.push(['window', `${boundText(piece.alpha, game, catalogue)} … ${boundText(piece.beta, game, catalogue)}`]);
  if (piece.value !== null) list.push(['value', boundText(piece.value, game, catalogue) + (piece.beta !== null && piece.value >= piece.beta ? ', cuts off' : '')]);
  if (piece.dropped) list.push(['given up', 'the answer no longer mattered']);
  if (piece.kind !== WAIT) list.push(['nodes', large(piece.total || piece.nodes)]);
  list.push(['time', timeText(piece.length)]);
  return list;
}
