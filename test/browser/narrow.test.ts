import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import type { Page } from 'playwright-core';
import { wholeFile } from '../whole-file.ts';
import { openConsole, PHONE } from './browser.ts';
import { startBusyService } from './busy-service.ts';
import { cutOff } from './usable.ts';

const service = await startBusyService(wholeFile);
const keys = { ...service.keys, test: service.viewer };
const shown = await service.make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a mill' });
await service.call(keys.admin, 'PUT', `/admin/v1/tasks/${shown.task_id}/example`);
const NARROW = { width: 320, height: 640 };
/** 640 is a screen of 1280 at 200 %. */
const WIDTHS = [320, 390, 640, 820, 1024, 1280, 1440];

/** Every page, and a word that stands there once it shows what it is for. */
const PAGES: readonly (readonly [at: string, word: string])[] = [
  ['/', 'Options of the order'],
  [`/t/${service.grid.task_id}`, 'Reroll'],
  [`/t/${service.failed.task_id}`, 'The order failed'],
  ['/models/kling-4.0', 'Order it from your program'],
  ['/models/sketch', 'No longer an example'],
  ['/history', 'Canceled'],
  [`/history/${service.upscaled.task_id}`, 'For your program'],
  ['/usage', 'Show older entries'],
  ['/operations/people', 'acme web shop'],
  ['/operations', 'accept orders'],
  ['/operations/upstreams', 'Accepts orders'],
  [`/operations/orders/${service.failed.task_id}`, 'Upstream job'],
  ['/operations/requests', 'POST /v1/images/{task_id}/cancel'],
  ['/operations/orders?state=unknown', 'Show test orders too'],
  ['/operations/orders?state=failed', 'Show test orders too'],
  ['/operations/webhooks', 'task.failed'],
  ['/operations/costs', 'No live order with a cost yet'],
  ['/operations/settled', 'No such order within 30 days'],
  ['/operations/audit', 'model.pause'],
  ['/operations/local', 'Z-Image-Turbo'],
];

test('on phones, tablets and screens, and at twice the size, nothing of any page is cut off or wider than the window', async (t) => {
  const page = await openConsole(t, service, { keys, viewport: NARROW, at: '/nowhere' });
  for (const [at, word] of PAGES) {
    await page.goto(`${service.url}/#${at}`);
    await page.getByText(word).first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: NARROW.height });
      // Charts and tables measure their room once it has changed.
      const faultsAt = async () => {
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        const wide = over > 0 ? [`${over} pixels wider than the window`] : [];
        return { at, width, faults: [...(await cutOff(page)), ...wide] };
      };
      await until(faultsAt, ({ faults }) => faults.length === 0);
    }
    await page.setViewportSize(NARROW);
  }
});

test('on a phone each entry of the ledger and each order is a card of a few lines', async (t) => {
  const page = await openConsole(t, service, { keys, viewport: PHONE, at: '/usage' });
  const ledger = page.getByRole('table', { name: 'Ledger' });
  await assertCard(ledger.getByRole('row').nth(1), /^(Charge|Release|Hold)[−$]/);
  await page.goto(`${service.url}/#/operations/orders?mode=all`);
  const orders = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await assertCard(orders.filter({ hasText: 'Succeeded' }).first(), /^default(?:live|shop backend), /);
});

test('keyboard users start at the beginning of the operations', async (t) => {
  const page = await openConsole(t, service, { keys, viewport: PHONE, at: '/operations/audit' });
  await page.getByText('model.pause').waitFor();
  const list = page.getByRole('tablist');
  const open = await page.getByRole('tab', { selected: true }).boundingBox();
  const window = await list.boundingBox();
  assert.ok(
    open !== null && window !== null && open.x + open.width <= window.x + window.width + 1,
    'its tab is in sight',
  );
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page');
});

/** Few lines, with the most telling first: what stands at the beginning and at the end of the first line. */
async function assertCard(row: ReturnType<Page['getByRole']>, first: RegExp): Promise<void> {
  await row.waitFor();
  const box = await row.boundingBox();
  assert.ok(box !== null && box.height < 110, `${box?.height} pixels high`);
  const words = await row.evaluate((element) => {
    const cells = [
      ...(element as unknown as { querySelectorAll(selector: string): Iterable<Cell> }).querySelectorAll('td'),
    ];
    return cells
      .sort((left, right) => left.offsetTop - right.offsetTop || left.offsetLeft - right.offsetLeft)
      .map(({ textContent }) => textContent)
      .join('');
  });
  assert.match(words, first);
}

interface Cell {
  readonly offsetTop: number;
  readonly offsetLeft: number;
  readonly textContent: string;
}
