import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../../../test/helpers/databases.ts';
import { insertProcess } from '../../../../test/helpers/insert-process.ts';
import { ManualClock } from '../../../../test/helpers/task-services.ts';
import { mayHaveEnded } from '../follow-ended.ts';
import { abandonCallsOfEnded, claimAbandonedCall, recordDelivered, recordEnd } from './abandoned-calls.ts';
import { enterCall } from './calls.ts';

const PROCESSES = ['one', 'two'];
const SECOND = 1_000;

/** A call as its clients know it. */
interface Known {
  readonly id: string;
  /** The process that one of them waits at. */
  waitsAt: string | null;
  leftAt: number | null;
  readonly createdAt: number;
}

const Process = fc.constantFrom(...PROCESSES);
const Events = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('request' as const), process: Process }) },
    fc.record({ type: fc.constantFrom('answer' as const, 'leave' as const), call: fc.nat(6) }),
    fc.record({ type: fc.constant('kill' as const), process: Process }),
    { weight: 2, arbitrary: fc.record({ type: fc.constant('report' as const), beatsSince: fc.boolean() }) },
    fc.record({ type: fc.constant('pass' as const), seconds: fc.constantFrom(1, 60, 119, 121, 6 * 3_600) }),
  ),
  { minLength: 5, maxLength: 25 },
);

const isRecent = ({ createdAt }: Known, now: number) => createdAt > now - 6 * 3_600 * SECOND;

forEachDatabase((_, openTestDatabase) => {
  test('an equal request gets a call that its client or its process has left within two minutes, once; never one that a living process answers', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const createId = createIdFactory(() => clock.now());
    let history = 0;

    await fc.assert(
      fc.asyncProperty(Events, async (events) => {
        const digest = `body ${history++}`;
        const known: Known[] = [];
        const name = (process: string) => `${process}-${digest}`;
        const living = new Set(PROCESSES);
        const beats = new Map(PROCESSES.map((process) => [process, 1]));
        await database.write('processes', async (trx) => {
          for (const process of PROCESSES) await insertProcess(trx, name(process));
        });
        clock.advance(SECOND);

        for (const event of events) {
          const now = clock.now();
          if (event.type === 'pass') clock.advance(event.seconds * SECOND);
          else if (event.type === 'kill') living.delete(event.process);
          else if (event.type === 'request') await request(event.process, now);
          else if (event.type === 'report') await report(event.beatsSince, now);
          else await end(event.type === 'answer' ? 'delivered' : 'left', known[event.call], now);
        }

        async function request(process: string, now: number) {
          if (!living.has(process)) return;
          const claimed = await database.write('request', async (trx) => {
            const repetition = { keyId: 'key_1', digest, process: name(process), now };
            const found = await claimAbandonedCall(trx, repetition);
            const id = found ?? createId('call');
            const view = { format: 'url', ignored: [] } as const;
            const call = { id, taskIds: [], view, process: name(process) };
            if (found === null) enterCall(trx, call, { ...repetition, retryCount: 0 });
            if (found === null) known.push({ id, waitsAt: process, leftAt: null, createdAt: now });
            return found;
          });
          const isClaimable = ({ leftAt }: Known) => leftAt !== null && leftAt > now - 120 * SECOND;
          const [first] = known
            .filter((call) => isClaimable(call) && isRecent(call, now))
            .toSorted((one, other) => one.leftAt! - other.leftAt! || (one.id < other.id ? -1 : 1));
          assert.equal(claimed, first?.id ?? null);
          if (first === undefined) return;
          assert.ok(first.waitsAt === null || !living.has(first.waitsAt), 'its client waits');
          first.waitsAt = process;
          first.leftAt = null;
        }

        /** Some process reports all that are dead; and one that lives, by a heartbeat count that is out of date. */
        async function report(beatsSince: boolean, now: number) {
          const dead = PROCESSES.filter((process) => !living.has(process));
          const silent = dead.map((process) => ({ id: name(process), beats: beats.get(process)! }));
          const [alive] = living;
          if (beatsSince && alive !== undefined) {
            silent.push({ id: name(alive), beats: beats.get(alive)! });
            beats.set(alive, beats.get(alive)! + 1);
            const row = database.read.builder.updateTable('processes').where('id', '=', name(alive));
            await database.write('beat', (trx) => trx.run(row.set({ beats: beats.get(alive)! })));
          }
          await database.write('report', (trx) => abandonCallsOfEnded(trx, silent, now));
          for (const call of known)
            if (call.waitsAt !== null && dead.includes(call.waitsAt) && isRecent(call, now)) {
              call.leftAt = now;
              call.waitsAt = null;
            }
        }

        async function end(how: 'delivered' | 'left', call: Known | undefined, now: number) {
          const process = call?.waitsAt;
          if (call === undefined || process == null || !living.has(process)) return;
          await database.write('end', async (trx) => {
            if (how === 'left') await recordEnd(trx, call.id, { end: how, process: name(process), now });
            else await recordDelivered(trx, [call.id], { process: name(process), now });
          });
          call.waitsAt = null;
          call.leftAt = how === 'left' ? now : null;
        }
      }),
      { numRuns: 40 },
    );
  });
});

test('a silent process may have ended, unless it holds its lock', () => {
  assert.deepEqual(
    (['free', 'unknown', 'held'] as const).map((lock) => mayHaveEnded({ lock })),
    [true, true, false],
  );
});
