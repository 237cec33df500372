// What is watched: the pieces of the search that runs or ran last, the moment that is shown, and the piece that was chosen.
import { get } from './api.js';
import { GROWN, makeGrown, makeWork } from './work.js';

class Watch {
  number = $state(0); // of the search
  about = $state.raw(null); // what it came to; null while it runs
  work = $state.raw(null);
  grown = $state.raw(null); // the tree of a Monte-Carlo search
  live = $state(false);
  now = $state(0); // the moment, in microseconds; while live the latest
  playing = $state(false);
  speed = $state(0.01);
  from = $state(0); // what the lanes show
  to = $state(1);
  chosen = $state.raw(null); // a piece
  hovered = $state.raw(null);
  look = $state.raw(null); // the board of the chosen piece
  root = $state(-1); // which iteration the tree shows; -1: the last one
  alone = $state.raw(null); // the same search on one thread
  problem = $state('');
  against = $state('none'); // the scheme to compare with, side by side
  other = $state.raw(null); // the search before, of the same position: {number, about, work}
}
export const watch = new Watch();

let session = '';
const LIVE_WINDOW = 1.5e6;

export function forget(id) {
  session = id;
  Object.assign(watch, { number: 0, about: null, work: null, grown: null, live: false, now: 0, playing: false, from: 0, to: 1, chosen: null, hovered: null, look: null, root: -1, alone: null, problem: '', other: null });
}

export const isHeld = () => watch.playing || (!watch.live && watch.work && watch.now < watch.work.end);

export function takePieces(news) {
  if (news.number !== watch.number) {
    if (isHeld() || expected) return;
    keepOther();
    Object.assign(watch, { number: news.number, about: null, work: null, grown: null, live: true, chosen: null, look: null, root: -1, alone: null, problem: '' });
  }
  if (!watch.live) return;
  watch.work = makeWork(news.pieces, watch.work);
  watch.now = watch.work.end;
  watch.to = Math.max(LIVE_WINDOW, watch.now);
  watch.from = Math.max(0, watch.to - LIVE_WINDOW);
}

// A Monte-Carlo search has grown its tree; it may be the first that is heard of that search.
export function takeTree(news) {
  if (news.number !== watch.number) takePieces({ number: news.number, pieces: [] });
  if (news.number === watch.number) watch.grown = makeGrown(news);
}

// What was searched before stays beside what is searched now.
function keepOther() {
  if (watch.about) watch.other = { number: watch.number, about: watch.about, work: watch.work };
}

// The other one is what is looked at from now on.
export function swap() {
  const { number, about, work } = watch.other;
  keepOther();
  Object.assign(watch, { number, about, work, live: false, playing: false, now: work.end, root: -1, alone: null, chosen: null, look: null });
}

// A search is done; its pieces as they were kept replace those that came on the way.
export async function takeRecorded(about) {
  if (expected) {
    const resolve = expected;
    expected = null;
    return resolve(about);
  }
  if (isHeld() && about.number !== watch.number) return;
  const of = session;
  const whole = await get(`api/sessions/${of}/search`).catch(() => null);
  if (!whole || session !== of || whole.number !== about.number) return;
  const work = makeWork(whole.pieces, null, whole.threads);
  if (watch.number !== whole.number) keepOther();
  if (watch.other && watch.other.about.position !== whole.position) watch.other = null;
  const chosen = watch.number === whole.number && watch.chosen ? work.byId.get(watch.chosen.id) : null;
  Object.assign(watch, { number: whole.number, about: whole, work, grown: watch.number === whole.number ? watch.grown : null, live: false, playing: false, now: work.end, from: 0, to: work.end || 1, root: -1, alone: null, chosen: chosen ?? null });
  if (!chosen) watch.look = null;
  watch.to = longest();
  done.splice(0).forEach((tell) => tell());
}

// When the search that runs can be looked at.
const done = [];
export const whenDone = () => new Promise((resolve) => done.push(resolve));

// The next search is not one to look at, but one to compare with.
let expected = null;
export const nextRecorded = () => new Promise((resolve) => (expected = resolve));

export async function choose(piece, show = false) {
  watch.chosen = piece;
  watch.problem = '';
  if (!piece) return (watch.look = null);
  if (show && piece.kind !== GROWN) reveal(piece);
  try {
    const look = await get(`api/sessions/${session}/piece?search=${watch.number}&id=${piece.id}${piece.kind === GROWN ? '&tree=1' : ''}`);
    if (watch.chosen === piece) watch.look = look;
  } catch (error) {
    if (watch.chosen === piece) Object.assign(watch, { look: null, problem: error.message });
  }
}

// Brings a piece into sight in the lanes, large enough to be seen.
export function reveal(piece) {
  const width = watch.to - watch.from;
  if (piece.start >= watch.from && piece.end <= watch.to && piece.length > width / 100) return;
  view(piece.start - 3 * piece.length, piece.end + 3 * piece.length);
}

// Of what is drawn.
export const longest = () => Math.max(1, watch.work?.end ?? 1, watch.against === 'none' ? 1 : (watch.other?.work.end ?? 1));

export function view(from, to) {
  const end = longest();
  const width = Math.min(end, Math.max(20, to - from));
  watch.from = Math.min(Math.max(0, from), end - width);
  watch.to = watch.from + width;
}

// The moment moves; in slow motion the lanes follow it.
export function moveTo(moment) {
  const { work } = watch;
  if (!work) return;
  watch.live = false;
  watch.now = Math.max(0, Math.min(work.end, moment));
  const width = watch.to - watch.from;
  if (watch.now > watch.to - 0.1 * width || watch.now < watch.from) view(watch.now - 0.5 * width, watch.now + 0.5 * width);
}

export function play(on) {
  const { work } = watch;
  if (!work) return;
  watch.live = false;
  watch.playing = on;
  if (!on) return;
  if (watch.now >= work.end) watch.now = 0;
  // Three seconds of slow motion fit into the lanes.
  const width = Math.min(work.end, 6e6 * watch.speed);
  if (watch.to - watch.from > 2 * width || watch.now < watch.from || watch.now > watch.to) view(watch.now - 0.1 * width, watch.now + 0.9 * width);
  let last = performance.now();
  const step = (time) => {
    if (!watch.playing || !watch.work) return;
    moveTo(watch.now + (time - last) * 1000 * watch.speed);
    last = time;
    if (watch.now >= watch.work.end) watch.playing = false;
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
