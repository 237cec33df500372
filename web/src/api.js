// Talks to the server: requests by POST, one stream of events down.

// The token comes with the address, once. It is kept where only this tab finds it, and taken out of the address, so that
// it gets into no bookmark and no picture of the screen.
function takeToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given === null) return sessionStorage.getItem('token') ?? '';
  sessionStorage.setItem('token', given);
  address.searchParams.delete('token');
  history.replaceState(null, '', address.href);
  return given;
}
const token = takeToken();

async function request(path, options = {}) {
  const answer = await fetch(path, {
    ...options,
    headers: { 'X-Manyply-Token': token, 'Content-Type': 'application/json' },
  });
  const body = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(body.error), { status: answer.status });
  return body;
}

export const get = (path) => request(path);
export const post = (path, body) => request(path, { method: 'POST', body: JSON.stringify(body) });

// Calls handlers[event](data) for what the server sends about a session; returns a function that closes.
export function listen(session, handlers, onConnection) {
  const source = new EventSource(`api/events?session=${session}&token=${token}`);
  for (const [name, handler] of Object.entries(handlers))
    source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  source.onopen = () => onConnection(true);
  source.onerror = () => onConnection(false);
  return () => source.close();
}
