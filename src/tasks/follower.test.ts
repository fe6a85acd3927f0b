import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { placeOrder } from '../../test/helpers/ended-order.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { ADDITIONS } from '../additions/list.ts';
import type { Database, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { AssignedFollower } from './follower.ts';
import type { Ending } from './settle-task.ts';
import type { TaskServices } from './task-services.ts';

const insertNote = prepare<{ name: string; value: string }, unknown>('test_follower_note', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);

const STATUSES = ['succeeded', 'failed', 'canceled'] as const;
const wish = fc.record({
  follows: fc.boolean(),
  /** When it throws, counted in the notes that it has written by then. */
  throwsAfter: fc.constantFrom(null, null, 0, 1),
  /** Whether the database refuses what it sends. */
  isRefused: fc.constantFrom(false, false, true),
});

test('each follower has a bit of its own', () => {
  const bits = ADDITIONS.flatMap(({ follower }) => follower?.bit ?? []);
  assert.deepEqual(bits.toSorted(), [...new Set(bits)].toSorted());
  for (const bit of bits) assert.ok(bit > 0 && (bit & (bit - 1)) === 0, `${bit} is no power of two`);
});

forEachDatabase((kind) => {
  test('whatever its followers do, an order ends, those who follow it are told in that commit, and those who throw or whose statement the database refuses write nothing and are named', async (t) => {
    const { services } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const { read } = services.database;
    await fc.assert(
      fc.asyncProperty(
        fc.array(wish, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 3 }),
        async (wishes, statuses) => {
          const told: string[] = [];
          const at = {
            ...services,
            followers: wishes.map(followerOf),
            wakeWork: (work: string = '') => told.push(work),
          };
          for (const status of statuses) {
            const task = await placeOrder(at, key);
            told.length = 0;
            const following = wishes.flatMap((one, index) => (one.follows ? [{ ...one, index }] : []));
            const refused = following.flatMap((one, place) => (one.isRefused && one.throwsAfter === null ? place : []));
            const [only = 0] = refused;
            // Each of them is left out once, then all.
            const attempts = refused.length === 0 ? 0 : refused.length === 1 ? only + 1 : following.length + 1;
            const end = () => commitEnding(at, 'settle', task, endingOf(status, task.price));
            for (let attempt = 0; attempt < attempts; attempt++) await assert.rejects(end);
            assert.ok(await end());
            const isTold = ({ throwsAfter, isRefused }: (typeof wishes)[number]) =>
              throwsAfter === null && !isRefused && refused.length < 2;
            const notes = following.filter(isTold).map(({ index }) => index);
            assert.deepEqual(
              (await read.all(read.builder.selectFrom('secrets').select('name').where('value', '=', task.id)))
                .map(({ name }) => name)
                .sort(),
              notes.flatMap((index) => [`${task.id} 0 ${index}`, `${task.id} 1 ${index}`]).sort(),
            );
            assert.equal(told.length, notes.length);
            const acts = read.builder.selectFrom('audit_log').select('detail_json').where('target', '=', task.id);
            assert.deepEqual(
              (await read.all(acts.where('act', '=', 'follower.left_out'))).map(({ detail_json: text }) => text).sort(),
              following.flatMap((one) => (isTold(one) ? [] : [`{"name":"${one.index}"}`])),
            );
          }
        },
      ),
      { numRuns: 25 },
    );
    assert.equal(
      (await read.all(read.builder.selectFrom('tasks').select('id').where('step', '<>', 'final'))).length,
      0,
    );
    assert.ok((await balanceOf(read, key.account.id, 'live')) <= 0);
  });

  test('an order that nobody follows ends with the statements of one for which there are no followers', async (t) => {
    const { services } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const counted = async (followers: readonly AssignedFollower[]) => {
      const task = await placeOrder({ ...services, followers }, key);
      const { database, statements } = countStatements(services.database);
      const at: TaskServices = { ...services, followers, database };
      assert.ok(await commitEnding(at, 'settle', task, endingOf('succeeded', task.price)));
      return statements();
    };
    const others = [0, 1, 2].map((index) => followerOf({ ...WILLING, follows: false }, index));
    assert.equal(await counted(others), await counted([]));
    assert.ok((await counted([followerOf(WILLING, 3)])) > (await counted(others)));
  });
});

const WILLING = { follows: true, throwsAfter: null, isRefused: false };

function followerOf(
  { follows, throwsAfter, isRefused }: { follows: boolean; throwsAfter: number | null; isRefused: boolean },
  index: number,
): AssignedFollower {
  return {
    name: String(index),
    bit: 2 ** index,
    follows: () => follows,
    ended(unit, { id }) {
      for (const note of [0, 1]) {
        if (note === throwsAfter) throw new Error('a fault of a follower');
        unit.send(insertNote, { name: `${id} ${isRefused ? 0 : note} ${index}`, value: id });
      }
      unit.wakeAfterCommit('webhook');
    },
  };
}

function endingOf(status: (typeof STATUSES)[number], price: number): Ending {
  if (status === 'succeeded') return { status, outputs: [], keep: null, charge: { amount: price, lines: [] } };
  return status === 'failed' ? { status, failure: { code: 'content_policy', message: 'refused' } } : { status };
}

/** Counts the statements that units send to a database. */
function countStatements(database: Database): { readonly database: Database; readonly statements: () => number } {
  let statements = 0;
  const counting = (trx: Transaction) =>
    new Proxy(trx, {
      get(target, name) {
        const member = Reflect.get(target, name, target) as unknown;
        if (typeof member !== 'function') return member;
        if (['all', 'first', 'firstShared', 'run', 'send'].includes(String(name))) statements++;
        return member.bind(target);
      },
    });
  const write: Database['write'] = (name, unit, options) => database.write(name, (trx) => unit(counting(trx)), options);
  return {
    database: new Proxy(database, {
      get(target, name) {
        if (name === 'write') return write;
        const member = Reflect.get(target, name, target) as unknown;
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }),
    statements: () => statements,
  };
}
