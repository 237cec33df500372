// The work of a search as lanes and as a tree. The server sends pieces as rows (docs/http-api.md); here they become objects
// that know what they are inside of, in time (level) and in the tree (whole, parts).

export const ITERATION = 0;
export const SPLIT = 1;
export const TASK = 2;
export const HELP = 3;
export const STOLEN = 4;
export const WAIT = 5;
export const MOVE = 6;
export const GROWN = 7; // a node of the tree of a Monte-Carlo search: visits for nodes

const MOST = 16000; // pieces that are kept; of more the shortest go

const isMove = (piece) => piece.kind === TASK || piece.kind === STOLEN || piece.kind === MOVE;
const isDrawnMove = (piece) => isMove(piece) && piece.move !== null; // not the whole search of one thread

function pieceOf([id, parent, thread, kind, start, length, ply, depth, nodes, move, alpha, beta, value, dropped]) {
  return { id, parent, thread, kind, start, length, end: start + length, ply, depth, nodes, move, alpha, beta, value, dropped, level: 0, whole: null, parts: [], total: 0 };
}

// A tree is of one iteration. While that runs, wholes are not known before their parts: what is inside of something
// unknown is put together under a node of its own.
function makeTree(pieces, byId) {
  const roots = new Map(); // by id, or 0 for the iteration that is under way
  const unknown = new Map();
  const root = (piece) => {
    const id = piece?.id ?? 0;
    if (!roots.has(id)) roots.set(id, piece ?? { id: 0, kind: ITERATION, ply: 0, depth: 0, nodes: 0, start: 0, length: 0, end: Infinity, thread: 0, parts: [], total: 0, open: true });
    return roots.get(id);
  };
  const above = (piece) => {
    let whole = byId.get(piece.parent);
    while (whole && !isDrawnMove(whole) && whole.kind !== ITERATION) {
      if (whole.parent && !byId.has(whole.parent)) return gap(whole.parent, whole);
      whole = byId.get(whole.parent);
    }
    return whole ?? (piece.parent ? gap(piece.parent, piece) : root());
  };
  function gap(id, piece) {
    if (!unknown.has(id)) {
      const open = { id: -id, kind: MOVE, ply: piece.ply - 1, depth: piece.depth + 1, nodes: 0, start: piece.start, length: 0, end: Infinity, thread: piece.thread, move: null, parts: [], total: 0, open: true, whole: root() };
      unknown.set(id, open);
      open.whole.parts.push(open);
    }
    return unknown.get(id);
  }
  for (const piece of pieces) {
    piece.parts = [];
    piece.total = piece.nodes;
    if (piece.kind === ITERATION) roots.set(piece.id, piece);
  }
  const tasks = pieces.filter(isDrawnMove);
  for (const piece of tasks) {
    piece.whole = above(piece);
    piece.whole.parts.push(piece);
  }
  // What is no move is at the node of its whole.
  for (const piece of pieces) if (piece.kind !== ITERATION && !isDrawnMove(piece) && byId.has(piece.parent)) piece.whole = above(piece);
  // A thread counts only its own nodes: what others did inside is added, up to where the same thread counts it again.
  for (const piece of pieces)
    if (piece.kind === STOLEN && piece.whole) for (let up = piece.whole; up && up.thread !== piece.thread; up = up.whole) up.total += piece.nodes;
  const grow = (node) => {
    let sum = 0;
    for (const part of node.parts) sum += grow(part);
    node.parts.sort((a, b) => a.start - b.start);
    return (node.total = Math.max(node.total, sum, 1));
  };
  const list = [...roots.values()].filter((one) => one.parts.length);
  list.forEach(grow);
  return list.sort((a, b) => (a.open ? 1 : b.open ? -1 : a.start - b.start));
}

// A thread that samples has no place in the tree.
export const isDrawn = (piece) => piece.kind === WAIT || isDrawnMove(piece) || (isMove(piece) && piece.ply < 0);

// How deep each piece lies in its lane, counting only what is drawn there.
function setLevels(lane) {
  const open = [];
  for (const piece of lane) {
    while (open.length && open.at(-1).end <= piece.start) open.pop();
    piece.level = open.length;
    if (isDrawn(piece)) open.push(piece);
  }
}

export function makeWork(rows, before = null, asked = 1) {
  let pieces = [...(before?.pieces ?? []), ...rows.map(pieceOf)];
  if (pieces.length > MOST) {
    const lengths = pieces.map((piece) => piece.length).sort((a, b) => b - a);
    pieces = pieces.filter((piece) => piece.length > lengths[Math.floor(MOST / 2)]);
  }
  pieces.sort((a, b) => a.start - b.start || b.length - a.length || a.kind - b.kind || a.id - b.id);
  const byId = new Map(pieces.map((piece) => [piece.id, piece]));
  const threads = Math.max(before?.threads ?? asked, ...pieces.map((piece) => piece.thread + 1));
  const lanes = Array.from({ length: threads }, () => []);
  for (const piece of pieces) lanes[piece.thread].push(piece);
  lanes.forEach(setLevels);
  return {
    pieces,
    byId,
    threads,
    lanes,
    levels: lanes.map((lane) => Math.max(1, ...lane.map((piece) => (isDrawn(piece) ? piece.level + 1 : 1)))),
    iterations: makeTree(pieces, byId),
    end: Math.max(0, ...pieces.map((piece) => piece.end)),
  };
}

// The tree that a Monte-Carlo search has grown.
export function makeGrown({ visits, nodes }) {
  const root = { id: 0, kind: ITERATION, ply: 0, depth: 0, nodes: visits, start: 0, length: 0, end: 0, thread: 0, move: null, parts: [], total: visits, grown: true };
  const byId = new Map([[0, root]]);
  for (const piece of nodes.map(pieceOf)) {
    piece.whole = byId.get(piece.parent) ?? root;
    piece.whole.parts.push(piece);
    piece.total = piece.nodes;
    byId.set(piece.id, piece);
  }
  const grow = (node) => (node.total = Math.max(node.total, node.parts.reduce((sum, part) => sum + grow(part), 0), 1));
  grow(root);
  return root;
}

// What stands between so many threads and so many times the speed, in threads. Waiting is what the lanes show; without a
// search on one thread (alone) it is not known what the rest is worth, only what was given up of it.
export function losses(about, work, alone = null) {
  const { seconds, threads, nodes } = about;
  const busy = about.busy.reduce((sum, one) => sum + one, 0) / seconds;
  const lost = Math.max(0, threads - busy);
  const waits = work.pieces.reduce((sum, piece) => sum + (piece.kind === WAIT ? piece.length : piece.kind === HELP && byWait(work, piece) ? -piece.length : 0), 0);
  const waiting = Math.min(lost, Math.max(0, waits) / 1e6 / seconds);
  const steps = [
    { name: 'idle', size: lost - waiting, about: 'threads that had nothing to do' },
    { name: 'waiting', size: waiting, about: 'owners of a node that waited for its helpers' },
  ];
  if (!alone) {
    const wasted = nodes ? (busy * about.wasted) / nodes : 0;
    steps.push({ name: 'given up', size: wasted, about: 'work whose answer no longer mattered' });
    return { ideal: threads, steps, rest: busy - wasted, name: 'useful' };
  }
  const speedup = alone.seconds / seconds;
  const extra = busy * (1 - alone.nodes / nodes);
  steps.push({ name: 'extra nodes', size: extra, about: `${Math.round(100 * (nodes / alone.nodes - 1))} % more nodes than one thread visits` });
  steps.push({ name: 'slower nodes', size: busy - extra - speedup, about: 'nodes a second of each thread, against one alone: shared memory, overhead' });
  return { ideal: threads, steps, rest: speedup, name: 'speed-up' };
}

// Help that is given while one waits for one's own helpers.
const byWait = (work, help) => work.lanes[help.thread].some((piece) => piece.kind === WAIT && piece.start <= help.start && help.end <= piece.end);
