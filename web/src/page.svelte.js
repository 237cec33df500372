// All that the page knows, and what can be asked for. The server keeps the game; this is its latest news.
import { get, listen, post } from './api.js';

// News are replaced as a whole, never changed, so nothing below the first level needs to be watched ($state.raw).
class Page {
  catalogue = $state.raw(null);
  game = $state.raw(null); // the state of the session
  search = $state.raw(null); // what the search for a move has found so far
  pulse = $state.raw(null); // nodes and threads, ten times a second
  lanes = $state.raw([]); // for each thread the letters of what it did at the last pulses
  values = $state.raw(null); // what every move is worth
  lab = $state.raw(null);
  connected = $state(false);
  flipped = $state(false);
  message = $state('');
}
export const page = new Page();

export const MOMENTS = 120; // pulses that are kept: twelve seconds of thinking

let close = () => {};

function takePulse(news) {
  const { threads } = news;
  page.pulse = news;
  page.lanes = threads.map((thread, i) => ((page.lanes.length === threads.length && page.lanes[i]) || '').slice(1 - MOMENTS) + thread.doing[0]);
}

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
  page.lanes = [];
  page.search = page.pulse = page.values = page.lab = null;
  // Whoever is in front of the screen sits at the bottom.
  const person = state.players.findIndex((player) => !player.engine);
  page.flipped = person >= 0 && person !== (state.board?.bottom ?? 0);
  location.hash = state.session;
  close = listen(
    state.session,
    {
      state: take,
      search: (news) => (page.search = news),
      pulse: takePulse,
      values: (news) => (page.values = news),
      lab: (news) => (page.lab = news),
    },
    (connected) => (page.connected = connected),
  );
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
    const old = location.hash.slice(1);
    try {
      if (!/^[0-9a-f]+$/.test(old)) throw Object.assign(new Error(), { status: 404 });
      follow(await get(`api/sessions/${old}`));
    } catch (error) {
      if (error.status !== 404) throw error;
      const first = page.catalogue.games[0].name;
      await open(first.includes('/') ? first : 'chess');
    }
  });
}

// A new game; position and moves may be left out. Who plays is kept from the game before.
export async function open(game, position, moves) {
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
