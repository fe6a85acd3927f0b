import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { loadConfig } from '../../test/helpers/load-config.ts';
import { startTestRefresh } from '../../test/helpers/start-refresh.ts';
import { openTestServices } from '../../test/helpers/task-services.ts';
import { startAddedChecks } from './added-checks.ts';
import { type AddedCheck, ok } from './check.ts';

test('a check that fails itself stops neither the start nor others, and is shown as failed until it runs again', async (t) => {
  const { services } = await openTestServices(t, 'sqlite');
  const closers = new AsyncDisposableStack();
  t.after(() => closers.disposeAsync());
  let fault: string | null = 'the server is away';
  const checkOf = (name: string, mayFail: boolean): AddedCheck => ({
    name,
    everyMs: 5,
    async run() {
      if (mayFail && fault !== null) throw new Error(fault);
      return [{ name, ...ok('seen') }];
    },
  });
  const checks = await startAddedChecks(
    [{ checks: [checkOf('first', true), checkOf('second', false)] }],
    {
      config: loadConfig({}),
      process: 'p',
      database: services.database,
      clock: systemClock,
      startRefresh: startTestRefresh,
      everyMs: undefined,
    },
    closers,
  );
  const failed = { name: 'first', ok: false, detail: 'the server is away' };
  const second = { name: 'second', ok: true, detail: 'seen' };
  assert.deepEqual([checks.list(), checks.statusOf('first')], [[failed, second], null]);
  fault = null;
  await until(checks.list, ([first]) => first?.ok === true);
  fault = 'the server is away again';
  await until(checks.list, ([first]) => first?.ok === false);
  assert.deepEqual(checks.list(), [{ ...failed, detail: fault }, second]);
  assert.equal(checks.statusOf('first'), 'ok', 'what was last seen decides until the part is seen again');
});
