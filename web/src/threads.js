// The colours of threads, the same wherever a thread is drawn: eight that are told apart by those who do not see red or
// green, on a light ground and on a dark one (after the "muted" scheme of Paul Tol).
export const COLOURS = ['#44aa99', '#6a7fd0', '#ddcc77', '#cc6677', '#88ccee', '#b160b1', '#a3a34a', '#c28a5a'];
export const INK = '#0c1a20'; // on any of them

export const colourOf = (thread) => COLOURS[thread % COLOURS.length];
