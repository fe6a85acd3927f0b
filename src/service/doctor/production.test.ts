import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markChore } from '@darkroom-service/store';
import { insertProcess } from '../../../test/helpers/insert-process.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { createPostgresDatabase } from '../../../test/helpers/postgres-server.ts';
import { installation, runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { databaseNow } from '../../database/database-now.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { ProcessFacts } from '../../database/process-facts.ts';
import type { Check } from '../check.ts';
import { judgeProduction } from './production.ts';

const FACTS = { engines: [], keys: {}, refused: {}, spendLimits: {}, storage: '' };
const HOUR_MS = 60 * 60_000;

/** An installation on PostgreSQL with the settings of production, and its lines by name. */
async function openInstallation(t: Parameters<typeof createPostgresDatabase>[0]) {
  const url = await createPostgresDatabase(t);
  const database = await openDatabase({ url, path: '', listen: false });
  t.after(() => database.close());
  const config = loadConfig({
    DARKROOM_DATABASE_URL: url,
    DARKROOM_STORAGE_URL: 's3://pictures',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    DARKROOM_TRUST_PROXY: '10.0.0.0/8',
    DARKROOM_METRICS_PORT: '9090',
  });
  return {
    database,
    async look(): Promise<Record<string, Check>> {
      const lines = await Array.fromAsync(judgeProduction(config, Date.now()));
      return Object.fromEntries(lines.map((line) => [line.name.replace('production ', ''), line]));
    },
    async start(id: string, role: string, host: string, hasStored = true) {
      await database.write('process', async (trx) => {
        await insertProcess(trx, id, { role, host, beat_at: await databaseNow(trx) });
        const facts: ProcessFacts = { ...FACTS, hasStored };
        await trx.run(
          trx.builder
            .updateTable('processes')
            .set({ facts: JSON.stringify(facts) })
            .where('id', '=', id),
        );
      });
    },
  };
}

test('production needs two processes of each kind, on two machines', async (t) => {
  const { look, start } = await openInstallation(t);
  assert.deepEqual(await look().then(({ processes, storage }) => [processes?.status, storage?.status]), [
    'failed',
    'failed',
  ]);
  await start('api-1', 'api', 'one');
  await start('worker-1', 'worker', 'one');
  await start('api-2', 'api', 'one');
  assert.equal((await look()).processes?.status, 'failed');
  await start('worker-2', 'worker', 'one');
  assert.equal((await look()).processes?.status, 'warning');
  await start('all-1', 'all', 'two');
  const { processes } = await look();
  assert.deepEqual(
    [processes?.status, processes?.found],
    ['ok', '3 that answer requests, 3 that work on orders, on 2 machines, of version 0'],
  );
});

test('production needs a bucket that every process has reached, and names one that has not', async (t) => {
  const { look, start } = await openInstallation(t);
  await start('worker-1', 'worker', 'one');
  assert.equal((await look()).storage?.status, 'ok');
  await start('worker-2', 'worker', 'two', false);
  const { storage } = await look();
  assert.deepEqual([storage?.status, storage?.found], ['failed', 'not reached by worker at two (worker-2)']);
});

test('settings of production are met, and a server without a standby is not enough', async (t) => {
  const { look } = await openInstallation(t);
  const lines = await look();
  for (const name of ['database', 'proxy', 'metrics']) assert.equal(lines[name]?.status, 'ok', name);
  assert.deepEqual([lines.standbys?.status, lines.address?.status], ['failed', 'failed']);
  for (const { expected, status, advice } of Object.values(lines)) {
    assert.ok(expected !== undefined && expected !== '');
    assert.equal(advice === null, status === 'ok');
  }
});

test('docs/production.md has a step for each line, and the sections that the advice names', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/production.md'), 'utf8');
  const { look } = await openInstallation(t);
  for (const [name, { advice }] of Object.entries(await look())) {
    assert.ok(page.includes(`\`${name}\``), name);
    const section = /docs\/production\.md, "([^"]+)"/.exec(advice ?? '')?.[1];
    if (section !== undefined) assert.ok(page.includes(`\n## ${section}\n`), section);
  }
});

test('a recorded backup counts for 26 hours', async (t) => {
  const { database, look } = await openInstallation(t);
  assert.equal((await look()).backup?.status, 'failed');
  for (const [hours, status] of [
    [25, 'ok'],
    [27, 'failed'],
  ] as const) {
    await database.write('backup', async (trx) => markChore(trx, 'backup', (await databaseNow(trx)) - hours * HOUR_MS));
    assert.equal((await look()).backup?.status, status, `${hours} hours`);
  }
});

test('an installation on one disk lacks what production expects, but a backup by its command is known, and lines can be accepted', async (t) => {
  const { directory, data, run, json } = await installation(t);
  await json('keys', 'create', '--mode', 'test');
  const lines = async (...words: string[]) => {
    const { code, stdout } = await runDarkroom(
      ['doctor', '--production', '--json', ...words],
      { DARKROOM_DATA_DIR: data },
      directory,
    );
    const { checks } = JSON.parse(stdout) as { checks: Check[] };
    const ofProduction = checks.filter(({ name }) => name.startsWith('production '));
    return { code, statuses: new Map(ofProduction.map(({ name, status }) => [name, status])) };
  };
  const before = await lines();
  assert.equal(before.code, 1);
  for (const name of ['database', 'standbys', 'processes', 'storage', 'address', 'backup', 'alerts'])
    assert.equal(before.statuses.get(`production ${name}`), 'failed', name);
  await json('backup', `${directory}/backup`);
  assert.equal((await lines()).statuses.get('production backup'), 'ok');
  await json('backup', '--record');
  const accepted = await lines('--accept', 'standbys,database');
  assert.deepEqual(
    ['standbys', 'database', 'storage'].map((name) => accepted.statuses.get(`production ${name}`)),
    ['ok', 'ok', 'failed'],
  );
  assert.equal((await run('backup')).code, 2);
  assert.equal((await run('doctor', '--accept', 'backup')).code, 2);
  assert.match(
    (await run('doctor', '--production', '--accept', 'nothing')).stderr,
    /no line of production is named nothing/,
  );
});
