import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../helpers/additions.ts';
import { startTestService } from '../helpers/service.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { untilPriced } from './order-form.ts';
import { startSwiftService } from './swift-service.ts';

/** For tests that leave nothing which the others see. */
const shared = await startSwiftService(wholeFile);

test('a failed order says why, that nothing was charged, and what to do', async (t) => {
  const page = await openInKeptPage(t, shared, { keys: shared.keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'For developers' }).click();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Refused: content policy' }).click();
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await page.getByText('The order failed').waitFor();
  await page.getByText(/Nothing was charged/).waitFor();
  await page.getByText('content_policy', { exact: true }).waitFor();
});

test('an order on its way can be canceled', async (t) => {
  const page = await openInKeptPage(t, shared, { keys: shared.keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'For developers' }).click();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Never ends by itself' }).click();
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('heading', { name: 'Canceled' }).waitFor();
});

test('a wrong key is told apart from a mistyped one, and a revoked one leads back to signing in', async (t) => {
  const page = await openInKeptPage(t, shared);
  const signIn = async (key: string) => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn('sk-12345');
  await page.getByText(/This is not a Darkroom key/).waitFor();
  await signIn(`${shared.keys.test.slice(0, -1)}${shared.keys.test.endsWith('a') ? 'b' : 'a'}`);
  await page.locator('[id$="-error"]').getByText(/key/i).waitFor();

  const { key, key_id: keyId } = await shared.issueKey({ mode: 'test' });
  await signIn(key);
  await page.getByRole('button', { name: /^Model: Sketch/ }).waitFor();
  await shared.call(shared.keys.admin, 'POST', `/admin/v1/keys/${keyId}/revoke`);
  // The price is asked for, which finds the key revoked. What the page still loads may find it first.
  void page
    .getByLabel('Prompt', { exact: true })
    .fill('a fox')
    .catch(() => {});
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page
    .getByRole('alert')
    .getByText(/revoked/)
    .waitFor();
});

test('while the service is down the console says so; once it is back, the order that was lost is placed once', async (t) => {
  const port = await freePort();
  const service = await startTestService(t, { env: { DARKROOM_PORT: String(port) } });
  const page = await openInKeptPage(t, service, { keys: service.keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await untilPriced(page);
  await service.service.stop({ now: true });
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await page.getByText('It is not known whether the order arrived').waitFor();
  await page
    .getByRole('status')
    .getByText(/^The service does not answer/)
    .waitFor();

  const again = await startService(service.config, { log: createLog('fatal') });
  t.after(() => again.stop({ now: true }));
  await page
    .getByText(/The service does not answer/)
    .first()
    .waitFor({ state: 'detached' });
  await untilPictureShown(page);
  const { data } = await service.call(service.keys.test, 'GET', '/v1/images');
  assert.equal(data.items.length, 1);
});

test('while the service is down, the stage says since when the state is unknown, and the banner promises only what is sent again', async (t) => {
  const port = await freePort();
  const service = await startTestService(t, { env: { DARKROOM_PORT: String(port) } });
  const { keys, call } = service;
  const stuck = { model_id: 'sketch', prompt: 'a mill', simulate: { outcome: 'stuck' } };
  const { data: task } = await call(keys.test, 'POST', '/v1/images', stuck);
  const page = await openInKeptPage(t, service, { keys, at: `/t/${task.task_id}` });
  const create = page.getByRole('button', { name: 'Draw for nothing', exact: true });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await untilPriced(page);
  await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
  const unknown = page.getByText(/^State unknown since \d/);
  const keptWords = page.getByText('If you order now, the order is kept and sent when the service is back');
  assert.deepEqual([await unknown.count(), await keptWords.count()], [0, 0]);

  await service.service.stop({ now: true });
  await unknown.waitFor();
  await page.getByText(/^The service does not answer\. Last known: /).waitFor();
  await keptWords.waitFor();
  const banner = page.getByRole('status').filter({ hasText: 'The console asks again every few seconds.' });
  await banner.waitFor();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('alert').filter({ hasText: 'It is not known whether this was done.' }).waitFor();
  assert.doesNotMatch((await banner.textContent()) ?? '', /not lost|sent again/, 'nobody cancels it again but a press');
  await create.click();
  await banner.getByText('it is not lost').waitFor();

  const again = await startService(service.config, { log: createLog('fatal') });
  t.after(() => again.stop({ now: true }));
  await banner.waitFor({ state: 'detached' });
  await untilPictureShown(page);
  assert.equal((await call(keys.test, 'GET', '/v1/images')).data.items.length, 2);
});

test('a page that cannot be fetched while the service is down says so, and opens by itself once it is back', async (t) => {
  const port = await freePort();
  const service = await startTestService(t, { env: { DARKROOM_PORT: String(port) } });
  const page = await openInKeptPage(t, service, { keys: service.keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByTestId('price').waitFor();
  await service.service.stop({ now: true });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
  await page.getByRole('heading', { name: 'This page has not loaded yet' }).waitFor();
  await page
    .getByRole('status')
    .getByText(/^The service does not answer/)
    .waitFor();
  await page.getByRole('button', { name: 'Try now' }).click();
  assert.ok(await page.getByRole('heading', { name: 'This page has not loaded yet' }).isVisible());

  const again = await startService(service.config, { log: createLog('fatal') });
  t.after(() => again.stop({ now: true }));
  await page.getByRole('heading', { name: 'No test orders in this period' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Make' }).click();
  assert.equal(await page.getByLabel('Prompt', { exact: true }).inputValue(), 'a fox');
});

test('a page whose files were replaced by another version is fetched with the new one', async (t) => {
  const { key } = await shared.issueKey({ mode: 'test' });
  const page = await openInKeptPage(t, shared, { keys: { test: key } });
  await page.getByTestId('price').waitFor();
  let refused = 0;
  await page.route(/\/assets\/usage-page-.*\.js$/, (route) => {
    refused += 1;
    return refused === 1 ? route.fulfill({ status: 404, body: 'gone' }) : route.continue();
  });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
  await page.getByRole('heading', { name: 'No test orders in this period' }).waitFor();
  assert.equal(refused, 2);
});

test('the tile of webhooks on an open page says what receivers answered, and is green only after a delivery', async (t) => {
  const receiver = await startReceiver(t, (attempt) => (attempt <= 1 ? 500 : 204));
  const service = await startSwiftService(t, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
  const { keys, make, ended } = service;
  const page = await openInKeptPage(t, service, { keys, at: '/now', readsEveryMs: 1_000 });
  const tile = page.getByRole('listitem').filter({ has: page.getByText('Webhooks', { exact: true }) });
  await tile.getByText('none sent').waitFor();
  const body = { model_id: 'sketch', prompt: 'a fox', size: '64x64', webhook_url: receiver.url };
  await ended(keys.test, await make(keys.test, '/v1/images', body));
  await receiver.count(1);
  await tile.getByText(`1 waiting, last answer 500 from ${new URL(receiver.url).host}`).waitFor();
  await receiver.count(2);
  await tile.getByText(/^last delivered /).waitFor();
});

test('a tile is green only for what was seen to work a short while ago, and says when', async (t) => {
  const service = await startTestService(t);
  const page = await openConsole(t, service, { keys: service.keys, at: '/now' });
  const tile = (name: string, tone: string) =>
    page.locator(`li[data-tone="${tone}"]`).filter({ has: page.getByText(name, { exact: true }) });
  await page.clock.install();
  await page.reload();
  const names = ['Orders', 'Database', 'Storage', 'Processes', 'Upstreams'];
  for (const name of names)
    await tile(name, 'good')
      .getByText(/, seen \d+ s ago$/)
      .waitFor();
  // The page is told nothing any more, as by a service that hangs.
  await page.route(/\/(readyz|admin\/v1\/processes)$/, () => undefined);
  await page.clock.fastForward(150_000);
  for (const name of names)
    await tile(name, 'quiet')
      .getByText(/^last seen to work 2 min \d+ s ago$/)
      .waitFor();
  assert.equal(await tile('Disks', 'good').count(), 0);
});

test('the tile of a database that takes no writes says so without a change, and when it last worked', async (t) => {
  let refuses = false;
  const service = await startTestService(t, {
    service: {
      tempo: { readinessFreshMs: 0 },
      commitHook: (moment) => {
        if (refuses && moment === 'before') throw new Error('the disk is read-only');
      },
    },
  });
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/now', readsEveryMs: 1_000 });
  const tile = page.getByRole('listitem').filter({ has: page.getByText('Database', { exact: true }) });
  await tile.getByText(/^works, seen \d+ s ago$/).waitFor();
  refuses = true;
  await tile.getByText(/; last worked .*:\d\d/).waitFor();
  refuses = false;
  await tile.getByText(/^works, seen \d+ s ago$/).waitFor();
});
