import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import fc from 'fast-check';
import { claimTasks } from '../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { startTestRefresh } from '../../test/helpers/start-refresh.ts';
import { commitMove } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import { readTask, type TaskRecord } from '../record/task-record.ts';
import { claimEngineSlot } from '../worker/apply/claim-slot.ts';
import { acceptedUntilTrusted } from './slow-begin.ts';
import { SharedValves } from './valves.ts';

const TRUSTED = 6;
const ORDERS = 9;
const PROCESSES = 3;
const unanswered = () => new EngineError('upstream', 'it answered {}', { took: 'unknown' });

/** What becomes of the submissions: which process works next, and how the upstream answers. */
const Fates = fc.array(fc.tuple(fc.nat(PROCESSES - 1), fc.constantFrom('accepts', 'accepts', 'loses', 'hangs')), {
  minLength: 12,
  maxLength: 24,
});

forEachDatabase((kind) => {
  test('after a pause one more submission is open than orders were accepted, over all processes, and one that is lost closes the way', async (t) => {
    const { services, openAnother, clock } = await openTestServices(t, kind);
    const all = [services, await openAnother(), await openAnother()];
    const processes = await Promise.all(
      all.map(async (one) => {
        const { database } = one;
        const options = {
          database,
          clock,
          onChange: () => {},
          onError: assert.ifError,
          startRefresh: startTestRefresh,
        };
        const valves = await SharedValves.open({ ...options, acceptedUntilTrusted: () => TRUSTED });
        t.after(() => valves.stop());
        return { services: one, valves };
      }),
    );
    const first = processes[0]!;
    const key = await insertKey(services, { concurrency: 1_000 });
    const refreshAll = () => Promise.all(processes.map(({ valves }) => valves.refresh()));

    async function prepare(): Promise<TaskRecord[]> {
      const body = { model_id: 'sketch', prompt: 'a fox' };
      const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      for (let count = 0; count < ORDERS; count++) await createTask(services, key, order);
      const queues = [{ name: 'sketch:live', capacity: 1_000 }];
      return (await claimTasks(services.database, { worker: 'one', queues, limit: ORDERS })).map(readTask);
    }

    await fc.assert(
      fc.asyncProperty(Fates, async (fates) => {
        clock.advance(1);
        const waiting = await prepare();
        await first.valves.beginSlowly('sketch', 'it was paused');
        await refreshAll();
        const open: TaskRecord[] = [];
        let accepted = 0;
        let isTrusted = false;
        let isLost = false;
        for (const [index, fate] of fates) {
          const { valves } = processes[index]!;
          // All processes try at the same moment, each with an order of its own.
          const tried = await Promise.all(
            processes.map(async (one, place) => {
              const task = waiting[place];
              if (task === undefined || one.valves.stateOf('sketch') !== 'free') return null;
              const isSlow = one.valves.beginning('sketch') !== null;
              const now = isSlow ? clock.now() : null;
              return await claimEngineSlot(one.services, task, 1_000, { progressed_at: clock.now() }, now);
            }),
          );
          const begun = tried.filter((task) => task !== null && task !== 'too_early');
          waiting.splice(
            0,
            PROCESSES,
            ...waiting.slice(0, PROCESSES).filter(({ id }) => !begun.some((one) => one.id === id)),
          );
          open.push(...begun);
          if (isLost) assert.equal(begun.length, 0);
          if (!isTrusted && begun.length > 0)
            assert.ok(open.length <= accepted + 1, `${open.length} open, ${accepted} accepted`);
          if (!isLost && !isTrusted && waiting.length > 0) assert.ok(open.length > 0, 'somebody may always begin');
          const task = fate === 'hangs' ? undefined : open.shift();
          if (task === undefined) continue;
          if (fate === 'accepts') {
            await valves.succeeded('sketch', 'start', true);
            // An order that gets through opens the valve, and those behind it begin slowly again.
            accepted = isLost ? 1 : accepted + 1;
            isLost = false;
          } else {
            await valves.failed('sketch', 'start', task.id, unanswered());
            isLost ||= !isTrusted;
          }
          await commitMove(services, task, 'running', { operation_json: '1' });
          await refreshAll();
          isTrusted ||= accepted >= TRUSTED && !isLost;
          if (isTrusted) assert.equal(valves.beginning('sketch'), null, 'the way is open');
        }
        for (const task of open) await commitMove(services, task, 'running', { operation_json: '1' });
        await services.database.write('begin_anew', (trx) => trx.run(trx.builder.deleteFrom('valves')));
        await refreshAll();
        for (const { valves } of processes) await valves.succeeded('sketch', 'start');
      }),
      { numRuns: kind === 'sqlite' ? 25 : 8, endOnFailure: true },
    );
  });

  test('a submission of a process that was lost keeps the others waiting for two minutes at most', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const { database } = services;
    const options = { database, clock, onChange: () => {}, onError: assert.ifError, startRefresh: startTestRefresh };
    const valves = await SharedValves.open({ ...options, acceptedUntilTrusted: () => TRUSTED });
    t.after(() => valves.stop());
    const key = await insertKey(services);
    const body = { model_id: 'sketch', prompt: 'a fox' };
    const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
    for (let count = 0; count < 2; count++) await createTask(services, key, order);
    const queues = [{ name: 'sketch:live', capacity: 10 }];
    const [one, two] = (await claimTasks(database, { worker: 'one', queues, limit: 2 })).map(readTask);
    await valves.beginSlowly('sketch', 'no worker ran');
    const begin = (task: TaskRecord) =>
      claimEngineSlot(services, task, 10, { progressed_at: clock.now() }, clock.now());
    assert.equal(typeof (await begin(one!)), 'object');
    assert.equal(await begin(two!), 'too_early');
    clock.advance(121_000);
    assert.equal(typeof (await begin(two!)), 'object');
  });
});

test('only engines begin slowly whose submissions cannot be repeated, and that make several orders at once', () => {
  const engine = { concurrency: 10 };
  assert.equal(acceptedUntilTrusted(engine), 10);
  assert.equal(acceptedUntilTrusted({ ...engine, adapts: { floor: 5, ceiling: 400 } }), 32);
  assert.equal(acceptedUntilTrusted({ ...engine, idempotency: () => 'none' }), 10);
  assert.equal(acceptedUntilTrusted({ ...engine, idempotency: 'replays' }), 0);
  assert.equal(acceptedUntilTrusted({ ...engine, repeatable: true }), 0);
  assert.equal(acceptedUntilTrusted({ concurrency: 1 }), 0);
  assert.equal(acceptedUntilTrusted(undefined), 0);
});
