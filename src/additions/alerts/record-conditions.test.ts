import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract/ids';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/databases.ts';
import { ManualClock } from '../../../test/task-services.ts';
import { ENDED_AFTER_MS, recordConditions } from './record-conditions.ts';

const MINUTE = 60_000;
const REPEAT_MS = 10 * MINUTE;
const SUBJECTS = ['fal', 'kling'];

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
    const processes = [database, await openAnother({ clock })];
    const createId = createIdFactory(() => clock.now());
    const observe = async (process: number, scope: string, subjects: readonly string[]) =>
      await processes[process]?.write('alerts', (trx) =>
        recordConditions(trx, {
          scope,
          found: subjects.map((subject) => ({ kind: 'circuit_open', subject, summary: `${subject} is down.` })),
          ...{ now: clock.now(), repeatMs: REPEAT_MS, publicUrl: 'https://darkroom.test', createId },
          receiver: 'alerts.example.com',
        }),
      );

    await fc.assert(
      fc.asyncProperty(anyCourse, async (course) => {
        await database.write('clear', async (trx) => {
          await trx.run(trx.builder.deleteFrom('alerts'));
          await trx.run(trx.builder.deleteFrom('alert_messages'));
        });
        const seen = new Map<string, number>();
        for (const { afterMinutes, found, process, twice } of course) {
          clock.advance(afterMinutes * MINUTE);
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

  test('an observer ends its own alerts only, those of a silent observer after an hour, and those of a machine without processes', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const createId = createIdFactory(() => clock.now());
    const observe = (scope: string, free: string | null) =>
      database.write('alerts', (trx) =>
        recordConditions(trx, {
          scope,
          found: free === null ? [] : [{ kind: 'disk_nearly_full', subject: scope, summary: `${free} are free.` }],
          ...{ now: clock.now(), repeatMs: REPEAT_MS, publicUrl: 'https://darkroom.test', createId },
          receiver: 'alerts.example.com',
        }),
      );
    const run = (host: string) =>
      database.write('process', (trx) =>
        trx.run(
          trx.builder.insertInto('processes').values({
            ...{ id: host, role: 'all', host, machine: host, pid: 1, version: '1', lock_path: '' },
            ...{ started_at: 1, beat_at: 1, beats: 1, ended_at: null },
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
});
