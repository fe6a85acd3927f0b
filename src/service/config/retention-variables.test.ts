import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../../test/helpers/load-config.ts';

test('rows of tasks stay 90 days longer than their content', () => {
  const days = (retention: string, task: string) =>
    loadConfig({ DARKROOM_RETENTION_DAYS: retention, DARKROOM_TASK_DAYS: task }).taskMs;
  assert.throws(
    () => days('31', '120'),
    /DARKROOM_TASK_DAYS.*at least DARKROOM_RETENTION_DAYS \+ 90 \(121\), found 120/,
  );
  assert.equal(days('30', '120'), 120 * 86_400_000);
  assert.equal(loadConfig({}).taskMs, null);
});
