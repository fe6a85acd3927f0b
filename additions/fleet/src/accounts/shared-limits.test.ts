import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DEFAULT_INSTANCE } from '@darkroom-service/engines';
import { createLog } from '../../../../src/base/log.ts';
import type { Database } from '../../../../src/database/database.ts';
import { countOrdersIn } from '../../../../src/queue/queue-capacity.ts';
import { createAnswers } from '../../../../src/routing/engine-limits.ts';
import { openTestDatabase } from '../../../../test/helpers/databases.ts';
import { loadConfig } from '../../../../test/helpers/load-config.ts';
import { createPostgresDatabase } from '../../../../test/helpers/postgres-server.ts';
import { createScriptedEngine } from '../../../../test/helpers/scripted-engine.ts';
import { startTestRefresh } from '../../../../test/helpers/start-refresh.ts';
import { createShareStore, type Whole } from './share-store.ts';
import { openSharedLimits } from './shared-limits.ts';
import { upstreamAccounts } from './upstream-accounts.ts';

const ENGINE = {
  ...createScriptedEngine({ name: 'fal', concurrency: 16 }),
  adapts: { floor: 2, ceiling: 64 },
  instance: { ...DEFAULT_INSTANCE, kind: 'fal', submissionsPerMinute: 60 },
  checksPerMinute: 90,
};
const ENVIRONMENT = { FAL_KEY: 'a:b', DARKROOM_DATA_DIR: join(tmpdir(), 'darkroom-nowhere') };
const CONFIG = loadConfig(ENVIRONMENT);
const PAINTER = createScriptedEngine({ name: 'painter', concurrency: 5 });
const OWN = { of: () => 5, refused() {}, succeeded() {}, async refresh() {}, async stop() {} };

async function openCellDatabase(t: TestContext, id: string): Promise<Database> {
  const { database } = await openTestDatabase(t, 'sqlite');
  const row = { row: 1, id, owner: id, beat: 0, system_id: null, database_oid: null };
  await database.write('test', (trx) =>
    trx.run(trx.builder.insertInto('installation').values({ ...row, held: null, prefix: null, sweep_stopped: null })),
  );
  return database;
}

async function openCell(
  t: TestContext,
  partsUrl: string,
  database: Database,
  variables: Readonly<Record<string, string>> = {},
) {
  const closers = new AsyncDisposableStack();
  t.after(() => closers.disposeAsync());
  const limits = await openSharedLimits(
    OWN,
    {
      database,
      log: createLog('silent'),
      startRefresh: startTestRefresh,
      partsUrl,
      config: loadConfig({ ...ENVIRONMENT, ...variables }),
      engines: new Map([ENGINE, PAINTER].map((engine) => [engine.name, engine])),
      tempo: { parts: { trustMs: 3_000, settleMs: 100, goneMs: 60_000 } },
      answers: createAnswers(),
      countOrders: (queue, most) => countOrdersIn(database.read, queue, most),
    },
    closers,
  );
  return limits;
}

async function refreshUntil(cells: readonly Awaited<ReturnType<typeof openCell>>[], isReached: () => boolean) {
  for (const until = performance.now() + 60_000; !isReached(); ) {
    if (performance.now() > until) assert.fail(`not reached: ${cells.map((cell) => cell.of(ENGINE))}`);
    for (const cell of cells) await cell.refresh();
  }
}

test('a refusal in one cell halves the limit of all, and another account or an engine without a key is not shared', async (t) => {
  const partsUrl = await createPostgresDatabase(t);
  const database = await openCellDatabase(t, 'one');
  const one = await openCell(t, partsUrl, database);
  const two = await openCell(t, partsUrl, await openCellDatabase(t, 'two'));
  const other = await openCell(t, partsUrl, await openCellDatabase(t, 'other'), { FAL_KEY: 'c:d' });
  const view = await openCell(t, partsUrl, database, { DARKROOM_ROLE: 'api' });
  const cells = [one, two, other, view];
  // Nothing waits, so each gets the least.
  await refreshUntil(cells, () => cells.every((cell) => cell.of(ENGINE) === 1));
  assert.equal(one.of(PAINTER), 5);
  const rates = () => cells.map((cell) => cell.perMinuteOf?.('fal', 'reads', 90));
  await refreshUntil(cells, () => rates().join() === '45,45,90,45');
  assert.equal(one.perMinuteOf?.('painter', 'reads', 90), 90);

  const store = await createShareStore(partsUrl);
  t.after(() => store.close());
  const wholes = async () => {
    const accounts = [CONFIG, loadConfig({ ...ENVIRONMENT, FAL_KEY: 'c:d' })].map(
      (config) => upstreamAccounts(config).get('fal')!,
    );
    const { rows } = await store.read(accounts);
    return accounts.map((account) => rows.find(({ id, cell }) => id === account && cell === '')?.state);
  };
  two.refused(ENGINE);
  for (let looks = 0; looks < 3; looks++) for (const cell of cells) await cell.refresh();
  const [shared, apart] = (await wholes()) as Whole[];
  assert.deepEqual([shared!.limit, apart!.limit], [8, 16]);
});

test('every look of a cell renews its parts in the shared table', async (t) => {
  const partsUrl = await createPostgresDatabase(t);
  const [one, two] = [
    await openCell(t, partsUrl, await openCellDatabase(t, 'one')),
    await openCell(t, partsUrl, await openCellDatabase(t, 'two')),
  ];
  await refreshUntil([one, two], () => one.of(ENGINE) === 1 && two.of(ENGINE) === 1);
  const store = await createShareStore(partsUrl);
  t.after(() => store.close());
  const id = upstreamAccounts(CONFIG).get('fal')!;
  const part = async () => {
    const found = (await store.read([id, `${id} reads`])).rows.filter(({ cell }) => cell === 'one');
    return found.map(({ version }) => version);
  };
  let before = await part();
  assert.equal(before.length, 2);
  for (let looks = 0; looks < 3; looks++) {
    await one.refresh();
    const after = await part();
    assert.ok(
      after.every((version, index) => version > before[index]!),
      `${after} after ${before}`,
    );
    before = after;
  }
});

test('a service starts while the shared database is away, submits nothing, and does not start if it refuses', async (t) => {
  const database = await openCellDatabase(t, 'one');
  const away = await openCell(t, 'postgres://ann:secret@127.0.0.1:1/parts', database);
  assert.equal(away.of(ENGINE), 0);
  assert.equal(away.of(PAINTER), 5);
  const url = new URL(await createPostgresDatabase(t));
  url.pathname = '/nowhere';
  await assert.rejects(openCell(t, url.href, database), /does not exist/);
});
