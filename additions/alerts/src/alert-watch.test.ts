import assert from 'node:assert/strict';
import { hostname, tmpdir } from 'node:os';
import { type TestContext, test } from 'node:test';
import { createIdFactory, systemClock } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../../src/base/log.ts';
import { createChecks } from '../../../src/service/operations/checks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { startAlertWatch } from './alert-watch.ts';
import { lastingAlerts } from './record-conditions.ts';
import { createWatchHealth } from './watch-health.ts';

const MINUTE = 60_000;

forEachDatabase((kind, openTestDatabase) => {
  test(`an outage of the storage is recorded once it has lasted for a minute, not a minute later (${kind})`, async (t: TestContext) => {
    const { services } = await openTestServices(t, kind);
    const { database } = await openTestDatabase(t, { clock: systemClock });
    const since = Date.now() - MINUTE + 1_500;
    const watch = startAlertWatch({
      database,
      clock: systemClock,
      log: createLog('fatal'),
      createId: createIdFactory(Date.now),
      publicUrl: '',
      repeatMs: MINUTE,
      askers: [],
      receiver: null,
      onMessages() {},
      checks: createChecks({ ...services, database, clock: systemClock }, new Map(), null),
      limits: {
        waitingMs: MINUTE,
        engineNames: [],
        balances: {},
        expectsStandby: false,
      },
      disk: { directories: [tmpdir()], host: hostname(), freeBytes: 0 },
      storage: { subject: 'pictures', scope: 'storage:pictures' },
      health: createWatchHealth(systemClock),
      readiness: { outages: () => [{ check: 'storage', since, reason: 'no answer' }], endedOutages: () => [] },
    });
    t.after(() => watch.stop());
    const [alert] = await until(
      () => lastingAlerts(database.read),
      ({ length }) => length > 0,
    );
    assert.deepEqual([alert?.kind, alert?.subject], ['storage_unavailable', 'pictures']);
    const lasted = (alert?.began_at ?? 0) - since;
    assert.ok(lasted >= MINUTE, 'a storage is often away for seconds');
    assert.ok(lasted < 1.5 * MINUTE, `told after ${lasted} ms`);
  });
});
