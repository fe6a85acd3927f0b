import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Locator, Page } from 'playwright-core';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { PHONE } from './browser.ts';
import { startBusyService } from './busy-service.ts';
import { addressesOf, EVERYBODY, openAsEverybody } from './every-view.ts';
import { openInKeptPage } from './kept-page.ts';
import { cutOff } from './usable.ts';

const provider = await startOidcProvider(wholeFile);
const service = await startBusyService(wholeFile, { env: { ...provider.env, ...EVERYBODY } });
provider.serve(service.url);
const keys = { ...service.keys, test: service.viewer };
const shown = await service.make(service.viewer, '/v1/images', { model_id: 'sketch-grid', prompt: 'a mill' });
await service.call(keys.admin, 'PUT', `/admin/v1/tasks/${shown.task_id}/example`);
const NARROW = { width: 320, height: 640 };
/** 640 is a screen of 1280 at 200 %. */
const WIDTHS = [320, 390, 640, 820, 1024, 1280, 1440];

test('on phones, tablets and screens, and at twice the size, nothing of any view is cut off or wider than the window', async (t) => {
  const { page, show } = await openAsEverybody(t, service, provider, { viewport: NARROW });
  for (const at of addressesOf({ modelId: 'sketch', taskId: shown.task_id })) {
    await show(at);
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
  const page = await openInKeptPage(t, service, { keys, viewport: PHONE, at: '/money/usage' });
  const ledger = page.getByRole('table', { name: 'Ledger' });
  await assertCard(ledger.getByRole('row').nth(1), /^(Charge|Release|Hold)[−$]/);
  await page.goto(`${service.url}/#/orders?mode=all`);
  const orders = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await assertCard(orders.filter({ hasText: 'Succeeded' }).first(), /^default.*img_\w+ Succeeded/);
});

test('on a phone the tab of the open view is in sight, the tabs fade where more follow, and keyboard users begin at the top', async (t) => {
  const page = await openInKeptPage(t, service, { keys, viewport: PHONE, at: '/people/audit' });
  await page.getByText('model.pause').waitFor();
  const list = page.getByRole('navigation', { name: 'Views of People and keys' });
  const isInSight = async (tab: Locator) => {
    const [open, window] = [await tab.boundingBox(), await list.boundingBox()];
    return open !== null && window !== null && open.x >= window.x && open.x + open.width <= window.x + window.width + 1;
  };
  const tabs = list.getByRole('link');
  assert.ok(await isInSight(tabs.and(page.locator('[aria-current="page"]'))), 'the open one');
  const fades = async () => [await list.getAttribute('data-before'), await list.getAttribute('data-after')];
  assert.deepEqual(await fades(), ['true', null], 'the audit is the last');
  await list.evaluate((element: unknown) => Object.assign(element as object, { scrollLeft: 0 }));
  await until(fades, ([before, after]) => before === null && after === 'true');
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
