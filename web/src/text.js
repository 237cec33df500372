// Values and numbers as text.

const signed = (text) => (text.startsWith('-') ? text.replace('-', '−') : `+${text}`);
const isDiscs = (game) => game.scoring === 'margin' && game.title === 'othello';
const isPawns = (game) => game.scoring === 'win' && game.title.startsWith('chess');

// A value that is not proven, in what players count: pawns, discs, points, or the units of the game.
function plain(value, game) {
  if (game.scoring === 'points') return signed((value / game.units_per_point).toFixed(3));
  if (isDiscs(game)) return value === 0 ? '0.0' : signed((value / 100).toFixed(1));
  if (isPawns(game)) return value === 0 ? '0.00' : signed((value / 100).toFixed(2));
  return value === 0 ? '0' : signed(String(value));
}

// A proven value: how far it is to the end, or by how much one wins.
const size = (value, { proven, longest }, game) => (game.scoring === 'margin' ? Math.abs(value) - proven : longest - (Math.abs(value) - proven));

// A value for the side to move, as the search has it.
export function valueText(value, game, catalogue) {
  if (value === null || value === undefined) return '';
  if (game.scoring === 'points' || Math.abs(value) < catalogue.proven) return plain(value, game);
  return `${value > 0 ? 'win' : 'loss'} ${game.scoring === 'margin' ? 'by' : 'in'} ${size(value, catalogue, game)}`;
}

// A value for player 0, as everything about a game is told on the page; who wins is named.
export function worth(value, game, catalogue) {
  if (value === null || value === undefined) return '';
  if (game.scoring === 'points' || Math.abs(value) < catalogue.proven) return plain(value, game);
  const by = size(value, catalogue, game);
  const unit = game.scoring === 'margin' ? '' : by === 1 ? ' ply' : ' plies';
  return `${game.players[value > 0 ? 0 : 1]} wins ${game.scoring === 'margin' ? 'by' : 'in'} ${by}${unit}`;
}

// The same where there is little room.
export function shortWorth(value, game, catalogue) {
  if (game.scoring === 'points' || Math.abs(value) < catalogue.proven) return plain(value, game);
  return `${value > 0 ? '+' : '−'}${game.scoring === 'margin' ? '' : '#'}${size(value, catalogue, game)}`;
}

// What a move loses against the best one, where players count it: discs. Both values are for who moves.
export function lost(best, value, game, catalogue) {
  if (!isDiscs(game)) return null;
  const discs = (v) => (Math.abs(v) > catalogue.proven ? Math.sign(v) * (Math.abs(v) - catalogue.proven) : v / 100);
  return Math.max(0, discs(best) - discs(value));
}

// How well player 0 stands, 0 to 1: for bars, graphs and heat. What counts as much differs from game to game.
export function share(value, game, catalogue) {
  const scale = { points: game.units_per_point, margin: 150, win: 400 }[game.scoring];
  if (Math.abs(value) > catalogue.proven) return value > 0 ? 1 : 0;
  return 0.5 + 0.5 * Math.tanh(value / scale);
}

export function large(number) {
  const units = ['', ' k', ' M', ' G', ' T'];
  let unit = 0;
  for (; number >= 1000 && unit < 4; unit++) number /= 1000;
  return (unit ? number.toFixed(1) : Math.round(number)) + units[unit];
}

export const title = (name) => name.charAt(0).toUpperCase() + name.slice(1);

export function resultText(game) {
  if (!game.over) return '';
  if (game.margin === 0) return 'A draw';
  const winner = game.game.players[game.margin > 0 ? 0 : 1];
  const by = Math.abs(game.margin);
  const unit = game.game.scoring === 'points' ? (by === 1 ? ' point' : ' points') : '';
  return game.game.scoring === 'win' ? `${winner} wins` : `${winner} wins by ${by}${unit}`;
}
