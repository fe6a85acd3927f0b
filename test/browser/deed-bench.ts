import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page, Route } from 'playwright-core';
import { type OidcProvider, startOidcProvider } from '../helpers/oidc-provider.ts';
import type { TestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import type { DeedRow, PreparedDeed } from './deed-row.ts';
import { deedRows } from './deed-rows.ts';
import { accountRows } from './deed-rows-accounts.ts';
import { developerRows } from './deed-rows-developers.ts';
import { localRows } from './deed-rows-local.ts';
import { memberRows } from './deed-rows-members.ts';
import { operationsRows } from './deed-rows-operations.ts';
import { teamRows } from './deed-rows-team.ts';
import { troubleRows } from './deed-rows-trouble.ts';
import { webhookRows } from './deed-rows-webhooks.ts';
import { workRows } from './deed-rows-work.ts';
import { openInKeptPage } from './kept-page.ts';
import { type Break, drop, lose } from './order-form.ts';
import { startSwiftService } from './swift-service.ts';

interface DeedBench {
  readonly service: TestService;
  readonly provider: OidcProvider;
}

/** The rows in parts that take about as long, each of which a file tests. */
export const DEEDS = {
  keys: async ({ service }: DeedBench) => deedRows(service),
  accounts: async ({ service, provider }: DeedBench) => [
    ...accountRows(service),
    ...(await memberRows(service, provider)),
    ...teamRows(service),
  ],
  developers: async ({ service }: DeedBench) => developerRows(service),
  operations: async ({ service }: DeedBench) => [...operationsRows(service), ...(await localRows())],
  trouble: async ({ service }: DeedBench) => troubleRows(service),
  work: async ({ service }: DeedBench) => [...(await webhookRows(service)), ...workRows(service)],
} satisfies Readonly<Record<string, (bench: DeedBench) => Promise<readonly DeedRow[]>>>;

/** Starts what the rows of a file need. */
export async function openDeedBench(): Promise<DeedBench> {
  const provider = await startOidcProvider(wholeFile);
  const service = await startSwiftService(wholeFile, {
    env: {
      ...provider.env,
      DARKROOM_OIDC_ROLES: 'leads=manager@default',
      DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
      DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64'),
    },
  });
  provider.serve(service.url);
  return { service, provider };
}

/** What happens to the presses of one page, one after the other, before one goes well. */
const ALL = { 'is refused, does not arrive, and arrives without its answer': [refuse, lose, drop] };
/** The same on two pages: the last press says something else if one before has done it. */
const APART = {
  'is refused, and the next one does not arrive': [refuse, lose],
  'arrives, and its answer is lost': [drop],
};
/** How often the console sends a request without an answer. */
const ATTEMPTS = 3;

/** Returns the tests of one part of the rows. The file defines them, so that a run knows whose they are. */
export async function deedTests(
  part: keyof typeof DEEDS,
): Promise<readonly (readonly [name: string, run: (t: TestContext) => Promise<void>])[]> {
  const bench = await openDeedBench();
  const rows: readonly DeedRow[] = await DEEDS[part](bench);
  return rows.flatMap((row) =>
    Object.entries(row.tellsWhen === true ? APART : ALL).map(
      ([way, breaks]) =>
        [
          `${row.name} is told truly and done once if the request ${way}`,
          async (t: TestContext) => {
            const prepared = await row.prepare();
            const { keys, at, signIn, restore } = prepared;
            const page = await openInKeptPage(t, row.service ?? bench.service, {
              ...(keys === undefined ? {} : { keys }),
              at,
              isHasty: true,
            });
            // After the console has closed: what it still sends must not undo this.
            t.after(() => restore?.());
            await signIn?.(page);
            await testDeed(page, { ...row, ...prepared }, breaks);
          },
        ] as const,
    ),
  );
}

async function testDeed(page: Page, row: DeedRow & PreparedDeed, breaks: readonly Break[]): Promise<void> {
  const { count, press, again = press, doneWords } = row;
  let answer: Break = refuse;
  let sent: string[] = [];
  await page.route(row.request, async (route) => {
    if (route.request().method() !== row.method) return await route.fallback();
    sent.push(route.request().headers()['idempotency-key'] ?? '');
    await answer(route);
  });
  let act = press;
  let isShownDone = false;
  for (const breakAnswer of breaks) {
    answer = breakAnswer;
    // A refused deed is over: the next press is another one.
    if (breakAnswer === lose) sent = [];
    const before = sent.length;
    await act(page);
    act = again;
    if (breakAnswer === refuse) {
      await page.getByText('This is refused.').first().waitFor();
      assert.equal(await page.getByText('It is not known').count(), 0);
      assert.equal(await count(), 0);
      continue;
    }
    await until(
      () => sent.length,
      (attempts) => attempts === before + ATTEMPTS,
    );
    isShownDone = row.isReadAgain === true && breakAnswer === drop;
    if (!isShownDone) await page.getByText('It is not known').first().waitFor();
    assert.equal(await count(), breakAnswer === drop ? 1 : 0);
    const told = await page.getByText(/^It is not known whether/).allTextContents();
    for (const text of told)
      assert.match(text, /whether .+ (?:is|are|was|were|arrived|began|begun)\b/, 'is a sentence');
    for (const word of row.untrue ?? []) assert.equal(await page.getByText(word).count(), 0, word);
    if (row.method === 'POST')
      assert.equal(await isBooked(page, sent[before] ?? ''), row.isUnbooked !== true, 'the book has its key');
  }
  answer = (route) => route.continue();
  if (!isShownDone) await again(page);
  await doneWords(page, breaks.at(-1) === lose);
  // Some buttons show a state that is still being sent.
  assert.equal(await until(count, (done) => done > 0), 1);
  if (row.method !== 'POST') return;
  assert.match(sent[0] ?? '', /^console-/);
  if (row.isContinued) assert.equal(new Set(sent).size, 1, 'one Idempotency-Key');
}

/** Tells whether the book of the page has a deed. */
export async function isBooked(page: Page, key: string): Promise<boolean> {
  return await page.evaluate<boolean>(`localStorage.getItem('darkroom.order.${key}') !== null`);
}

async function refuse(route: Route): Promise<void> {
  await route.fulfill({
    status: 400,
    contentType: 'application/json',
    body: JSON.stringify({
      error: { status: 400, code: 'invalid_request', message: 'This is refused.', details: [], retryable: false },
      timestamp: new Date().toISOString(),
    }),
  });
}
