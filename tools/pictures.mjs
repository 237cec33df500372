#!/usr/bin/env node
// pictures.mjs PROGRAM FOLDER - the pictures of the README, made from the page in headless Chromium: the game on the board,
// and a search in slow motion as an animated PNG. `make pictures` calls it.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(new URL('../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [program, folder] = process.argv.slice(2);

/* ---- An animated PNG out of PNG files: the data of each becomes a frame at its place ---------------------------------- */

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n >>> 0;
});
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const size = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  let crc = 0xffffffff;
  for (const byte of body) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  size.writeUInt32BE(data.length);
  check.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([size, body, check]);
}
function chunks(png) {
  const list = [];
  for (let at = 8; at < png.length; ) {
    const size = png.readUInt32BE(at);
    list.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + size)]);
    at += 12 + size;
  }
  return list;
}
// frames: {png, x, y, milliseconds}; the first has the size of the whole.
function animate(frames) {
  let sequence = 0;
  const number = () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(sequence++);
    return bytes;
  };
  const head = chunks(frames[0].png)[0][1];
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length);
  const parts = [frames[0].png.subarray(0, 8), chunk('IHDR', head), chunk('acTL', control)];
  for (const [i, { png, x, y, milliseconds }] of frames.entries()) {
    const [[, own], ...rest] = chunks(png);
    if (Buffer.compare(own.subarray(8), head.subarray(8)) !== 0) throw new Error(`frame ${i} has other colours than the first`);
    const about = Buffer.alloc(22);
    about.writeUInt32BE(own.readUInt32BE(0), 0);
    about.writeUInt32BE(own.readUInt32BE(4), 4);
    about.writeUInt32BE(x, 8);
    about.writeUInt32BE(y, 12);
    about.writeUInt16BE(milliseconds, 16);
    about.writeUInt16BE(1000, 18);
    parts.push(chunk('fcTL', Buffer.concat([number(), about])));
    for (const [type, data] of rest)
      if (type === 'IDAT') parts.push(i === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([number(), data])));
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

/* ---- The page ------------------------------------------------------------------------------------------------------------ */

const server = spawn(program, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => server.kill('SIGKILL'));
const url = String(await new Promise((resolve) => server.stdout.once('data', resolve))).split('\n')[0];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

async function openPage(game, moves, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce', ...options });
  await context.addInitScript(() => (localStorage.visited = 'yes'));
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('[role=grid]');
  await page.selectOption('select[aria-label=Game]', game);
  await page.waitForFunction((name) => document.querySelector('select[aria-label=Game]').value === name, game);
  for (const side of await page.locator('select[aria-label^="Who plays"]').all()) await side.selectOption('you');
  await page.fill('input[aria-label=Position]', moves);
  await page.click('button:text-is("Set")');
  await page.waitForFunction((count) => document.querySelectorAll('li .mono').length === count, moves.trim().split(/\s+/).length);
  return page;
}

async function drawWatch() {
  const page = await openPage('othello', 'f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4 b5 d2 e3 a6', { viewport: { width: 1000, height: 600 } });
  await page.click('button[role=tab]:text-is("Watch")');
  await page.selectOption('select[aria-label=Threads]', '4');
  await page.selectOption('select[aria-label=Limit]', 'time=1s');
  await page.click('button.main:text-is("Search")');
  await page.waitForSelector('.losses .step.rest');
  const frames = [{ png: await page.screenshot(), x: 0, y: 0, milliseconds: 1600 }];
  // The middle of the search, closer and closer, then as it goes on.
  const box = await page.locator('section.main').boundingBox();
  const clip = { x: Math.floor(box.x), y: Math.floor(box.y), width: Math.floor(box.width), height: Math.floor(box.height) };
  const lanes = await page.locator('.lanes canvas').boundingBox();
  await page.mouse.move(lanes.x + 0.6 * lanes.width, lanes.y + 10);
  const frame = async (milliseconds) => {
    await page.waitForTimeout(60);
    frames.push({ png: await page.screenshot({ clip }), x: clip.x, y: clip.y, milliseconds });
  };
  for (let i = 0; i < 3; i++) {
    await page.mouse.wheel(0, -280);
    await frame(160);
  }
  for (let i = 0; i <= 9; i++) {
    await page.locator('input[aria-label=Moment]').fill(String(500 + 15 * i));
    await frame(220);
  }
  // A piece that is chosen: the tree, and the board.
  for (let i = 0; i < 60 && !(await page.locator('.board').getAttribute('data-shown')); i++) await page.mouse.click(lanes.x + (0.3 + 0.01 * i) * lanes.width, lanes.y + 90);
  await page.mouse.move(10, 10);
  await page.waitForTimeout(500);
  frames.push({ png: await page.screenshot(), x: 0, y: 0, milliseconds: 3000 });
  writeFileSync(join(folder, 'watch.png'), animate(frames));
  await page.context().close();
}

async function drawGame(name, game, moves, options) {
  const page = await openPage(game, moves, options);
  await page.click('button[title="a"]');
  await page.waitForFunction(() => /each to depth ([89]|\d\d)/.test(document.querySelector('.right').innerText) && document.querySelector('.lanes canvas') && !document.querySelector('.lamp.running'));
  await page.evaluate(() => (document.querySelector('.right').scrollTop = 0));
  await page.screenshot({ path: join(folder, name) });
  await page.context().close();
}

try {
  await drawWatch();
  await drawGame('serve-chess.png', 'chess', 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6');
  await drawGame('serve-othello.png', 'othello', 'f5 d6 c3 d3 c4 f4 f6 g5 e3 f3', { colorScheme: 'dark' });
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
