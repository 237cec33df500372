// All that the page knows, and what can be asked for. The server keeps the game; this is its latest news.
import { get, listen, post } from './api.js';
import { forget, takePieces, takeRecorded, takeTree } from './watch.svelte.js';

// News are replaced as a whole, never changed, so nothing below the first level needs to be watched ($state.raw).
class Page {
  catalogue = $state.raw(null);
  game = $state.raw(null); // the state of the session
  search = $state.raw(null); // what the search for a move has found so far
  pulse = $state.raw(null); // nodes and threads, ten times a second
  values = $state.raw(null); // what every move is worth
  lab = $state.raw(null);
  connected = $state(false);
  flipped = $state(false);
  message = $state('');
  tab = $state('game');
  welcome = $state(false); // the worked example is shown
  big = $state(false); // for a class-room: large type, and searches that go step by step
}
export const page = new Page();

let close = () => {};

export function say(text) {
  page.message = text;
}

// The answer to a request and the news of the same change come in any order.
function take(state) {
  if (state.session === page.game.session && state.revision >= page.game.revision) page.game = state;
}

function follow(state) {
  close();
  page.game = state;
  forget(state.session);
  page.search = page.pulse = page.values = page.lab = null;
  // Whoever is in front of the screen sits at the bottom.
  const person = state.players.findIndex((player) => !player.engine);
  page.flipped = person >= 0 && person !== (state.board?.bottom ?? 0);
  setAddress();
  close = listen(
    state.session,
    {
      state: take,
      search: (news) => (page.search = news),
      pulse: (news) => (page.pulse = news),
      pieces: takePieces,
      tree: takeTree,
      recorded: takeRecorded,
      values: (news) => (page.values = news),
      lab: (news) => (page.lab = news),
    },
    (connected) => (page.connected = connected),
  );
}

// The address has the session and what is shown of it; the token is never in it.
export const TABS = ['game', 'watch', 'lab'];
function setAddress() {
  const hash = `#${page.game.session}${page.tab === 'game' ? '' : `/${page.tab}`}`;
  if (location.hash !== hash) history.replaceState(null, '', hash);
}
export function show(tab) {
  page.tab = tab;
  setAddress();
}

async function attempt(action) {
  try {
    const result = await action();
    say('');
    return result;
  } catch (error) {
    say(error.message);
    return null;
  }
}

export async function begin() {
  await attempt(async () => {
    page.catalogue = await get('api/catalogue');
    const [old, tab] = location.hash.slice(1).split('/');
    if (TABS.includes(tab)) page.tab = tab;
    try {
      if (!/^[0-9a-f]+$/.test(old)) throw Object.assign(new Error(), { status: 404 });
      follow(await get(`api/sessions/${old}`));
    } catch (error) {
      if (error.status !== 404) throw error;
      const first = page.catalogue.games[0].name;
      if (first.includes('/')) await open(first); // a game of one's own is what one came for
      else if (tab || localStorage.visited) await open('chess');
      else await openExample();
    }
  });
}

// What somebody sees who has never been here: a search in the middle of a game.
async function openExample() {
  localStorage.visited = 'yes';
  page.tab = 'watch';
  page.welcome = true;
  await open('othello', undefined, 'f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6');
}

// A new game; position and moves may be left out. Who plays is kept from the game before.
export async function open(game, position, moves) {
  if (page.game) page.welcome = false;
  return attempt(async () => follow(await post('api/sessions', { game, position, moves })));
}

// {do: 'play', move: 'f5'} and so on; true if it was done.
export async function ask(what) {
  const state = await attempt(() => post(`api/sessions/${page.game.session}`, what));
  if (state) take(state);
  return state !== null;
}

// Is the search that we know of about the position that is shown?
export const isCurrent = (news) => news && page.game && news.revision === page.game.revision;

// May the one in front of the screen move now?
export function isHumansTurn(game) {
  return !game.over && !(game.players[game.turn].engine && game.at === game.moves.length);
}
