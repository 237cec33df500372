// Tables of measurements: what can be said of them, and how they are saved.

// With fewer rounds no interval holds the median with 95% confidence (statistics_median_interval); the server then gives
// the range of what it has, which is of width 0 after one round.
export const ENOUGH_ROUNDS = 6;
export const isEnough = (table) => table.rounds >= ENOUGH_ROUNDS;

export const nameOf = (row) =>
  row.kind === 'copies' ? `${row.base.split(',')[0]}: copies at once` : row.strategy.replace(/,(threads|depth|hash|eval)=[^,]*/g, '');

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

// A row for each of the table. Intervals are left empty where there are not enough rounds.
export function csvOf(table) {
  const interval = (one) => (one ? [one.median, ...(isEnough(table) ? [one.low, one.high] : ['', ''])] : ['', '', '']);
  const columns = ['strategy', 'kind', 'threads', 'seconds', 'seconds_low', 'seconds_high', 'speed_up', 'speed_up_low', 'speed_up_high', 'nodes_ratio', 'nodes_per_second'];
  const lines = table.rows.map((row) =>
    [quoted(row.strategy), row.kind, row.threads, ...interval(row.seconds), ...interval(row.speed_up), row.nodes_ratio?.median ?? '', row.nodes_per_second].join(','),
  );
  return [`# game: ${table.game}`, `# position: ${table.positions[0]}`, `# rounds: ${table.rounds}`, columns.join(','), ...lines, ''].join('\n');
}
