// browser.mjs PROGRAM PLUGIN FOLDER - the page in headless Chromium: every game is played by clicks to its end,
// and everything on the page is tried once. Screenshots are left in FOLDER. Any error on the console fails.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import assert from 'node:assert/strict';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [program, plugin, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const FAST = { backgammon: 'expectiminimax,depth=1', other: 'pvs,depth=3', halma: 'alphabeta,depth=1' };
const faults = [];
process.on('exit', () => server?.kill('SIGKILL'));
let browser;
let server;
let url;

async function startServer() {
  // An arena to look at in the lab.
  const arena = join(folder, 'small.db');
  spawnSync('rm', ['-f', arena]);
  const played = spawnSync(program, ['arena', 'othello', '--player', 'pvs,depth=1', '--player', 'random', '--games', '4', '--db', arena]);
  assert.equal(played.status, 0, String(played.stderr));
  server = spawn(program, ['serve', plugin, '--port', '0', '--arenas', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await new Promise((resolve) => server.stdout.once('data', resolve));
  url = String(first).split('\n')[0];
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
}

async function openPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  page.on('console', (message) => {
    // A refused request is logged by the browser itself; the page shows the sentence.
    if (message.type() === 'error' && !/status of 400/.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(url);
  await page.waitForSelector('[role=grid]');
  return page;
}

const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
const cell = (page, number) => page.locator(`[data-cell="${number}"]`);
const status = (page) => page.locator('.status').innerText();

async function choose(page, game, strategies = {}) {
  const old = new URL(page.url()).hash;
  await page.selectOption('select[aria-label=Game]', game);
  await page.waitForFunction((hash) => location.hash !== hash, old);
  await page.waitForSelector('[role=grid]');
  for (const [player, strategy] of Object.entries(strategies)) await setStrategy(page, player, strategy);
}

async function setStrategy(page, player, strategy) {
  await page.click(`[aria-label="Strategy of ${player}"]`);
  const text = page.locator('.wide input');
  await text.fill(strategy);
  await text.press('Enter');
  await page.click(`[aria-label="Strategy of ${player}"]`);
}

// Plays the side of the person by clicks at random cells that the page offers, until the game is over. Runs in
// the page, because a game of Halma has hundreds of moves; the events are those that a mouse makes.
function robot(seed) {
  const random = (count) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * count);
  };
  const click = (element) => {
    const box = element.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, pointerId: 1, button: 0 };
    const svg = element.closest('svg');
    if (svg) svg.setPointerCapture = () => {};
    for (const type of ['pointerdown', 'pointerup']) element.dispatchEvent(new PointerEvent(type, at));
    element.dispatchEvent(new MouseEvent('click', at));
  };
  const any = (selector) => {
    const all = document.querySelectorAll(selector);
    return all.length ? all[random(all.length)] : null;
  };
  let clicks = 0;
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + 120000;
    const go = () => {
      const text = document.querySelector('.status').textContent;
      if (document.querySelector('.status.done')) return resolve({ text, clicks });
      if (performance.now() > deadline) return reject(new Error(`not over: ${text}, ${clicks} clicks`));
      const next = any('[role=dialog] button') ?? any('.over button.main, button.main.over') ?? any('.goal') ?? any('.source');
      if (next) {
        click(next);
        clicks++;
      }
      setTimeout(go, next ? 0 : 2);
    };
    go();
  });
}

async function testEveryGame() {
  const page = await openPage({ viewport: { width: 720, height: 600 } }); // small, because drawing takes the time
  const names = await page.locator('select[aria-label=Game] option').evaluateAll((all) => all.map((one) => one.value));
  assert.ok(names.length >= 8, String(names));
  for (const game of names) {
    const short = game.split('/').pop().replace('.so', '');
    const start = performance.now();
    await choose(page, game === names[0] ? names[1] : names[0]);
    await choose(page, game);
    const engine = await page.locator('select[aria-label^="Who plays"]').evaluateAll((all) => all.find((one) => one.value === 'engine').getAttribute('aria-label').slice(10));
    await setStrategy(page, engine, FAST[short.replace(/\d+$/, '')] ?? FAST.other);
    const { text, clicks } = await page.evaluate(robot, 7);
    assert.match(text, /wins|draw/, `${game}: ${text}`);
    assert.ok(clicks >= 4);
    console.log(`  ${short}: ${text} after ${clicks} clicks, ${((performance.now() - start) / 1000).toFixed(1)} s`);
    await shot(page, `${short}-end`);
  }
  await page.context().close();
}

async function testCube() {
  const page = await openPage({ viewport: { width: 720, height: 600 } });
  await choose(page, 'backgammon');
  const old = new URL(page.url()).hash;
  await page.selectOption('label:has-text("cube") select', 'on');
  await page.waitForFunction((hash) => location.hash !== hash, old);
  await setStrategy(page, 'Black', 'expectiminimax,depth=1');
  const { text, clicks } = await page.evaluate(robot, 3);
  assert.match(text, /wins by \d+ point/, text);
  const record = await page.locator('li .mono').allInnerTexts();
  assert.ok(record.some((move) => /double/.test(move)), 'the cube was offered');
  console.log(`  ${text} after ${clicks} clicks`);
  await page.context().close();
}

async function testMouseAndPromotion() {
  const page = await openPage();
  await choose(page, 'chess', { Black: 'pvs,depth=2' });
  // A click and a click. News that leave the position as it is do not take back the choice, nor what is typed.
  const goals = (count) => page.waitForFunction((wanted) => document.querySelectorAll('.goal').length === wanted, count);
  await cell(page, 52).click();
  await goals(2);
  await page.fill('input[aria-label=Position]', 'half a position');
  await setStrategy(page, 'Black', 'pvs,depth=1');
  await page.waitForSelector('.text:text-is("pvs,depth=1")');
  await goals(2);
  assert.equal(await page.inputValue('input[aria-label=Position]'), 'half a position');
  await cell(page, 36).click();
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  // Dragging.
  const from = await cell(page, 62).boundingBox();
  const to = await cell(page, 45).boundingBox();
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 4);
  // A pawn that arrives asks what it becomes.
  await setPosition(page, '8/P6k/8/8/8/8/8/K7 w - - 0 1');
  await cell(page, 8).click();
  await cell(page, 0).click();
  await page.waitForSelector('[role=dialog]');
  await shot(page, 'promotion');
  await page.click('[role=dialog] button[aria-label="a7a8q"]');
  await page.waitForFunction(() => document.querySelector('[data-cell="0"]').getAttribute('aria-label').startsWith('a8, White queen'));
  await page.context().close();
}

async function setPosition(page, text) {
  await page.fill('input[aria-label=Position]', text);
  await page.click('button:text-is("Set")');
}

async function testUndoPasteAndErrors() {
  const page = await openPage();
  await choose(page, 'othello', { White: 'pvs,depth=2' });
  const start = await page.inputValue('input[aria-label=Position]');
  await cell(page, 19).click();
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  await page.click('text=Take back');
  await page.waitForFunction((text) => document.querySelector('input[aria-label=Position]').value === text, start);
  // Bad text is answered with a sentence, and nothing changes.
  await setPosition(page, 'XXOO');
  await page.waitForSelector('.message:has-text("4 squares, expected 64")');
  await shot(page, 'bad-position');
  await page.click('[aria-label="Close the message"]');
  await page.fill('input[aria-label=Move]', 'a1');
  await page.click('button:text-is("Play"):not([role=tab])');
  await page.waitForSelector('.message:has-text("no disc would be turned")');
  const late = `${'X'.repeat(60)}O--- X`;
  await setPosition(page, late);
  await page.waitForFunction(() => document.querySelector('[data-cell="60"]').getAttribute('aria-label').includes('White disc'));
  await page.waitForFunction(() => !document.querySelector('.message'));
  // Saved and loaded again; a reload loses nothing.
  await page.click('text=New game');
  await page.fill('input[aria-label=Move]', 'f5');
  await page.press('input[aria-label=Move]', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("Save")')]);
  const file = join(folder, 'saved.json');
  await download.saveAs(file);
  const saved = JSON.parse(readFileSync(file));
  assert.equal(saved.game, 'othello');
  assert.equal(saved.moves.length, 2);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  await page.click('text=New game');
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 0);
  await page.setInputFiles('input[type=file]', file);
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  writeFileSync(file, 'f5 d6 c3');
  await page.setInputFiles('input[type=file]', file);
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length >= 3);
  await page.context().close();
}

async function testWatching() {
  const page = await openPage();
  await choose(page, 'chess', { White: 'pvs,split=ybwc,threads=2,time=2m', Black: 'pvs,depth=2' });
  // How often figures change in a second: five times or more in the first one, or on a machine that is busy in a
  // later one.
  const updates = page.evaluate(
    () =>
      new Promise((resolve) => {
        const counts = [];
        let count = 0;
        const seen = new MutationObserver(() => count++);
        for (const name of ['value', 'depth', 'nodes'])
          seen.observe(document.querySelector(`[data-test=${name}]`), { characterData: true, childList: true, subtree: true });
        const second = () => {
          counts.push(count);
          count = 0;
          if (counts.at(-1) >= 5 || counts.length === 15) resolve(counts);
          else setTimeout(second, 1000);
        };
        const wait = () => (count ? setTimeout(second, 1000) : setTimeout(wait, 1));
        wait();
      }),
  );
  await page.selectOption('[aria-label="Who plays White"]', 'engine');
  const counts = await updates;
  console.log(`  updates in each second: ${counts}`);
  assert.ok(counts.at(-1) >= 5, `updates in each second: ${counts}`);
  await page.waitForSelector('canvas[aria-label^="Lanes of 2 threads"]');
  assert.match(await status(page), /White is thinking/);
  await page.waitForTimeout(1500);
  await shot(page, 'watching');
  await page.click('text=Move now');
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length >= 2);
  await page.selectOption('[aria-label="Who plays White"]', 'you');
  // All moves with their values, arrows on the board.
  await page.click('button:text-is("Take back")');
  await page.click('button[title="a"]');
  await page.waitForFunction(() => document.querySelectorAll('ol[aria-label^="Moves"] li').length === 20);
  await page.waitForSelector('path.arrow', { state: 'attached' });
  await page.context().close();
}

async function testGraphAndHeat() {
  const page = await openPage();
  await choose(page, 'othello', { Black: 'pvs,depth=3', White: 'pvs,depth=2' });
  await page.selectOption('[aria-label="Who plays Black"]', 'engine');
  await page.waitForSelector('.status.done');
  const plies = await page.locator('li .mono').count();
  assert.ok(plies > 20);
  // A click in the graph goes to that move; from there the game can go on in another way.
  const box = await page.locator('.graph .u-over').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 30);
  await page.waitForFunction(() => document.querySelector('.status').textContent.startsWith('Looking back'));
  await page.selectOption('[aria-label="Who plays Black"]', 'you');
  await page.selectOption('[aria-label="Who plays White"]', 'you');
  await page.click('text=Go on from here');
  await page.click('button[title="a"]');
  await page.waitForSelector('.heat');
  await page.waitForTimeout(300);
  await shot(page, 'othello-heat');
  await page.context().close();
}

async function testLab() {
  const page = await openPage();
  await choose(page, 'othello');
  await page.click('button[role=tab]:text-is("Lab")');
  await page.fill('textarea', 'alphabeta,depth=4,split=top\npvs,depth=5,split=ybwc');
  await page.fill('input[type=number]', '2');
  await page.click('text=Measure');
  await page.waitForFunction(() => Number(document.querySelector('.curve').dataset.curves) >= 4);
  await page.waitForFunction(() => document.querySelector('[role=progressbar]').ariaValueNow === '100' || document.querySelector('p[aria-live]').textContent.startsWith('done'));
  // Something coloured is on the canvas.
  const coloured = await page.locator('.curve canvas').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += data[i + 3] > 0 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60;
    return count;
  });
  assert.ok(coloured > 200, `${coloured} coloured pixels in the curve`);
  assert.ok((await page.locator('tbody tr').count()) >= 4);
  await page.selectOption('select[aria-label=Arena]', 'small.db');
  await page.waitForSelector('td.cross');
  await shot(page, 'lab');
  await page.fill('textarea', 'nonsense');
  await page.click('text=Measure');
  await page.waitForSelector('p:has-text("nonsense")');
  await page.context().close();
}

async function testKeys() {
  const page = await openPage({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await choose(page, 'othello', { White: 'pvs,depth=2' });
  // Tab to the board, walk to d3, play.
  await page.locator('[role=gridcell][tabindex="0"]').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^d3, empty, possible move/);
  await shot(page, 'keys-dark');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  await page.keyboard.press('u');
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 0);
  await page.keyboard.press('f');
  assert.match(await page.locator('section[aria-label=Game] strong').first().innerText(), /Black/);
  // Every control has a name.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea, [role=gridcell], [role=img]')]
      .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label')?.textContent.trim()))
      .map((one) => one.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless, []);
  await page.context().close();
}

async function testLooks() {
  for (const [name, options] of [
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true, hasTouch: true }],
    ['phone-light', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
    ['wide-dark', { colorScheme: 'dark' }],
  ]) {
    const page = await openPage(options);
    for (const game of ['chess', 'backgammon', 'halma']) {
      await choose(page, game);
      await shot(page, `${game}-${name}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${game} ${name}: the page is ${overflow} wider than the screen`);
    }
    await page.context().close();
  }
}

// The whole board and every control of the game are in sight, and settings do not move the board.
async function testFits() {
  for (const [width, height] of [[1280, 720], [1400, 900], [1920, 1080], [3840, 2160], [390, 844]]) {
    const page = await openPage({ viewport: { width, height } });
    const games = width === 1280 || width === 390 ? ['chess', 'backgammon', 'halma16', 'othello'] : ['chess'];
    for (const game of games) {
      await choose(page, game);
      const board = await page.locator('[role=grid]').boundingBox();
      const where = `${game} at ${width}x${height}`;
      assert.ok(board.x >= 0 && board.y >= 0 && board.x + board.width <= width + 1 && board.y + board.height <= height, `${where}: ${JSON.stringify(board)}`);
      if (width === 390) {
        assert.ok(board.width >= 388, `${where}: ${board.width} wide`);
        continue;
      }
      assert.ok(board.height > 0.55 * height || board.width > 0.5 * width, `${where}: ${JSON.stringify(board)}`);
      for (const name of ['New game', 'Take back', 'Analyse', 'Move now']) {
        const button = await page.locator(`button:text-is("${name}")`).first().boundingBox();
        assert.ok(button.y + button.height <= height, `${where}: ${name} is below the fold`);
      }
      await page.locator('[aria-label^="Strategy of"]').first().click();
      assert.deepEqual(await page.locator('[role=grid]').boundingBox(), board, `${where}: settings move the board`);
      await page.locator('[aria-label^="Strategy of"]').first().click();
    }
    await page.context().close();
  }
}

const PGN = `[Event "A game"]
[White "Somebody"]
[Black "Somebody else"]
[Result "1-0"]

1. e4 e5 2. Bc4 {aims at f7} Nc6 3. Qh5 (3. Nf3 Nf6) Nf6 4. Qxf7# 1-0
`;

// As players read it: SAN, pawns for White, a king in check, discs counted; stepping by keys; a game that is pasted or dropped.
async function testReading() {
  const page = await openPage();
  await choose(page, 'chess', { Black: 'pvs,depth=4' });
  const record = () => page.locator('li .mono').allInnerTexts();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text', text);
    document.querySelector('input[aria-label=Position]').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, PGN);
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 7);
  assert.deepEqual(await record(), ['e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'Nf6', 'Qxf7#']);
  await page.waitForSelector('[aria-label^="e8, Black king, in check"]');
  assert.match(await status(page), /White wins/);
  const at = () => page.locator('li .here').innerText();
  await page.locator('.status').click();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('li .here').innerText === 'Nf6');
  assert.equal(await page.locator('[aria-label*="in check"]').count(), 0);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('li .here').innerText === 'Qh5');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('li .here').innerText === 'Nf6');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => !document.querySelector('li .here'));
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('li .here')?.innerText === 'Qxf7#');
  assert.equal(await at(), 'Qxf7#');
  // White is a queen up, whoever is to move; the numbers are pawns.
  for (const side of ['w', 'b']) {
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'position.fen'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, `4k3/pp6/8/8/8/8/PP6/3QK3 ${side} - - 0 1\n`);
    if (side === 'w') {
      await page.waitForFunction(() => document.querySelector('input[aria-label=Position]').value.includes('3QK3 w'));
      await page.click('button[title="a"]');
      await page.waitForFunction(() => /^\+\d+\.\d\d$|^White wins in/.test(document.querySelector('[data-test=value]').textContent));
      await page.click('button[title="a"]');
    } else {
      await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 1); // the engine moves
      assert.match(await page.locator('[data-test=value]').innerText(), /^\+\d+\.\d\d$|^White wins in/);
    }
  }
  await choose(page, 'othello', { White: 'pvs,depth=2' });
  assert.deepEqual(await page.locator('.tally').allInnerTexts(), ['2', '2']);
  await cell(page, 19).click();
  await page.waitForFunction(() => document.querySelectorAll('li .mono').length === 2);
  const discs = (await page.locator('.tally').allInnerTexts()).map(Number);
  assert.equal(discs[0] + discs[1], 6);
  // All keys.
  await page.locator('.status').click();
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]:has-text("take back")');
  await shot(page, 'keys');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await page.keyboard.press('2');
  await page.waitForSelector('.watch');
  await page.context().close();
}

async function testSize() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sizes = [];
  page.on('response', (answer) => {
    // The stream of events has no end.
    if (!answer.url().includes('/api/events')) sizes.push(answer.request().sizes().then((size) => [answer.url(), size.responseBodySize]));
  });
  await page.goto(url);
  await page.waitForSelector('[role=grid]');
  const files = await Promise.all(sizes);
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  console.log(`  ${files.length} answers, ${(total / 1000).toFixed(0)} kB`);
  assert.ok(files.length >= 4 && total < 250000);
  const policy = (await page.request.get(url)).headers()['content-security-policy'];
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
  assert.ok(files.every(([name]) => name.startsWith(new URL(url).origin)), 'nothing from elsewhere');
  await context.close();
}

const tests = { testSize, testEveryGame, testCube, testMouseAndPromotion, testUndoPasteAndErrors, testWatching, testGraphAndHeat, testLab, testKeys, testLooks, testFits, testReading };
try {
  await startServer();
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const only = process.argv[5];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const start = performance.now();
    await test();
    assert.deepEqual(faults, [], `errors on the console in ${name}`);
    console.log(`${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
} finally {
  await browser?.close();
  server?.kill('SIGTERM');
}
const code = await new Promise((resolve) => (server.exitCode !== null ? resolve(server.exitCode) : server.once('exit', resolve)));
assert.equal(code, 0, 'the server ends cleanly');
console.log('all well');
