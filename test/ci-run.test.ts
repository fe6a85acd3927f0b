import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';

const PROGRAM = join(import.meta.dirname, '..', '.ci', 'run');

test('CI is green if every part is, and tells the seconds of each', (t) => {
  const { status, output } = runCi(t, 'exit 0');
  assert.equal(status, 0, output);
  for (const part of ['types', 'lint', 'test', 'test:hard', 'test:engines', 'test:clients', 'test:console'])
    assert.match(output, new RegExp(`^npm run ${part}: \\d+ seconds, `, 'm'));
});

test('CI runs what comes after a part that fails, and ends red with its name', (t) => {
  const { status, output } = runCi(t, '[ "$2" != test:hard ]');
  assert.equal(status, 1, output);
  assert.match(output, /npm run test:console: \d+ seconds, /);
  assert.match(output, /^RED: npm run test:hard: failed after \d+ seconds$/m);
  assert.equal(output.match(/^RED: /gm)?.length, 1);
});

test('CI ends red when its time is over, and names what ran not at all or not to its end', (t) => {
  const { status, output } = runCi(t, '[ "$2" != test:engines ] || sleep 60', { CI_SECONDS: '3' });
  assert.equal(status, 1, output);
  assert.match(output, /^RED: npm run test:engines: not run to its end, the 3 seconds were over$/m);
  assert.match(output, /^RED: npm run test:clients: not run, the 3 seconds were over$/m);
  assert.match(output, /^RED: npm run test:console: not run, the 3 seconds were over$/m);
  assert.equal(output.match(/^RED: /gm)?.length, 3);
});

/** Runs the program of CI with an `npm` that does only this. */
function runCi(t: TestContext, npm: string, variables: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-ci-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'npm');
  writeFileSync(program, `#!/bin/sh\n[ "$1" = ci ] && exit\n${npm}\n`);
  chmodSync(program, 0o755);
  const { status, stdout, stderr } = spawnSync('bash', [PROGRAM], {
    env: { PATH: [folder, process.env.PATH].join(delimiter), ...variables },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
