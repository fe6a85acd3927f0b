import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listActs } from '@darkroom-service/addition-common/operators/search-acts';
import { createIdFactory } from '@darkroom-service/contract';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOfDatabase } from '../../../test/helpers/kernel.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { acknowledgeAlert, silenceAlert } from './answer-alert.ts';
import { listAlerts } from './list-alerts.ts';
import { ENDED_AFTER_MS, recordConditions } from './record-conditions.ts';
import { sendAlerts } from './send-alerts.ts';

const HOUR_MS = 3_600_000;

forEachDatabase((kind, openTestDatabase) => {
  test(`an alert that somebody took on is not repeated, and a silent condition is told of no more, also when it begins again (${kind})`, async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const createId = createIdFactory(() => clock.now());
    const kernel = kernelOfDatabase(database, clock);
    const { store } = kernel;
    const by = () => ({ actor: 'key_anna', now: clock.now(), createId });
    const anna = { id: 'psn_anna', name: 'Anna', kind: 'person' } as const;
    const observe = async (...subjects: string[]) => {
      const found = subjects.map(
        (subject) => ({ kind: 'circuit_open', subject, summary: `${subject} is down.` }) as const,
      );
      await recordConditions(store, { scope: 'service', found, now: clock.now() });
      await sendAlerts(store, {
        now: clock.now(),
        repeatMs: HOUR_MS,
        publicUrl: 'https://darkroom.test',
        receiver: 'alerts.example.com',
      });
    };
    const open = async () => {
      const query = { state: 'open', kind: null, limit: 10, after: null } as const;
      return (await listAlerts(database.read, query, 'https://darkroom.test')).items;
    };
    const alertOf = async (subject: string) => (await open()).find((one) => one.subject === subject)!;
    const told = async () => {
      const { read } = database;
      const rows = await read.all(
        read.builder
          .selectFrom('alert_messages')
          .innerJoin('alerts', 'alerts.id', 'alert_id')
          .select(['subject', 'type'])
          .orderBy('alert_messages.id'),
      );
      return rows.map(({ subject, type }) => `${subject} ${type.slice('alert.'.length)}`);
    };

    await observe('fal', 'kling');
    await acknowledgeAlert(kernel, { ...by(), actor: anna }, (await alertOf('fal')).alert_id);
    await silenceAlert(kernel, by(), (await alertOf('kling')).alert_id, 10 * 3_600);
    const taken = (await alertOf('fal')).acknowledged;
    assert.deepEqual([taken?.by, taken?.by_name], [anna.id, 'Anna'], 'a person is told by name, as a key is');
    const until = new Date(clock.now() + 10 * HOUR_MS).toISOString();
    assert.deepEqual((await alertOf('kling')).silenced, { by: 'key_anna', by_name: null, until });
    clock.advance(2 * HOUR_MS);
    await observe('fal', 'kling');
    assert.deepEqual(await told(), ['fal began', 'kling began']);

    clock.advance(ENDED_AFTER_MS);
    await observe();
    await observe('kling', 'fal');
    assert.equal((await alertOf('kling')).silenced?.until, until, 'another alert of the same condition');
    assert.equal((await alertOf('fal')).acknowledged, null);
    assert.deepEqual(await told(), ['fal began', 'kling began', 'fal ended', 'fal began']);
    await silenceAlert(kernel, by(), (await alertOf('kling')).alert_id, 0);
    clock.advance(2 * HOUR_MS);
    await observe('kling');
    assert.deepEqual((await told()).slice(4), ['kling began', 'fal ended']);

    await assert.rejects(acknowledgeAlert(kernel, by(), 'alr_none'), { code: 'not_found' });
    const acts = (await listActs(database.read, { limit: 10, after: null })).items.map(({ act }) => act);
    assert.deepEqual(acts, ['alert.silence', 'alert.silence', 'alert.acknowledge']);
  });
});
