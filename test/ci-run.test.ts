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
  for (const part of [
    'types',
    'lint',
    'test',
    'test:hard',
    'test:postgres:all',
    'test:engines',
    'test:clients',
    'test:console',
  ])
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
  const npm = 'case "$2" in test:engines | test:hard) sleep 60 ;; esac';
  const { status, output } = runCi(t, npm, { CI_SECONDS: '3' });
  assert.equal(status, 1, output);
  for (const part of ['test:engines', 'test:hard'])
    assert.match(output, new RegExp(`^RED: npm run ${part}: not run to its end, the 3 seconds were over$`, 'm'));
  for (const part of ['test:postgres:all', 'test:clients', 'types', 'lint'])
    assert.match(output, new RegExp(`^RED: npm run ${part}: not run, the 3 seconds were over$`, 'm'));
  assert.equal(output.match(/^RED: /gm)?.length, 6);
});

test('CI runs each part once, and none waits for a long one while a lane is free', (t) => {
  // The first part ends when all others have begun.
  const begins = 'begun=$(dirname "$0")/begun; echo "$2" >> "$begun"';
  const waits = '[ "$2" != test ] || until [ "$(wc -l < "$begun")" = 8 ]; do sleep 0.1; done';
  const { status, output } = runCi(t, `${begins}; ${waits}`, { CI_SECONDS: '60' });
  assert.equal(status, 0, output);
  assert.equal(output.match(/^npm run \S+: \d+ seconds, /gm)?.length, 8);
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
