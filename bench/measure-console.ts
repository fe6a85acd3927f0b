import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { FIRST_KEYS_FILE } from '../src/service/first-start.ts';
import { launchBrowser } from '../test/browser/launch-browser.ts';
import { startService } from './child-service.ts';
import { measureWall } from './measure-wall.ts';
import { median, printTable } from './table.ts';

const BUILT = join(import.meta.dirname, '../console/dist/index.html');
const ROUNDS = 5;
const SLOW_ROUNDS = 3;
const WINDOW = { width: 1440, height: 900 };
/** A slow connection, as in a train. */
const SLOW = { offline: false, latency: 300, downloadThroughput: 750_000 / 8, uploadThroughput: 750_000 / 8 };
/** As long as nothing that keeps the page busy may begin after it can be used. */
const QUIET_MS = 1_000;

/**
 * One opening of the console, told by the browser itself: sizes in bytes, times in milliseconds since the navigation
 * began.
 */
interface Opening {
  readonly files: number;
  /** As sent: compressed, without headers. The answers of the interface are not among them. */
  readonly bytes: number;
  /** The same with the answers of the interface that were asked for before the prompt can be typed into. */
  readonly bytesWithAnswers: number;
  readonly plainBytes: number;
  readonly firstPaint: number;
  /** The prompt can be typed into, and nothing that takes over 50 ms goes on. */
  readonly interactive: number;
  /** The prompt can be typed into. */
  readonly usable: number;
}

/** Opens the console of a fresh service, each time in a browser that has seen nothing of it, and prints the medians. */
export async function measureConsole(): Promise<void> {
  if (!existsSync(BUILT)) throw new Error('the console is not built: run `npm run prepare`');
  const dataDirectory = await mkdtemp(join(tmpdir(), 'darkroom-console-'));
  const closers = [() => rm(dataDirectory, { recursive: true, force: true })];
  try {
    const service = await startService(dataDirectory);
    closers.unshift(service.stop);
    const browser = await launchBrowser();
    closers.unshift(() => browser.close());
    const keys = await readFile(join(dataDirectory, FIRST_KEYS_FILE), 'utf8');
    const key = /DARKROOM_TEST_KEY=(\S+)/.exec(keys)?.[1] ?? '';
    const openings: Opening[] = [];
    for (let round = 0; round < ROUNDS; round += 1) openings.push(await open(browser, service.url, key));
    const slow: Opening[] = [];
    for (let round = 0; round < SLOW_ROUNDS; round += 1)
      slow.push(await open(browser, service.url, key, { slow: true }));
    printOpenings(openings, slow);
    await measureWall(browser, join(dataDirectory, 'wall'));
  } finally {
    for (const close of closers) await close();
  }
}

async function open(browser: Browser, url: string, key: string, { slow = false } = {}): Promise<Opening> {
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-US' });
  try {
    const session = JSON.stringify({ keys: { test: key }, mode: 'test', remembered: false });
    await context.addInitScript(`sessionStorage.setItem('darkroom.session', ${JSON.stringify(session)})`);
    await context.addInitScript(KEEP_LONG_TASKS);
    const page = await context.newPage();
    if (slow) await (await context.newCDPSession(page)).send('Network.emulateNetworkConditions', SLOW);
    await page.goto(`${url}/`);
    await page.getByLabel('Prompt', { exact: true }).waitFor();
    await page.waitForTimeout(QUIET_MS);
    return await page.evaluate<Opening>(READ_OPENING);
  } finally {
    await context.close();
  }
}

const KEEP_LONG_TASKS = `globalThis.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });`;

/** Said to the page as text, since its globals are not those of Node. */
const READ_OPENING = `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const isFile = ({ name }) => /\\.(js|css|svg|woff2|webp)$/.test(new URL(name).pathname);
  const usable = performance.getEntriesByName('darkroom.usable')[0].startTime;
  const before = performance.getEntriesByType('resource').filter((one) => one.startTime < usable);
  const files = [navigation, ...before.filter(isFile)];
  const sum = (name, entries = files) => entries.reduce((total, entry) => total + entry[name], 0);
  return {
    files: files.length,
    bytes: sum('encodedBodySize'),
    bytesWithAnswers: sum('encodedBodySize', [navigation, ...before]),
    plainBytes: sum('decodedBodySize'),
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    interactive: Math.max(usable, ...longTasks.map((task) => task.startTime + task.duration)),
    usable,
  };
})()`;

function printOpenings(openings: readonly Opening[], slow: readonly Opening[]): void {
  const of = (read: (opening: Opening) => number) => openings.map(read);
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`;
  const times = (values: readonly number[]) => [
    `${median(values).toFixed(0)} ms`,
    `${Math.max(...values).toFixed(0)} ms`,
  ];
  const most = Math.max(...of(({ bytes }) => bytes));
  const files = median(of((opening) => opening.files));
  printTable(
    `The console, opened ${openings.length} times with an empty cache`,
    ['', 'median', 'most'],
    [
      [`first page, compressed (${files} files)`, kilobytes(median(of(({ bytes }) => bytes))), kilobytes(most)],
      [
        'the same with answers, before the prompt is usable',
        kilobytes(median(of(({ bytesWithAnswers }) => bytesWithAnswers))),
        kilobytes(Math.max(...of(({ bytesWithAnswers }) => bytesWithAnswers))),
      ],
      [
        'unpacked, without answers',
        kilobytes(median(of(({ plainBytes }) => plainBytes))),
        kilobytes(Math.max(...of(({ plainBytes }) => plainBytes))),
      ],
      ['first contentful paint', ...times(of(({ firstPaint }) => firstPaint))],
      ['interactive', ...times(of(({ interactive }) => interactive))],
      ['prompt usable at 750 kbit/s and 300 ms', ...times(slow.map(({ usable }) => usable))],
    ],
  );
}
