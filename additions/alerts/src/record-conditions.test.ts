import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOfDatabase } from '../../../test/helpers/kernel.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import type { Condition } from './condition.ts';
import { ENDED_AFTER_MS, lastingAlerts, recordConditions } from './record-conditions.ts';
import { sendAlerts } from './send-alerts.ts';

const MINUTE = 60_000;
const REPEAT_MS = 10 * MINUTE;
const SUBJECTS = ['fal', 'kling'];
const TELLING = { repeatMs: REPEAT_MS, publicUrl: 'https://darkroom.test', receiver: 'alerts.example.com' };

const anyCourse = fc.array(
  fc.record({
    afterMinutes: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(90)),
    found: fc.subarray(SUBJECTS),
    process: fc.constantFrom(0, 1),
    twice: fc.boolean(),
  }),
  { maxLength: 15 },
);

forEachDatabase((kind, openTestDatabase) => {
  test('whichever process observes, each beginning and each end is told once, and a repetition not too soon', async (t) => {
    const clock = new ManualClock();
    const { database, openAnother } = await openTestDatabase(t, { clock });
    const processes = [database, await openAnother({ clock })].map((one) => kernelOfDatabase(one, clock).store);
    /** Each condition is found twice, as two processes that are silent on one machine are. */
    const observe = async (process: number, scope: string, subjects: readonly string[]) => {
      const own = processes[process] ?? assert.fail();
      const found = subjects.flatMap((subject) =>
        ['down', 'slow'].map(
          (state) => ({ kind: 'circuit_open', subject, summary: `${subject} is ${state}.` }) as const,
        ),
      );
      const { faults } = await recordConditions(own, { scope, found, now: clock.now() });
      const told = await sendAlerts(own, { ...TELLING, now: clock.now() });
      assert.deepEqual([faults, told.faults], [[], []]);
    };

    await fc.assert(
      fc.asyncProperty(anyCourse, async (course) => {
        await database.write('clear', async (trx) => {
          await trx.run(trx.builder.deleteFrom('alerts'));
          await trx.run(trx.builder.deleteFrom('alert_messages'));
        });
        const seen = new Map<string, number>();
        for (const { afterMinutes, found, process, twice } of course) {
          // The ids of two processes within one millisecond have no order.
          clock.advance(afterMinutes * MINUTE + 1);
          await Promise.all([
            observe(process, 'service', found),
            twice ? observe(1 - process, 'service', found) : null,
          ]);
          for (const subject of found) seen.set(subject, clock.now());
          for (const subject of SUBJECTS) await judge(subject, found.includes(subject), seen.get(subject));
        }
      }),
      { numRuns: kind === 'sqlite' ? 60 : 15 },
    );

    async function judge(subject: string, isFound: boolean, seenAt: number | undefined): Promise<void> {
      const messages = await database.read.all(
        database.read.builder
          .selectFrom('alert_messages')
          .innerJoin('alerts', 'alerts.id', 'alert_id')
          .select(['type', 'alert_messages.created_at as at'])
          .where('subject', '=', subject)
          .orderBy('alert_messages.id'),
      );
      let [lasts, toldAt] = [false, 0];
      for (const { type, at } of messages) {
        assert.equal(lasts, type !== 'alert.began', `${type} after ${lasts ? 'a beginning' : 'an end'}`);
        if (type === 'alert.continues') assert.ok(at - toldAt >= REPEAT_MS, `repeated after ${at - toldAt} ms`);
        lasts = type !== 'alert.ended';
        toldAt = at;
      }
      const now = clock.now();
      if (isFound) {
        assert.ok(lasts, 'told of what is there');
        assert.ok(now - toldAt < REPEAT_MS, 'repeated when it is due');
      } else if (seenAt !== undefined)
        assert.equal(lasts, now - seenAt < ENDED_AFTER_MS, 'ended when it was away long');
      else assert.equal(messages.length, 0);
    }
  });

  test('an alert is told again at once when it concerns ten times as many as were told, unless somebody has taken it on', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const { store } = kernelOfDatabase(database, clock);
    const told = async (count: number) => {
      clock.advance(MINUTE);
      const summary = `${count} live orders have an unknown outcome at fal.`;
      const found = [{ kind: 'unknown_outcomes', subject: 'fal', summary } as const];
      await recordConditions(store, { scope: 'service', found, now: clock.now() });
      const { messages } = await sendAlerts(store, { ...TELLING, now: clock.now() });
      return messages.map(({ type, summary: said }) => `${type} ${said.split(' ')[0]}`);
    };
    assert.deepEqual(await told(8), ['alert.began 8']);
    for (const count of [50, 79, 8]) assert.deepEqual(await told(count), []);
    assert.deepEqual(await told(80), ['alert.continues 80']);
    for (const count of [90, 799]) assert.deepEqual(await told(count), []);
    assert.deepEqual(await told(2_000), ['alert.continues 2000']);
    await database.write('take on', (trx) => trx.run(trx.builder.updateTable('alerts').set({ acknowledged_at: 1 })));
    assert.deepEqual(await told(90_000), []);
  });

  test('an observer ends its own alerts only, those of a silent observer after an hour, and those of a machine without processes', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const { store } = kernelOfDatabase(database, clock);
    const observe = async (scope: string, free: string | null) => {
      const condition = { kind: 'disk_nearly_full', subject: scope, summary: `${free} are free.` } as const;
      const found = free === null ? [] : [condition];
      return (await recordConditions(store, { scope, found, now: clock.now() })).changes;
    };
    const run = (host: string) =>
      database.write('process', (trx) =>
        trx.run(
          trx.builder.insertInto('processes').values({
            id: host,
            role: 'all',
            host,
            machine: host,
            pid: 1,
            version: '1',
            lock_path: '',
            started_at: 1,
            beat_at: 1,
            beats: 1,
            ended_at: null,
          }),
        ),
      );
    await run('one');
    await run('two');
    await observe('disk:one', '5 MB');
    clock.advance(30 * MINUTE);
    await observe('disk:two', '7 MB');
    assert.deepEqual(await observe('service', null), []);
    clock.advance(30 * MINUTE);
    assert.deepEqual(await observe('service', null), [
      {
        type: 'alert.ended',
        kind: 'disk_nearly_full',
        subject: 'disk:one',
        summary: 'Nobody has reported this for an hour: 5 MB are free.',
      },
    ]);
    await database.write('process', (trx) => trx.run(trx.builder.deleteFrom('processes').where('id', '=', 'two')));
    assert.deepEqual(await observe('service', null), [
      {
        type: 'alert.ended',
        kind: 'disk_nearly_full',
        subject: 'disk:two',
        summary: 'No process runs there any more: 7 MB are free.',
      },
    ]);
  });

  test(`what cannot be recorded stops no other condition, and what could not be looked at neither begins nor ends (${kind})`, async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const { store } = kernelOfDatabase(database, clock);
    const down = (subject: string): Condition => ({ kind: 'circuit_open', subject, summary: `${subject} is down.` });
    const bad = { kind: null, subject: '', summary: 'Bad.' } as unknown as Condition;
    const open = async () => (await lastingAlerts(database.read)).map(({ subject }) => subject);
    const observe = (found: readonly Condition[], ...unseen: Condition['kind'][]) =>
      recordConditions(store, { scope: 'service', found, unseen: new Set(unseen), now: clock.now() });

    await observe([down('fal'), { ...down('fal'), summary: 'Its other half too.' }, down('fal')]);
    assert.equal((await lastingAlerts(database.read))[0]?.summary, 'fal is down. Its other half too.');
    clock.advance(ENDED_AFTER_MS);
    const { changes, faults } = await observe([bad, down('kling')]);
    assert.deepEqual(
      changes.map(({ type, subject }) => [type, subject]),
      [
        ['alert.began', 'kling'],
        ['alert.ended', 'fal'],
      ],
    );
    assert.match(faults.join(), /^null: /);
    clock.advance(ENDED_AFTER_MS);
    await observe([], 'circuit_open');
    assert.deepEqual(await open(), ['kling']);
    await observe([]);
    assert.deepEqual(await open(), []);
  });

  test(`a process without a receiver leaves beginning and end to one that has it, and an alert that lasts to whoever gets one (${kind})`, async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const { store } = kernelOfDatabase(database, clock);
    const observe = async (...subjects: string[]) => {
      const found = subjects.map(
        (subject) => ({ kind: 'circuit_open', subject, summary: `${subject} is down.` }) as const,
      );
      await recordConditions(store, { scope: 'service', found, now: clock.now() });
    };
    const told = async () => {
      const { messages } = await sendAlerts(store, { ...TELLING, now: clock.now() });
      return messages.map(({ type, subject }) => `${type} ${subject}`);
    };
    await observe('fal', 'kling');
    clock.advance(REPEAT_MS);
    assert.deepEqual(await told(), ['alert.began fal', 'alert.began kling']);
    assert.deepEqual(await told(), []);
    clock.advance(ENDED_AFTER_MS);
    await observe('fal', 'luma');
    assert.deepEqual(await told(), ['alert.began luma', 'alert.ended kling']);
    assert.deepEqual(await told(), []);
    await observe('passing');
    clock.advance(2 * ENDED_AFTER_MS);
    await observe();
    assert.deepEqual((await told()).sort(), ['alert.ended fal', 'alert.ended luma'], 'nobody knew of the other one');
  });
});
