// Values and numbers as text.

// A value for the side to move, as the program prints it.
export function valueText(value, game, catalogue) {
  const { proven, longest } = catalogue;
  if (value === null || value === undefined) return '';
  if (game.scoring === 'points') return signed((value / game.units_per_point).toFixed(3));
  if (Math.abs(value) < proven) return value === 0 ? '0' : signed(String(value));
  const word = value > 0 ? 'win' : 'loss';
  const size = Math.abs(value) - proven;
  return game.scoring === 'margin' ? `${word} by ${size}` : `${word} in ${longest - size}`;
}

const signed = (text) => (text.startsWith('-') ? text.replace('-', '−') : `+${text}`);

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
