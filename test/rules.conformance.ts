import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { deployFiles } from './helpers/deploy-files.ts';

const run = promisify(execFile);
const DIRECTORY = join(import.meta.dirname, '..', 'deploy', 'monitoring');

test("Prometheus's own tool accepts the rules, and they report what their tests say", {
  skip: await lacksPromtool(),
}, async () => {
  const files = deployFiles('monitoring/*.yaml').map((path) => path.replace('monitoring/', ''));
  const tests = files.filter((file) => file.endsWith('.test.yaml'));
  const rules = tests.map((file) => file.replace('.test', ''));
  assert.deepEqual(rules, ['alerts.yaml', 'objectives.yaml']);
  const inDirectory = { cwd: DIRECTORY };
  await run('promtool', ['check', 'config', 'prometheus.yaml'], inDirectory);
  await run('promtool', ['check', 'rules', ...rules], inDirectory);
  await run('promtool', ['test', 'rules', ...tests], inDirectory);
});

async function lacksPromtool(): Promise<false | string> {
  return await run('promtool', ['--version']).then(
    () => false,
    () => 'needs promtool, which the Debian package prometheus contains',
  );
}
