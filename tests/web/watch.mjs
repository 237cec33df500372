// watch.mjs PROGRAM PLUGIN FOLDER - the page's Watch in headless Chromium: pieces that are clicked show their position, lanes
// and tree agree, a moment can be chosen and played, the losses add up, at every size. Screenshots are left in FOLDER.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import assert from 'node:assert/strict';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [program, plugin, folder, clicks = '50'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const server = spawn(program, ['serve', plugin, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => server.kill('SIGKILL'));
const url = String(await new Promise((resolve) => server.stdout.once('data', resolve))).split('\n')[0];
const token = new URL(url).searchParams.get('token');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const faults = [];

async function openPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.stack));
  await page.goto(url);
  await page.waitForSelector('[role=grid], pre');
  return page;
}

// A number from 0 to 1, the same ones in every run.
let seed = 20;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;

async function watchGame(page, game) {
  await page.selectOption('select[aria-label=Game]', game);
  await page.waitForFunction((name) => document.querySelector('select[aria-label=Game]').value === name, game);
  await page.click('button[role=tab]:text-is("Watch")');
}

async function search(page, { limit = 'time=300ms', scheme, threads = '3' } = {}) {
  await page.selectOption('select[aria-label=Limit]', limit);
  await page.selectOption('select[aria-label=Threads]', threads);
  if (scheme) await page.selectOption('select[aria-label=Scheme]', scheme);
  await page.click('button.main:text-is("Search")');
  await page.waitForSelector('.losses .step.rest');
}

// The last search as the server has it: pieces with their positions, by number.
async function recordOf(page) {
  const session = new URL(page.url()).hash.slice(1).split('/')[0];
  const answer = await fetch(`${new URL(url).origin}/api/sessions/${session}/search?positions=1`, { headers: { 'X-Manyply-Token': token } });
  const record = await answer.json();
  return { ...record, rows: new Map(record.pieces.map((row) => [row[0], row])) };
}

const shown = (page) => page.locator('.watch .board').evaluate((board) => ({ position: board.dataset.position, chosen: Number(board.dataset.chosen) }));

// Which piece is chosen, and what the page shows of it once its position is known: the text, the board itself cell by cell as
// the position of the game has it, and the tree that it is in.
function chosenPiece(page, game) {
  return page.evaluate(async (name) => {
    const board = document.querySelector('.watch .board');
    const { chosen } = board.dataset;
    if (!chosen) return null;
    for (let i = 0; i < 300 && board.dataset.shown !== chosen; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    const letters = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };
    const cells = [...board.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label').split(', ')[1]);
    const list = cells.map((text) => {
      const [player, piece] = text.split(' ');
      return text === 'empty' ? '1' : player === 'White' ? letters[piece]?.toUpperCase() : letters[piece];
    });
    const drawn =
      name === 'othello'
        ? cells.map((text) => ({ empty: '-', 'Black disc': 'X', 'White disc': 'O' })[text]).join('')
        : Array.from({ length: 8 }, (_, i) => list.slice(8 * i, 8 * i + 8).join('').replace(/1+/g, (ones) => ones.length)).join('/');
    return { id: Number(chosen), position: board.dataset.position, drawn, root: Number(document.querySelector('.tree canvas').dataset.root) };
  }, game);
}

// Points at random places of a drawing, as near or far as it happens to be, until enough pieces have been chosen.
async function clickAround(page, game, selector, record, wanted) {
  const box = await page.locator(`${selector} canvas`).boundingBox();
  const seen = new Set();
  for (let tries = 0; seen.size < wanted && tries < 20 * wanted; tries++) {
    const [x, y] = [box.x + 62 + random() * (box.width - 66), box.y + 24 + random() * (box.height - 30)];
    if (tries % 7 === 0) {
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, tries % 14 ? 5000 : -900);
    }
    await page.mouse.click(x, y);
    const piece = await chosenPiece(page, game);
    if (!piece || seen.has(piece.id)) continue;
    const row = record.rows.get(piece.id);
    assert.ok(row, `piece ${piece.id} is not in the record`);
    assert.equal(piece.position, row.at(-1), `the position of piece ${piece.id}`);
    assert.equal(piece.drawn, row.at(-1).split(' ')[0], `the board of piece ${piece.id}`);
    let top = row;
    while (record.rows.get(top[1])) top = record.rows.get(top[1]);
    assert.equal(piece.root, top[0], `the tree of piece ${piece.id}`);
    seen.add(piece.id);
  }
  assert.equal(seen.size, wanted, `pieces found by clicks in ${selector} of ${game}`);
}

async function testClicks() {
  const page = await openPage({ reducedMotion: 'reduce', viewport: { width: 960, height: 600 } });
  for (const [game, scheme] of [['othello', 'ybwc'], ['chess', 'abdada']]) {
    await watchGame(page, game);
    await search(page, { scheme });
    const record = await recordOf(page);
    assert.equal(record.threads, 3);
    const half = Math.ceil(Number(clicks) / 4);
    await clickAround(page, game, '.lanes', record, half);
    await clickAround(page, game, '.tree', record, half);
    await page.screenshot({ path: join(folder, `watch-${game}.png`) });
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.watch .board').dataset.chosen === '');
    assert.equal((await shown(page)).position, record.position);
  }
  await page.context().close();
}

async function testMoments() {
  const page = await openPage({ colorScheme: 'dark' });
  await watchGame(page, 'othello');
  await search(page);
  const moment = () => page.locator('.moment').innerText();
  const end = await moment();
  // A moment that is chosen stays; played on, it moves, and stops where it is told to.
  await page.locator('input[aria-label=Moment]').fill('500');
  const middle = await moment();
  assert.notEqual(middle, end);
  await page.click('[aria-label="Play in slow motion"]');
  await page.waitForFunction((text) => document.querySelector('.moment').innerText !== text, middle);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(folder, 'watch-slow-dark.png') });
  await page.click('[aria-label="Pause"]');
  const stopped = await moment();
  await page.waitForTimeout(80);
  assert.equal(await moment(), stopped);
  // Without a mouse: from piece to piece, to the whole and its first part.
  await page.locator('.lanes canvas').focus();
  const chosen = async (key) => {
    const before = (await shown(page)).chosen;
    await page.keyboard.press(key);
    await page.waitForFunction((old) => document.querySelector('.watch .board').dataset.chosen !== String(old || ''), before);
    return (await shown(page)).chosen;
  };
  const record = await recordOf(page);
  const first = await chosen('ArrowRight');
  const next = await chosen('ArrowRight');
  assert.ok(record.rows.get(next)[4] >= record.rows.get(first)[4]);
  assert.equal(await chosen('ArrowLeft'), first);
  await page.context().close();
}

// Ideal minus losses is what is left; with the search on one thread, that is the measured speed-up.
async function testLosses() {
  const page = await openPage();
  await watchGame(page, 'othello');
  await search(page, { limit: 'depth=12', threads: '2' });
  const sizes = async () => (await page.locator('.losses .size').allInnerTexts()).map((text) => Number(text.replace('−', '-').replace('+', '')));
  const check = (list) => {
    const [ideal, ...rest] = list;
    const real = rest.pop();
    const signs = rest.reduce((sum, size) => sum + size, ideal);
    assert.ok(Math.abs(signs - real) < 0.04, `${list}: ${signs} is not ${real}`);
    return real;
  };
  const before = await sizes();
  assert.equal(before[0], 2);
  check(before);
  const many = await recordOf(page);
  await page.click('text=Compare with one thread');
  await page.waitForSelector('.step.rest:has-text("speed-up")');
  const one = await recordOf(page);
  assert.equal(one.threads, 1);
  assert.equal(one.depth, many.depth);
  assert.ok(Math.abs(check(await sizes()) - one.seconds / many.seconds) < 0.006, 'the speed-up is that of the two searches');
  await page.screenshot({ path: join(folder, 'watch-losses.png') });
  await page.context().close();
}

async function testEveryGameAndSize() {
  for (const [name, options, games] of [
    ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, ['chess']],
    ['small-dark', { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' }, ['halma', plugin]],
    ['large', { viewport: { width: 1920, height: 1080 } }, ['backgammon']],
  ]) {
    const page = await openPage(options);
    for (const game of games) {
      await watchGame(page, game);
      if (game === 'backgammon') {
        const session = new URL(page.url()).hash.slice(1).split('/')[0];
        await fetch(`${new URL(url).origin}/api/sessions/${session}`, { method: 'POST', headers: { 'X-Manyply-Token': token }, body: '{"do":"play","move":"31"}' });
        await page.waitForSelector('button.main:text-is("Search"):not(:disabled)');
      }
      await search(page, { threads: '2' });
      assert.ok(Number(await page.locator('.lanes canvas').getAttribute('data-pieces')) > 3, game);
      const { wide, high } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth - innerWidth, high: document.documentElement.scrollHeight - innerHeight }));
      assert.ok(wide <= 0, `${game} ${name}: ${wide} wider than the screen`);
      assert.ok(name === 'phone' || high <= 0, `${game} ${name}: ${high} higher than the screen`);
      await page.screenshot({ path: join(folder, `watch-${game.split('/').pop()}-${name}.png`), fullPage: true });
      // Reloaded, it is still there, and the address has no token.
      assert.match(page.url(), /\/#[0-9a-f]+\/watch$/);
      await page.reload();
      await page.waitForSelector('.losses .step.rest');
    }
    await page.context().close();
  }
}

// Two schemes on the same position, one above the other; a click in the one before makes it the one that is looked at.
async function testSideBySide() {
  const page = await openPage();
  await watchGame(page, 'othello');
  await page.selectOption('[aria-label="Side by side with"]', 'abdada');
  await page.selectOption('select[aria-label=Limit]', 'depth=10');
  await page.selectOption('select[aria-label=Scheme]', 'ybwc');
  await page.selectOption('select[aria-label=Threads]', '2');
  await page.click('button.main:text-is("Search")');
  await page.waitForSelector('.main .lanes + p:has-text("abdada")');
  await page.waitForSelector('.tools .doing:has-text("ybwc")');
  assert.equal(await page.locator('.lanes canvas').count(), 2);
  const box = await page.locator('.lanes canvas').nth(1).boundingBox();
  const clickInLanes = async (lanes) => page.mouse.click(lanes.x + 62 + random() * (lanes.width - 66), lanes.y + 30);
  for (let tries = 0; tries < 40 && !(await shown(page)).chosen; tries++) await clickInLanes(box);
  await page.waitForSelector('.tools .doing:has-text("abdada")');
  await page.waitForSelector('.main .lanes + p:has-text("ybwc")');
  // Waiting and helping have no window.
  const main = await page.locator('.lanes canvas').first().boundingBox();
  for (let tries = 0; tries < 40 && !(await page.locator('.facts dt:text-is("window")').count()); tries++) await clickInLanes(main);
  await page.waitForSelector('.facts dt:text-is("window")');
  await page.screenshot({ path: join(folder, 'watch-side-by-side.png') });
  // For a class-room: large type, and threads that take turns.
  const small = await page.locator('.facts').evaluate((facts) => parseFloat(getComputedStyle(facts).fontSize));
  await page.selectOption('[aria-label="Side by side with"]', 'none');
  await page.click('[aria-label="Class-room"]');
  assert.ok((await page.locator('.facts').evaluate((facts) => parseFloat(getComputedStyle(facts).fontSize))) > 1.2 * small);
  const before = (await recordOf(page)).number;
  await page.click('button.main:text-is("Search")');
  let record;
  do record = await recordOf(page);
  while (record.number === before);
  assert.match(record.strategy, /deterministic=on/);
  await page.context().close();
}

// Whoever comes for the first time sees a search that runs by itself, then its replay; the second time it is the game.
async function testFirstVisit() {
  const own = spawn(program, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = String(await new Promise((resolve) => own.stdout.once('data', resolve))).split('\n')[0];
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.stack));
  await page.goto(address);
  await page.waitForSelector('[role=note]:has-text("threads search one tree")');
  await page.waitForSelector('[aria-label=Pause]'); // the replay runs
  await page.screenshot({ path: join(folder, 'first-visit.png') });
  assert.ok(!page.url().includes('token'));
  await page.click('text=Play a game');
  await page.waitForSelector('.status');
  await page.goto(address);
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForSelector('.status:has-text("White to move")');
  await context.close();
  own.kill('SIGTERM');
}

// A Monte-Carlo search: its tree grows, and a node that is clicked shows its position.
async function testGrowing() {
  const page = await openPage();
  await watchGame(page, 'othello');
  await page.selectOption('select[aria-label=Algorithm]', 'mcts');
  await search(page, { threads: '2' });
  await page.waitForSelector('.legend:has-text("visits")');
  const box = await page.locator('.tree canvas').boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 38);
  const piece = await chosenPiece(page, 'othello');
  assert.ok(piece?.id > 0, 'a node is chosen');
  assert.equal(piece.drawn, piece.position.split(' ')[0]);
  await page.waitForSelector('.facts dt:text-is("visits")');
  await page.screenshot({ path: join(folder, 'watch-mcts.png') });
  await page.context().close();
}

const tests = { testClicks, testMoments, testLosses, testSideBySide, testGrowing, testFirstVisit, testEveryGameAndSize };
try {
  const only = process.argv[6];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const start = performance.now();
    await test();
    assert.deepEqual(faults, [], `errors on the console in ${name}`);
    console.log(`${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
const code = await new Promise((resolve) => (server.exitCode !== null ? resolve(server.exitCode) : server.once('exit', resolve)));
assert.equal(code, 0, 'the server ends cleanly');
console.log('all well');
