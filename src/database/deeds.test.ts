import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listActs } from '@darkroom-service/addition-common/operators/search-acts';
import { createIdFactory } from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { createAccount, getAccount } from '../accounts/accounts.ts';
import { issueKey, listKeys, revokeKey, rotateKey, withoutSecret } from '../accounts/api-keys.ts';
import type { Act } from '../accounts/audit.ts';
import { creditAccount } from '../accounts/credits.ts';
import { pause, resume } from '../routing/switched-off.ts';
import type { Database } from './database.ts';
import {
  ADMIN_SCOPE,
  DEED_LIFETIME_MS,
  deleteOldRequests,
  doOnce,
  type IdempotentRequest,
  type Once,
} from './deeds.ts';

const createId = createIdFactory(() => Date.now());
const NOW = 1_800_000_000_000;
const deedOf = (key: string, fingerprint = key): IdempotentRequest => ({ scope: ADMIN_SCOPE, key, fingerprint });
const KINDS = ['account', 'credit', 'key', 'rotate', 'pause', 'resume', 'outside'] as const;
type Kind = (typeof KINDS)[number];

/** Carries out a deed in one process; `done` counts what happens outside of the database. */
async function carryOut(
  database: Database,
  { kind, key, account, keyId, done }: { kind: Kind; key: string; account: string; keyId: string; done: string[] },
): Promise<Once<unknown>> {
  const engine = { kind: 'engine', name: account } as const;
  return await doOnce<unknown>({ database, now: NOW }, deedOf(key), {
    async make(binding) {
      const by: Act = { actor: key, now: NOW, createId, binding };
      if (kind === 'account') return await createAccount(database, by, { name: key });
      if (kind === 'credit') return await creditAccount(database, by, account, { amount: 1_000_000 });
      if (kind === 'key') return await issueKey(database, by, { accountId: account, mode: 'test', name: key });
      if (kind === 'rotate') return await rotateKey(database, by, keyId, { graceMs: 0 });
      if (kind === 'pause') return await pause(database, by, { ...engine, reason: key });
      if (kind === 'resume') return await resume(database, by, engine);
      return await binding.around(key, async () => void done.push(key));
    },
    async again(subject) {
      if (kind === 'account' || kind === 'credit') return await getAccount(database.read, subject);
      if (kind === 'key' || kind === 'rotate') return await withoutSecret(database.read, subject);
      return subject;
    },
  });
}

forEachDatabase((databaseKind, open) => {
  test('however repetitions of deeds coincide in several processes, each deed is done once', async (t) => {
    const { database, openAnother } = await open(t);
    const processes = [database, await openAnother(), await openAnother()];
    let runs = 0;
    const step = fc.record({ request: fc.nat({ max: 5 }), process: fc.nat({ max: 2 }), apart: fc.boolean() });
    const plan = fc.record({
      kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 6, maxLength: 6 }),
      steps: fc.array(step, { minLength: 1, maxLength: 24 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ kinds, steps }) => {
        const run = `run-${++runs}`;
        const by: Act = { actor: run, now: NOW, createId };
        const { account_id: account } = await createAccount(database, by, {});
        const { key_id: keyId } = await issueKey(database, by, { accountId: account, mode: 'test' });
        const done: string[] = [];
        const answers: { request: number; once: Once<unknown> }[] = [];
        const together: Promise<unknown>[] = [];
        for (const { request, process, apart } of steps) {
          if (apart) await Promise.all(together.splice(0));
          const call = { kind: kinds[request]!, key: `${run} ${request}`, account, keyId, done };
          together.push(carryOut(processes[process]!, call).then((once) => answers.push({ request, once })));
        }
        await Promise.all(together);
        const used = [...new Set(steps.map(({ request }) => request))];
        const count = (kind: Kind) => used.filter((request) => kinds[request] === kind).length;
        for (const request of used) {
          const own = answers.filter((answer) => answer.request === request);
          assert.equal(own.filter(({ once }) => !once.replayed).length, 1, String(kinds[request]));
        }
        const acts = (await listActs(database.read, { limit: 100, after: null })).items.filter(({ actor }) =>
          actor.startsWith(`${run} `),
        );
        const recorded = used.filter((request) => !['outside', 'resume'].includes(kinds[request]!));
        assert.deepEqual(
          acts
            .filter(({ act }) => act !== 'engine.resume')
            .map(({ actor }) => actor)
            .sort(),
          recorded.map((request) => `${run} ${request}`).sort(),
        );
        assert.equal((await getAccount(database.read, account)).balance, `${count('credit')}.00`);
        assert.equal((await listKeys(database.read, { accountId: account })).length, 1 + count('key'));
        assert.deepEqual(
          done.sort(),
          used
            .filter((request) => kinds[request] === 'outside')
            .map((request) => `${run} ${request}`)
            .sort(),
        );
      }),
      { numRuns: databaseKind === 'sqlite' ? 25 : 15 },
    );
  });

  test('a refused deed binds nothing, and a known one is answered before anything is judged', async (t) => {
    const { database } = await open(t);
    const by: Act = { actor: 'test', now: NOW, createId };
    const { account_id: account } = await createAccount(database, by, {});
    const { key_id: keyId } = await issueKey(database, by, { accountId: account, mode: 'test' });
    const call = { key: 'k', account, keyId, done: [] };
    await assert.rejects(carryOut(database, { ...call, kind: 'credit', account: 'nobody' }), { code: 'not_found' });
    assert.equal((await carryOut(database, { ...call, kind: 'rotate' })).replayed, false);
    await revokeKey(database, by, keyId);
    const again = await carryOut(database, { ...call, kind: 'rotate' });
    assert.equal(again.replayed, true);
    const { revoked_at, key, message } = again.answer as Awaited<ReturnType<typeof withoutSecret>>;
    assert.deepEqual([revoked_at !== null, key], [true, null]);
    assert.match(message ?? '', /rotate the key 'key_.*' with a new Idempotency-Key/);
    await assert.rejects(
      doOnce({ database, now: NOW }, deedOf('k', 'another'), {
        make: async () => assert.fail('done'),
        again: async () => assert.fail('answered'),
      }),
      { code: 'idempotency_key_reused', param: 'Idempotency-Key' },
    );
  });

  test('an act outside of the database that fails frees its key', async (t) => {
    const { database } = await open(t);
    const attempt = (act: () => Promise<string>) =>
      doOnce({ database, now: NOW }, deedOf('k'), {
        make: (binding) => binding.around('', act, (result) => result),
        again: async (subject) => subject,
      });
    await assert.rejects(
      attempt(() => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.deepEqual(await attempt(async () => 'first'), { answer: 'first', replayed: false });
    assert.deepEqual(await attempt(async () => 'second'), { answer: 'first', replayed: true });
  });

  test('a key is forgotten after 30 days, those of orders stay', async (t) => {
    const { database } = await open(t);
    await database.write('bind', (trx) =>
      trx.run(
        trx.builder
          .insertInto('idempotency')
          .values({ scope: ADMIN_SCOPE, idempotency_key: 'order', fingerprint: 'order', subject_id: 'img_1' }),
      ),
    );
    const attempt = () =>
      doOnce({ database, now: NOW }, deedOf('k'), {
        make: (binding) => binding.around('', async () => 'made'),
        again: async () => 'known',
      });
    assert.equal((await attempt()).answer, 'made');
    await deleteOldRequests(database, NOW + DEED_LIFETIME_MS - 1);
    assert.equal((await attempt()).answer, 'known');
    await deleteOldRequests(database, NOW + DEED_LIFETIME_MS);
    assert.equal((await attempt()).answer, 'made');
    const left = await database.read.all(database.read.builder.selectFrom('idempotency').select('idempotency_key'));
    assert.deepEqual(left.map((row) => row.idempotency_key).sort(), ['k', 'order']);
  });
});
