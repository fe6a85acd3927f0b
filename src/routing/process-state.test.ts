import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PricedEngine } from '@darkroom-service/contract/catalog';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { insertProcess } from '../../test/helpers/insert-process.ts';
import { startTestRefresh } from '../../test/helpers/start-refresh.ts';
import { openTestServices } from '../../test/helpers/task-services.ts';
import type { Database } from '../database/database.ts';
import type { ProcessFacts } from '../database/process-facts.ts';
import { openProcessState, type ProcessState } from './process-state.ts';

const NONE = { day: null, month: null };

/** The engine that only a worker with this index has, and one that all have. */
function pricedAt(index: number): PricedEngine[] {
  const priced = { multiplier: '1', isFree: false, needsParameters: true, models: null };
  return ['fal', `own-${index}`].map((name) => ({ ...priced, name, kind: name }));
}

/** Opens what workers know of themselves and of each other, each with its key of fal. */
async function openWorkers(
  t: TestContext,
  kind: Database['kind'],
  keys: readonly string[],
  role: 'api' | 'worker' = 'worker',
) {
  const { services, clock, openAnother } = await openTestServices(t, kind);
  const workers: { facts: ProcessState; told: () => Promise<void> }[] = [];
  for (const [index, key] of keys.entries()) workers.push(await open(key, index));
  return workers;

  async function open(key: string, index: number) {
    const { database } = index === 0 ? services : await openAnother();
    const name = `w${index + 1}`;
    await database.write('process', async (trx) => {
      await insertProcess(trx, name, index === 0 ? { role } : {});
      await trx.run(trx.builder.updateTable('processes').set({ beat_at: Number.MAX_SAFE_INTEGER }));
    });
    let told = Promise.resolve();
    // As its heartbeats do.
    const publish = (facts: string) => {
      const write = () =>
        database.write('facts', (trx) =>
          trx.run(trx.builder.updateTable('processes').set({ facts }).where('id', '=', name)),
        );
      told = told.then(write).then(() => {});
    };
    const spendLimits: ProcessFacts['spendLimits'] = { fal: { ...NONE, day: (index + 1) * 1_000_000 } };
    const process = { id: name, role: index === 0 ? role : 'worker', host: 'test' };
    const engines = () => ['fal', ...(index === 0 ? ['comfyui'] : [])];
    const options = {
      database,
      clock,
      process,
      publish,
      startRefresh: startTestRefresh,
      spendLimits,
      engines,
      priced: pricedAt(index),
    };
    const facts = await openProcessState({
      ...options,
      keys: { fal: key },
      storage: 'bucket',
      settingOf: () => 'FAL_KEY',
    });
    t.after(() => facts.stop());
    await told;
    return { facts, told: () => told };
  }
}

forEachDatabase((kind) => {
  test('a key that an upstream refuses concerns one process only, as long as a worker with another key goes on', async (t) => {
    const [right, wrong, other] = await openWorkers(t, kind, ['right', 'wrong', 'also wrong']);
    assert.ok(right && wrong && other);
    assert.equal(await wrong.facts.keyRefused('fal', 'no such key'), true);
    assert.deepEqual([wrong.facts.refusedKey('fal')?.reason, wrong.facts.withOtherKey('fal')], ['no such key', 2]);
    assert.equal(right.facts.refusedKey('fal'), null);
    await wrong.told();
    assert.equal(await other.facts.keyRefused('fal', 'no such key'), true);
    await other.told();
    assert.equal(await right.facts.keyRefused('fal', 'revoked'), false, 'nobody is left');
    wrong.facts.tryKey('fal');
    await wrong.told();
    assert.equal(wrong.facts.refusedKey('fal'), null);
    assert.equal(await right.facts.keyRefused('fal', 'revoked'), true);
  });

  test('each worker knows which engines the others have', async (t) => {
    const [one, two] = await openWorkers(t, kind, ['same', 'same']);
    assert.ok(one && two);
    await one.facts.keyRefused('fal', 'reads what others have told');
    assert.deepEqual([two.facts.isElsewhere('comfyui'), one.facts.isElsewhere('comfyui')], [true, false]);
    assert.deepEqual([two.facts.isElsewhere('fal'), two.facts.isElsewhere('kling')], [true, false]);
  });

  test('all processes price by the engines of the workers, and one without workers by its own', async (t) => {
    const [api, one, two] = await openWorkers(t, kind, ['same', 'same', 'same'], 'api');
    assert.ok(api && one && two);
    const namesAt = ({ facts }: typeof api) => facts.priced().map(({ name }) => name);
    assert.deepEqual(namesAt(api), ['fal', 'own-0'], 'it knows of no worker yet');
    for (const { facts } of [api, one, two]) await facts.keyRefused('fal', 'reads what others have told');
    for (const process of [api, one, two]) assert.deepEqual(namesAt(process), ['fal', 'own-1', 'own-2']);
    const before = api.facts.priced();
    await api.facts.keyRefused('fal', 'reads what others have told');
    assert.equal(api.facts.priced(), before, 'the same array');
  });

  test('processes with one key share what an upstream says of it', async (t) => {
    const [one] = await openWorkers(t, kind, ['same', 'same']);
    assert.equal(await one?.facts.keyRefused('fal', 'no such key'), false);
  });

  test('a worker that has never reached the storage is cut off once another one has, and the lowest spend limit counts', async (t) => {
    const [one, two, three] = await openWorkers(t, kind, ['same', 'same', 'same']);
    assert.ok(one && two && three);
    assert.equal(one.facts.isCutOff(), false);
    two.facts.stored();
    await two.told();
    await one.facts.keyRefused('fal', 'reads what others have told');
    assert.deepEqual([one.facts.isCutOff(), two.facts.isCutOff()], [true, false]);
    one.facts.stored();
    assert.equal(one.facts.isCutOff(), false);
    await three.facts.keyRefused('fal', 'reads what others have told');
    assert.deepEqual([three.facts.spendLimit('fal', 'day'), three.facts.spendLimit('fal', 'month')], [1_000_000, null]);
  });
});
