import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { installation, runDarkroom } from '../../../test/helpers/run-darkroom.ts';

test('engines try places the cheapest orders within its budget, once, and writes a report without keys', async (t) => {
  const fake = await openFakeXai();
  t.after(() => fake.stop());
  const { directory } = await installation(t);
  const variables = { XAI_API_KEY: fake.key, DARKROOM_XAI_URL: fake.url };
  const run = (...words: string[]) => runDarkroom(['engines', 'try', ...words], variables, directory);

  const unasked = await run('xai', '--max-spend', '0.05');
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /Add --yes/);
  assert.equal(fake.jobs.size, 0);

  const tried = await run('xai', '--max-spend', '0.05', '--yes', '--json');
  assert.equal(tried.code, 0, tried.stderr);
  const report = JSON.parse(tried.stdout);
  assert.deepEqual(
    report.results.map(({ model, price, outcome }: Record<string, string>) => [model, price, outcome]),
    [
      ['grok-imagine-image', '0.02', 'succeeded'],
      ['grok-imagine-video-1.5-lite', '0.02', 'succeeded'],
    ],
  );
  assert.equal(fake.jobs.size, 2);
  assert.ok(report.not_tried.some(({ reason }: { reason: string }) => reason === 'it does not fit into the budget'));
  const file = await readFile(join(directory, 'engines-try.json'), 'utf8');
  assert.deepEqual(JSON.parse(file), report);
  assert.ok(!file.includes(fake.key));

  const dry = await run('--dry-run');
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(
    dry.stdout,
    /POST .*\/images\/generations\n {2}accept: application\/json\n {2}authorization: Bearer \[secret\]/,
  );
  assert.equal(fake.jobs.size, 2);

  const unknown = await run('fal', '--dry-run');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /not configured: fal/);
});

test('engines list shows each instance with its kind and limits, and no key', async (t) => {
  const { directory } = await installation(t);
  const entry = { name: 'fal-eu', kind: 'fal', key: 'id:s3cret', weight: 3, spend_limit_per_day: '20.00' };
  await writeFile(join(directory, 'engines.json'), JSON.stringify({ engines: [entry] }));
  const variables = { FAL_KEY: 'own:s3cret', DARKROOM_ENGINES_FILE: 'engines.json' };
  const { stdout, code } = await runDarkroom(['engines', 'list'], variables, directory);
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /s3cret/);
  assert.match(stdout, /^fal +fal +FAL_KEY +1 /m);
  assert.match(stdout, /^fal-eu +fal +DARKROOM_ENGINES_FILE +3 +- +20\.00 /m);
});
