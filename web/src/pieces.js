// Shapes of the pieces of chess in a square of 100, drawn for this page. The first path is the body; `lines`
// are drawn on top of it.
const base = 'M21 89v-5q0-6 7-6h44q7 0 7 6v5z';

export const shapes = {
  P: {
    body: `M50 17a13.5 13.5 0 0 1 8.6 24h4.4q3 4-4 8 1 17 11 29H30q10-12 11-29-7-4-4-8h4.400A13.5 13.5 0 0 1 50 17z${base}`,
  },
  R: { body: `M26 19h11v8h7.500v-8h11v8H63v-8h11v18l-8 7v24l6 10H28l6-10V44l-8-7z${base}`, lines: 'M34 44h32M34 67h32' },
  N: {
    body: `M33 78c0-17 17-19 17-33-5 6-12 6-17 10-3 3-5 7-10 5-5-3-6-9-3-13 4-6 6-13 9-18 3-4 5-6 8-8l-1-11 10 7c20-1 33 18 32 42 0 8-2 13-2 19z${base}`,
    lines: 'M38.500 33.500v.5M25 52l2-2M61 30c6 9 8 21 7 34',
  },
  B: {
    body: `M50 8a5.500 5.500 0 0 1 3.500 9.700C67 27 72 38 68 50c-2 6-5 9-9 12h3q2 4-2 6l5 10H35l5-10q-4-2-2-6h3c-4-3-7-6-9-12-4-12 1-23 14.500-32.300A5.500 5.500 0 0 1 50 8z${base}`,
    lines: 'M50 31v17M42.500 38.500h15',
  },
  Q: {
    body: `M14 33a5 5 0 1 1 6 4.800L33.500 49 33 27a5 5 0 1 1 4.500-.5L46 45l2-24.400a5 5 0 1 1 4 0L54 45l8.500-18.500A5 5 0 1 1 67 27l-.5 22L80 37.800a5 5 0 1 1 3.500 1L71 68l-3 10H32l-3-10L16.500 38.800A5 5 0 0 1 14 33z${base}`,
    lines: 'M30 67q20-6 40 0',
  },
  K: {
    body: `M46.500 8h7v7h7v7h-7v8q12-11 23-3 12 10-2 29-4 6-4.500 12l-2 10H32l-2-10q-.5-6-4.500-12-14-19-2-29 11-8 23 3v-8h-7v-7h7z${base}`,
    lines: 'M50 31v31M30 66q20-6 40 0',
  },
};

export const names = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn', O: 'disc' };

export const owner = (letter) => (letter === '.' ? -1 : letter === letter.toUpperCase() ? 0 : 1);

// The colours of a player: black and white for those who are called so, red and yellow for others.
export function tone(player, players) {
  const name = players[player].toLowerCase();
  return name === 'black' || name === 'white' ? name : ['red', 'yellow'][player];
}
