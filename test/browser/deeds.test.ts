import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import type { Page, Route } from 'playwright-core';
import { startOidcProvider } from '../oidc-provider.ts';
import { startTestService } from '../service.ts';
import { wholeFile } from '../whole-file.ts';
import { openConsole } from './browser.ts';
import { deedRows } from './deed-rows.ts';
import { accountRows } from './deed-rows-accounts.ts';
import { developerRows } from './deed-rows-developers.ts';
import { localRows } from './deed-rows-local.ts';
import { memberRows } from './deed-rows-members.ts';
import { operationsRows } from './deed-rows-operations.ts';
import { teamRows } from './deed-rows-team.ts';
import { troubleRows } from './deed-rows-trouble.ts';
import { WEBHOOK_TOKEN, webhookRows } from './deed-rows-webhooks.ts';
import { workRows } from './deed-rows-work.ts';
import { drop, lose, openTray } from './order-form.ts';

/** Every form and button of the console that changes something, against answers that are lost. */

const provider = await startOidcProvider(wholeFile);
const service = await startTestService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_OIDC_ROLES: 'leads=manager@default',
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64'),
  },
});
provider.serve(service.url);
const rows = [
  ...deedRows(service),
  ...accountRows(service),
  ...developerRows(service),
  ...(await memberRows(service, provider)),
  ...(await webhookRows(service)),
  ...operationsRows(service),
  ...teamRows(service),
  ...troubleRows(service),
  ...workRows(service),
  ...(await localRows()),
];

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

const cases = {
  'arrives, and its answer is lost': drop,
  'does not arrive': lose,
  'is refused': (route: Route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({
        error: { status: 400, code: 'invalid_request', message: 'This is refused.', details: [], retryable: false },
        timestamp: new Date().toISOString(),
      }),
    }),
};

for (const row of rows)
  for (const [way, breakAnswer] of Object.entries(cases))
    test(`${row.name} is told truly and done once if the request ${way}`, async (t) => {
      const { keys, at, signIn, count, press, again, doneWords, restore } = await row.prepare();
      t.after(() => restore?.());
      // Ends before the page does, which may still send.
      t.after(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
      const page = await openConsole(t, row.service ?? service, { ...(keys === undefined ? {} : { keys }), at });
      await signIn?.(page);
      let isBroken = true;
      const sent: string[] = [];
      await page.route(row.request, async (route) => {
        if (route.request().method() !== row.method) return await route.fallback();
        sent.push(route.request().headers()['idempotency-key'] ?? '');
        await (isBroken ? breakAnswer(route) : route.continue());
      });
      await press(page);
      if (way === 'is refused') {
        await page.getByText('This is refused.').first().waitFor();
        assert.equal(await page.getByText('It is not known').count(), 0);
        assert.equal(await count(), 0);
        return;
      }
      const isShownDone = row.isReadAgain === true && way !== 'does not arrive';
      if (isShownDone)
        await until(
          () => sent.length,
          (attempts) => attempts === 3,
        );
      else await page.getByText('It is not known').first().waitFor();
      assert.equal(await count(), way === 'does not arrive' ? 0 : 1);
      for (const word of row.untrue ?? []) assert.equal(await page.getByText(word).count(), 0, word);
      if (row.method === 'POST')
        assert.equal(await isBooked(page, sent[0] ?? ''), row.isUnbooked !== true, 'the book has its key');
      isBroken = false;
      if (!isShownDone) await (again ?? press)(page);
      await doneWords(page, way === 'does not arrive');
      // Some buttons show a state that is still being sent.
      assert.equal(await until(count, (done) => done > 0), 1);
      if (row.method !== 'POST') return;
      assert.match(sent[0] ?? '', /^console-/);
      if (row.isContinued) assert.equal(new Set(sent).size, 1, 'one Idempotency-Key');
    });

async function isBooked(page: Page, key: string): Promise<boolean> {
  return await page.evaluate<boolean>(`localStorage.getItem('darkroom.order.${key}') !== null`);
}

test('every form of the console that changes something stands in this table', () => {
  const root = join(import.meta.dirname, '../../console/src');
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !['api/types.ts', 'api/operations.ts', 'api/deeds.ts', 'pages/people/key-draft.ts'].includes(path),
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
  const page = await openConsole(t, service, { keys, at });
  await page.route(credit.request, drop);
  await press(page);
  await page.getByText('It is not known whether it was credited').waitFor();
  await page.unroute(credit.request);
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
    const page = await openConsole(t, service, { keys, at });
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
