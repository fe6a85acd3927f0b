import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { startDarkroom } from '../helpers/run-darkroom.ts';
import { startTestService } from '../helpers/service.ts';
import { openInKeptPage } from './kept-page.ts';
import { isBroken, part, says } from './night.ts';

/** What a page shows while what it shows cannot be read again. */

const BANNER = /^The service does not answer\. The console asks again/;
const GOOD = 'main [data-tone="good"]';
const WAITING = 'main :is(.mantine-Skeleton-root, .mantine-Loader-root)';
const OFF = 'main fieldset:disabled';

/** Pages of every place. */
const VIEWS = [
  '/',
  '/now',
  '/now/upstreams',
  '/orders',
  '/orders/:taskId',
  '/money/usage',
  '/money/margins',
  '/people/keys',
  '/people/accounts',
];

/** The numbers of rows, panels, facts and pictures of a page, whose words change. */
const shape = (page: Page) =>
  page.locator('main').evaluate((main) => {
    const count = (selector: string) =>
      (main as { querySelectorAll(text: string): ArrayLike<unknown> }).querySelectorAll(selector).length;
    return [count('tbody tr'), count('section'), count('dl > div'), count('li'), count('img')];
  });

test('a service that is killed turns every open page grey at the first failed look, nothing shown is lost, and all is whole again after its start', async (t) => {
  const port = await freePort();
  const made = await startTestService(t, { env: { DARKROOM_PORT: String(port) } });
  const { keys, make, issueKey } = made;
  const fox = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  await issueKey({ mode: 'live', name: 'Anna' });
  await made.service.stop({ now: true });
  const variables = {
    DARKROOM_DATA_DIR: dirname(made.config.databasePath),
    DARKROOM_PORT: String(port),
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_MEDIA_PROCESSES: '1',
  };
  const start = async () => {
    const { process: service, ended } = startDarkroom(['serve'], variables, variables.DARKROOM_DATA_DIR);
    const kill = async () => {
      service.kill('SIGKILL');
      await ended;
    };
    t.after(kill);
    await until(
      async () => (await fetch(`${made.url}/healthz`).catch(() => null))?.status,
      (status) => status === 200,
    );
    return kill;
  };
  const kill = await start();
  const tabs = new Map<string, Page>();
  for (const at of VIEWS.map((view) => view.replace(':taskId', fox.task_id))) {
    // A browser opens six connections to a service, and each tab keeps two: so each has a context of its own.
    const tab = await openInKeptPage(t, made, { keys, at });
    tabs.set(at, tab);
    await tab
      .getByRole('main')
      .getByRole(at === '/' ? 'link' : 'heading')
      .nth(1)
      .waitFor();
    await until(
      () => tab.locator(WAITING).count(),
      (count) => count === 0,
    );
  }
  const first = tabs.get('/now')!;
  await says(first, 'Database', /^works, seen /);
  assert.notEqual(await first.locator(GOOD).count(), 0);
  const before = new Map<string, readonly number[]>();
  for (const [at, tab] of tabs) before.set(at, await shape(tab));

  await kill();
  for (const [at, tab] of tabs) {
    await tab.getByRole('status').filter({ hasText: BANNER }).waitFor();
    assert.equal(await tab.locator(GOOD).count(), 0, `${at} shows something as good`);
    assert.equal(await tab.getByText('This could not be loaded').count(), 0, `${at} has lost what it showed`);
    assert.deepEqual(await shape(tab), before.get(at), at);
  }
  for (const name of ['Orders', 'Database', 'Storage', 'Disks', 'Processes', 'Upstreams', 'Webhooks'])
    await part(first, name).getByText('not known while the service does not answer').waitFor();
  await first
    .getByText(/^Not read for \d+ s\.$/)
    .first()
    .waitFor();
  assert.notEqual(await tabs.get('/people/keys')?.locator(OFF).count(), 0);

  await start();
  for (const [at, tab] of tabs) {
    await tab.getByRole('status').filter({ hasText: BANNER }).waitFor({ state: 'detached' });
    await until(
      () => tab.locator(OFF).count(),
      (count) => count === 0,
    );
    assert.deepEqual(await shape(tab), before.get(at), at);
  }
  await says(first, 'Database', /^works, seen /);
});

test('a disk that refuses what is written is red by the next look, whatever was measured of it before', async (t) => {
  const service = await startTestService(t, { service: { tempo: { readinessFreshMs: 0 } } });
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/now', readsEveryMs: 1_000 });
  await says(page, 'Disks', /^have room, seen /);
  const temporary = join(service.config.dataDirectory, 'tmp');
  await rm(temporary, { recursive: true });
  // No folder can be made of a file: like a full disk, it refuses what is written.
  await writeFile(temporary, '');
  await isBroken(page, 'Disks');
  await rm(temporary);
  await says(page, 'Disks', /^have room, seen /);
});
