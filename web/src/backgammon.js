// A play of backgammon, made step by step. The server lists the legal plays; here is only what is needed to
// make them with any order of the dice: a sequence of steps is allowed if it can end in a legal play.
//
// A position is {own, opp}: chequers by place, counted by each side for itself (1 to 24, 25 the bar, 0 borne
// off). Cells are those of the board: 1 to 24 as player 0 counts, bars 25 and 26, borne off 0 and 27.

export function cellOf(player, place) {
  if (player === 0) return place;
  return place === 25 ? 26 : place === 0 ? 27 : 25 - place;
}

export function placeOf(player, cell) {
  if (player === 0) return cell;
  return cell === 26 ? 25 : cell === 27 ? 0 : 25 - cell;
}

export function positionOf(board, turn) {
  const men = (player) =>
    Array.from({ length: 26 }, (_, place) => {
      const cell = cellOf(player, place);
      const letter = board.pieces[cell];
      return letter !== '.' && (letter === letter.toUpperCase()) === (player === 0) ? board.counts[cell] : 0;
    });
  return { own: men(turn), opp: men(1 - turn) };
}

const keyOf = ({ own, opp }) => `${own.join()};${opp.join()}`;

function land(own, opp, from, to) {
  own[from]--;
  own[to]++;
  if (to > 0 && opp[25 - to] === 1) {
    opp[25 - to] = 0;
    opp[25]++;
  }
}

// The position after a step, or null if it cannot be made.
function step({ own, opp }, from, die) {
  if (own[from] === 0 || (own[25] > 0 && from !== 25)) return null;
  let to = from - die;
  if (to <= 0) {
    const behind = to < 0 ? from + 1 : 7; // with a die to spare nothing may stand further back
    if (own.some((men, place) => men > 0 && place >= Math.min(behind, 7))) return null;
    to = 0;
  } else if (opp[25 - to] > 1) return null;
  const next = { own: [...own], opp: [...opp] };
  land(next.own, next.opp, from, to);
  return { from, to, position: next };
}

// Where each legal play ends: key of the position -> text of the play.
function ends(position, legal, turn) {
  const texts = new Map();
  for (const move of legal) {
    const own = [...position.own];
    const opp = [...position.opp];
    for (let i = 0; i < move.cells.length; i += 2)
      land(own, opp, placeOf(turn, move.cells[i]), placeOf(turn, move.cells[i + 1]));
    texts.set(keyOf({ own, opp }), move.text);
  }
  return texts;
}

// The tree of all ways to make a legal play. A node has `steps` (from, to, node) and, where a play is
// complete, its `text`.
export function waysToPlay(board, legal, turn) {
  const start = positionOf(board, turn);
  const texts = ends(start, legal, turn);
  const [a, b] = board.dice;
  const known = new Map();
  function grow(position, dice) {
    const key = `${keyOf(position)}|${dice.join()}`;
    if (known.has(key)) return known.get(key);
    const node = { position, dice, text: texts.get(keyOf(position)), steps: [] };
    known.set(key, node);
    for (const die of node.text === undefined ? new Set(dice) : []) {
      const rest = [...dice];
      rest.splice(rest.indexOf(die), 1);
      for (let from = 25; from > 0; from--) {
        const made = step(position, from, die);
        const next = made && grow(made.position, rest);
        if (next && (next.text !== undefined || next.steps.length))
          node.steps.push({ from, to: made.to, die, node: next });
      }
    }
    return node;
  }
  return grow(start, a === b ? [a, a, a, a] : [a, b]);
}

// Where one chequer can go from a place, with one die or several: place -> the steps to get there.
export function targetsOf(node, from) {
  const targets = new Map();
  function follow(at, place, path) {
    for (const step of at.steps) {
      if (step.from !== place) continue;
      const way = [...path, step];
      if (!targets.has(step.to) || targets.get(step.to).length > way.length) targets.set(step.to, way);
      if (step.to > 0) follow(step.node, step.to, way);
    }
  }
  follow(node, from, []);
  return targets;
}
