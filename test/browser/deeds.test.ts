import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEEDS, isBooked, openDeedBench } from './deed-bench.ts';
import { WEBHOOK_TOKEN } from './deed-rows-webhooks.ts';
import { openInKeptPage } from './kept-page.ts';
import { drop, openTray } from './order-form.ts';

/** Every form and button of the console that changes something stands in a table of deeds. */

const bench = await openDeedBench();
const { service } = bench;
const rows = (await Promise.all(Object.values(DEEDS).map((rowsOf) => rowsOf(bench)))).flat();

/** Forms whose lost answers have tests of their own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'pages/people/invite-button.tsx POST /v1/account/invitations': 'team.test.ts, the same form',
  'pages/people/members-panel.tsx PATCH /v1/account/members/{person_id}': 'team.test.ts',
  'pages/people/members-panel.tsx DELETE /v1/account/members/{person_id}': 'team.test.ts',
  'pages/people/known-keys.tsx POST /v1/account/keys/{key_id}/revoke': 'team.test.ts',
  'api/orders.ts POST /v1/images': 'lost-answers.test.ts',
  'api/orders.ts POST /v1/images/actions': 'order-tray.test.ts',
  'api/orders.ts POST /v1/videos': 'lost-answers.test.ts, the same form',
  'api/orders.ts POST /v1/batches': 'light-table-order.test.ts',
};

/** Where the console asks whether a deed may be done, and does none. */
const ASKED = /(?:\bmay\(|useMay\(\)\(|useLiveKey\(|\bneeds: |\bor: )'[^']+'/g;

test('every form of the console that changes something stands in this table', () => {
  const root = join(import.meta.dirname, '../../console/src');
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/^(?:api\/(?:types|operations|operation-roles|deeds|form-fields)|texts\/form-words)\.ts$/.test(path),
  );
  const found = files.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8')
        .replace(ASKED, '')
        .matchAll(/'((?:POST|PUT|PATCH|DELETE) \/[^' ]+)'/g),
    ]
      .map(([, deed]) => deed ?? '')
      .filter((deed) => !/\/prices(?:\/compare)?$/.test(deed))
      .map((deed) => `${path} ${deed}`),
  );
  const listed = [...rows.flatMap(({ covers }) => covers), ...Object.keys(ELSEWHERE)];
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(found)].sort());
});

test('only the book of deeds sends what changes something', () => {
  const root = join(import.meta.dirname, '../../console/src');
  const senders = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) =>
    /\bcall(?:Deed|Upload)\b/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(senders.sort(), ['api/client.ts', 'api/deeds.ts', 'api/orders.ts']);
});

test('a credit whose dialog was closed without an answer is continued by the same one, and told as done before', async (t) => {
  const credit = rows.find(({ name }) => name === 'a credit');
  assert.ok(credit !== undefined);
  const { keys = {}, at, count, press } = await credit.prepare();
  const page = await openInKeptPage(t, service, { keys, at });
  await page.route(credit.request, drop);
  await press(page);
  await page.getByText('It is not known whether it was credited').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await press(page);
  await page.getByText(/had credited it, and it was not credited again\./).waitFor();
  assert.equal(await count(), 1);
});

for (const [when, breakAnswer] of Object.entries({
  'has no answer': drop,
  'is left before its answer': () => new Promise<never>(() => {}),
}))
  test(`a webhook test that ${when} leaves no URL in the browser, and is not sent again after a reload`, async (t) => {
    const row = rows.find(({ name }) => name === 'a webhook test');
    assert.ok(row !== undefined);
    const { keys = {}, at, press } = await row.prepare();
    const page = await openInKeptPage(t, service, { keys, at });
    const sent = page.waitForRequest(row.request);
    await page.route(row.request, breakAnswer);
    await press(page);
    const key = (await sent).headers()['idempotency-key'] ?? '';
    if (breakAnswer === drop) await page.getByText('It is not known').first().waitFor();
    assert.equal(await isBooked(page, key), true);
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    assert.ok(!stored.includes(WEBHOOK_TOKEN), stored);
    let sentAgain = 0;
    page.on('request', (request) => {
      if (row.request.test(request.url())) sentAgain++;
    });
    await page.reload();
    const tray = await openTray(page);
    await tray.getByText('Look at its page, and do it there again if it was not.', { exact: false }).waitFor();
    assert.equal(await tray.getByRole('button', { name: 'Try now' }).count(), 0);
    assert.equal(sentAgain, 0);
  });
