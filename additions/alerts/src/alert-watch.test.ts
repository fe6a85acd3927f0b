import assert from 'node:assert/strict';
import { hostname, tmpdir } from 'node:os';
import { type TestContext, test } from 'node:test';
import { isoTime, systemClock } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { openKernel } from '../../../src/service/kernel/kernel.ts';
import { createChecks } from '../../../src/service/operations/checks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelPartsOf } from '../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { startAlertWatch } from './alert-watch.ts';
import { lastingAlerts } from './record-conditions.ts';
import { createWatchHealth } from './watch-health.ts';

const MINUTE = 60_000;

forEachDatabase((kind, openTestDatabase) => {
  test(`an outage of the storage is recorded once it has lasted for a minute, not a minute later (${kind})`, async (t: TestContext) => {
    const { database } = await openTestDatabase(t, { clock: systemClock });
    const since = Date.now() - MINUTE + 1_500;
    const closers = new AsyncDisposableStack();
    t.after(() => closers.disposeAsync());
    const { services } = await openTestServices(t, kind);
    const parts = kernelPartsOf({ ...services, database, clock: systemClock });
    const outages = () => [{ name: 'storage', ok: false, detail: 'no answer', since: isoTime(since) } as const];
    const checks = createChecks(parts.services, new Map(), null);
    const kernel = openKernel({ ...parts, checks, readiness: { ...parts.readiness, outages } }, closers);
    startAlertWatch(kernel, {
      publicUrl: '',
      repeatMs: MINUTE,
      askers: [],
      receiver: null,
      onMessages() {},
      limits: { waitingMs: MINUTE, engineNames: [], balances: {} },
      disk: { directories: [tmpdir()], host: hostname(), freeBytes: 0 },
      storage: { subject: 'pictures', scope: 'storage:pictures' },
      health: createWatchHealth(systemClock),
    });
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
