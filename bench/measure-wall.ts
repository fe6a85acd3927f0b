import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { multiplyTask } from '../test/helpers/multiply-task.ts';
import { startService } from './child-service.ts';
import { makeTask } from './make-task.ts';
import { printTable } from './table.ts';

const ORDERS = 5_000;
const CELLS = 400;
const WINDOW = { width: 1440, height: 900 };
const ACCOUNT = 'bench';
const SHAPES = ['1:1', '16:9', '2:3', '3:2', '9:16', '4:3'];
const PICTURES = 24;
/** As far as a wheel turns the page in one frame. */
const TURN = 400;
const ENDS_WITHIN_MS = 600_000;

/** One view of many pictures, told by the browser itself. Times in milliseconds. */
interface Viewing {
  /** Since the navigation began. */
  readonly firstPicture: number;
  /** Until then; as sent, without headers. */
  readonly requests: number;
  readonly bytes: number;
  /** The longest task of the page's main thread, and the processor's time in it. */
  readonly opening: Longest;
  readonly scrolling: Longest;
  /** Of scripts, from the opening to the end of the list. */
  readonly script: number;
  /** After a collection at the end of the list. */
  readonly heapMegabytes: number;
}

interface Longest {
  readonly wall: number;
  readonly processor: number;
}

/** Opens a history of 5,000 orders and a light table of 400 results, goes to their ends, and prints what it took. */
export async function measureWall(browser: Browser, dataDirectory: string): Promise<void> {
  const { url, key, tableId, stop } = await openWall(dataDirectory);
  try {
    const views = [
      await view(browser, url, key, { at: '/', picture: '[data-tile] img', end: 'End of list' }),
      await view(browser, url, key, { at: `/light/${tableId}`, picture: '[role=gridcell] img', end: null }),
    ];
    const row = (name: string, read: (viewing: Viewing) => string) => [name, ...views.map(read)];
    const milliseconds = (value: number) => `${value.toFixed(0)} ms`;
    const longest = ({ wall, processor }: Longest) => `${milliseconds(wall)} (${milliseconds(processor)})`;
    printTable(
      'Many pictures at once: longest tasks of the main thread with the time of the processor in brackets',
      ['', `history of ${ORDERS + CELLS} orders`, `light table of ${CELLS}`],
      [
        row('first picture', ({ firstPicture }) => milliseconds(firstPicture)),
        row('requests and bytes until then', (one) => `${one.requests}, ${(one.bytes / 1_000).toFixed(0)} kB`),
        row('longest task while it opens', ({ opening }) => longest(opening)),
        row('longest task while it is scrolled to its end', ({ scrolling }) => longest(scrolling)),
        row('scripts, all together', ({ script }) => milliseconds(script)),
        row('JavaScript heap at the end', ({ heapMegabytes }) => `${heapMegabytes.toFixed(0)} MB`),
      ],
    );
  } finally {
    await stop();
  }
}

/** A service with a key that has all these orders, in different shapes, and a light table. */
async function openWall(dataDirectory: string) {
  const service = await startService(dataDirectory);
  const database = await openDatabase({ url: null, path: join(dataDirectory, 'darkroom.db') });
  try {
    const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
    await createAccount(database, by, { id: ACCOUNT, name: ACCOUNT, creditLimit: null });
    const { key } = await issueKey(database, by, {
      mode: 'test',
      accountId: ACCOUNT,
      queueLimit: 0,
      readsPerMinute: 0,
    });
    for (let place = 0; place < PICTURES; place += 1) {
      const order = {
        model_id: 'sketch',
        prompt: `picture ${place}: a red fox in the snow`,
        aspect_ratio: SHAPES[place % SHAPES.length],
        resolution: '0.5K',
      };
      const { task_id: id } = await makeTask(service.url, key, '/v1/images', order);
      await multiplyTask(database, id, { count: Math.ceil(ORDERS / PICTURES) - 1, everyMs: 3_600_000 });
    }
    const tableId = await orderTable(service.url, key);
    return { ...service, key, tableId };
  } catch (error) {
    await service.stop();
    throw error;
  } finally {
    await database.close();
  }
}

/** Orders four prompts over a hundred seeds, and waits until all are made. */
async function orderTable(url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const orders = Array.from({ length: CELLS }, (_, place) => {
    const [row, column] = [Math.floor(place / 4) + 1, (place % 4) + 1];
    return {
      name: `${String(row).padStart(2, '0')}-0${column}_sketch`,
      operation: 'images',
      body: { model_id: 'sketch', prompt: 'a lighthouse', seed: place + 1, resolution: '0.5K' },
    };
  });
  const body = JSON.stringify({ orders, metadata: { light_table: 'A lighthouse' } });
  const placed = await fetch(`${url}/v1/batches`, { method: 'POST', headers, body });
  let { data: batch } = (await placed.json()) as { data: { batch_id: string; status: string } };
  for (const end = Date.now() + ENDS_WITHIN_MS; batch.status === 'processing' && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const read = await fetch(`${url}/v1/batches/${batch.batch_id}`, { headers });
    ({ data: batch } = (await read.json()) as { data: typeof batch });
  }
  if (batch.status !== 'succeeded') throw new Error(`the light table is ${batch.status}; expected succeeded`);
  return batch.batch_id;
}

async function view(
  browser: Browser,
  url: string,
  key: string,
  { at, picture, end }: { readonly at: string; readonly picture: string; readonly end: string | null },
): Promise<Viewing> {
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-US' });
  try {
    const session = JSON.stringify({ keys: { test: key }, mode: 'test', remembered: false });
    await context.addInitScript(`sessionStorage.setItem('darkroom.session', ${JSON.stringify(session)})`);
    await context.addInitScript(keepFirstPicture(picture));
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    const opening = await longestTask(browser, page, async () => {
      await page.goto(`${url}/#${at}`);
      await page.waitForFunction(() => 'firstPicture' in globalThis);
      await page.waitForLoadState('networkidle');
    });
    const first = await page.evaluate<Pick<Viewing, 'firstPicture' | 'requests' | 'bytes'>>(READ_FIRST);
    const scrolling = await longestTask(browser, page, () => scrollToEnd(page, end));
    await devtools.send('HeapProfiler.collectGarbage');
    const figures = await metricsOf(devtools);
    return {
      ...first,
      opening,
      scrolling,
      script: (figures.get('ScriptDuration') ?? 0) * 1_000,
      heapMegabytes: (figures.get('JSHeapUsedSize') ?? 0) / 2 ** 20,
    };
  } finally {
    await context.close();
  }
}

async function metricsOf(devtools: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

async function scrollToEnd(page: Page, end: string | null): Promise<void> {
  await page.mouse.move(WINDOW.width / 2, WINDOW.height / 2);
  const isOver = async () =>
    await page.evaluate<boolean>(
      `scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && (${JSON.stringify(end)} === null || document.body.innerText.includes(${JSON.stringify(end)}))`,
    );
  for (const deadline = Date.now() + ENDS_WITHIN_MS; Date.now() < deadline; ) {
    for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, TURN);
    if (await isOver()) return;
  }
  throw new Error('the end of the list was not reached');
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Returns the longest task of the page's main thread during an act. */
async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<Longest> {
  await browser.startTracing(page, { categories: ['__metadata', 'toplevel'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mainThreads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const isMain = ({ pid, tid }: TraceEvent) => mainThreads.some((one) => one.pid === pid && one.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && isMain(event));
  const most = (read: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((longest, task) => Math.max(longest, (read(task) ?? 0) / 1_000), 0);
  return { wall: most(({ dur }) => dur), processor: most(({ tdur }) => tdur) };
}

function keepFirstPicture(selector: string): string {
  return `document.addEventListener('load', ({ target }) => {
    if (target.matches?.(${JSON.stringify(selector)})) globalThis.firstPicture ??= performance.now();
  }, true);`;
}

/** Said to the page as text, since its globals are not those of Node. */
const READ_FIRST = `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const before = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < firstPicture);
  return {
    firstPicture,
    requests: before.length + 1,
    bytes: [navigation, ...before].reduce((total, entry) => total + entry.encodedBodySize, 0),
  };
})()`;
