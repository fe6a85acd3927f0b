import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { servePicture } from '../helpers/serve-picture.ts';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { growingIn, scansOfPostgres, scansOfSqlite } from '../plans/explain.ts';
import { growPostgres } from '../plans/grow-postgres.ts';
import { MAY_SCAN } from '../plans/grown-tables.ts';
import { createNotLoaded, goHotWays, ShiftedClock } from '../plans/hot-ways.ts';
import { type SeenStatement, watchStatements } from '../plans/watch-statements.ts';

test('no statement on the ways of an order reads a growing table from end to end', async (t) => {
  const clock = new ShiftedClock();
  const receiver = await startReceiver(t, (attempt) => (attempt === 1 ? 500 : 204));
  const notLoaded = createNotLoaded();
  const { directory } = await openCatalogOverlay(t, [notLoaded.entry]);
  const service = await startTestService(t, {
    env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8', DARKROOM_CATALOG_DIR: directory },
    service: {
      clock,
      engines: [createStoppableEngine(), notLoaded.engine],
      tempo: { deliveryPausesMs: [1], addedEveryMs: 3_600_000 },
    },
  });
  const statementsSoFar = watchStatements(t);
  const picture = await servePicture(t);
  await goHotWays(service, clock, { hook: receiver.url, picture, notLoaded });
  const statements = statementsSoFar().filter(({ text }) => growingIn(text).length > 0);
  // Its housekeeping would remove the rows that are added now.
  await service.service.stop({ now: true });
  const { databaseUrl, databasePath } = service.config;
  assertTaken(statements, databaseUrl === null ? [] : SHARED);
  if (databaseUrl !== null) await growPostgres(databaseUrl);
  const scans =
    databaseUrl === null ? scansOfSqlite(databasePath, statements) : await scansOfPostgres(databaseUrl, statements);
  const mayScan = Object.keys(MAY_SCAN);
  assert.deepEqual(
    scans.filter(({ text }) => !mayScan.some((beginning) => text.startsWith(beginning))),
    [],
  );
});

/** What the ways of an order write. */
const WRITTEN = [
  'tasks',
  'ledger',
  'idempotency',
  'meters',
  'spending',
  'files',
  'task_waits',
  'batches',
  'batch_orders',
  'openai_calls',
  'output_hashes',
];
const TOLD = ['webhook_deliveries', 'webhook_attempts', 'shares', 'task_tags'];

/** The statements that open the gates of orders. A claim opens `route`, when the order is due. */
const OPENED = {
  parent: /\(gates & 1\) <> 0.* update "tasks" set "request_json" = /s,
  batch: /update "tasks" set .*"gates" = gates & -3\b/s,
  reference: /update "tasks" set .*"gates" = gates & -5\b/s,
  route: /^update "tasks" set "next_at" = .*\(gates & 8\) <> 0/s,
};

/** How statements begin that units of a group share. */
const SHARED = [
  'select "scope", "fingerprint", "subject_id", "given"',
  'update "tasks" set "started_at" = "given"',
  'update "tasks" set "operation_json" = "given"',
  'update "tasks" set "status" = "given"',
];

/** Plans of statements that were never seen would prove nothing. */
function assertTaken(statements: readonly SeenStatement[], shared: readonly string[]): void {
  for (const beginning of shared)
    assert.ok(
      statements.some(({ text }) => text.startsWith(beginning)),
      `nothing begins with ${beginning}`,
    );
  const writes = statements.filter(({ text }) => !text.startsWith('select'));
  for (const table of [...WRITTEN, ...TOLD])
    assert.ok(
      writes.some(({ text }) => growingIn(text).includes(table)),
      `nothing was written to ${table}`,
    );
  assert.ok(
    statements.some(({ text }) =>
      /^select "grouped"\."task_id" as "id" from \(select task_id from batch_orders/.test(text),
    ),
    'no list by batch_id',
  );
  const ofOpenOrders = statements.filter(({ text }) => /^select sum\("price"\) as "held" from "tasks"/.test(text));
  assert.ok(ofOpenOrders.length > 0, 'nobody asked what is held');
  // Without it, an index of all orders of the key is read.
  for (const { text } of ofOpenOrders) assert.match(text, / and status <> 'succeeded'/);
  for (const [gate, opens] of Object.entries(OPENED))
    assert.ok(
      statements.some(({ text }) => opens.test(text)),
      `no gate ${gate} was opened`,
    );
  for (const filter of ['status', 'model_id', 'end_user', 'parent_task_id'])
    assert.ok(
      statements.some(({ text }) => new RegExp(`^select "id" from "tasks" .*"${filter}" = `).test(text)),
      `no list by ${filter}`,
    );
}
