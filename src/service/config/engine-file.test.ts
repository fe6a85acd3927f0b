import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DEFAULT_INSTANCE } from '@darkroom-service/engines';
import { keyFile, PRIVATE_KEY, PROJECT } from '@darkroom-service/engines/fakes';
import { fromEnvironment, openOperatorFile } from './fixtures/open-operator-file.ts';

const openFile = (t: TestContext, content: unknown) =>
  openOperatorFile(t, 'DARKROOM_ENGINES_FILE', 'engines.json', content);

test('a file names several accounts of an upstream, with secrets of the environment', async (t) => {
  const { load } = await openFile(t, {
    engines: [
      {
        name: 'fal-eu',
        kind: 'fal',
        key: `${fromEnvironment('FAL_EU_ID')}:${fromEnvironment('FAL_EU_SECRET')}`,
        url: 'https://eu.example.com',
        concurrency: '5-20',
        timeout_seconds: 30,
        weight: 3,
        submissions_per_minute: 60,
        spend_limit_per_day: '20.00',
        spend_limit_per_month: '400',
        pinned_accounts: ['acc_01kafx2r5gq3v8m1t0z6y4n7wd', 'acme'],
        excluded_accounts: ['*'],
      },
      {
        name: 'openai-azure',
        kind: 'azure-openai',
        key: 'k',
        url: 'https://mine.openai.azure.com',
        deployments: { 'gpt-image-2': 'ours' },
      },
      { name: 'veo-eu', kind: 'vertex', credentials: fromEnvironment('ACCOUNT'), location: 'europe-west4' },
      { name: 'studio', kind: 'comfyui', urls: ['http://10.0.0.1:8188', 'http://10.0.0.2:8188'], concurrency: 4 },
      { name: 'fal', kind: 'fal', weight: 1.5 },
    ],
  });
  const config = load({
    FAL_KEY: 'id:secret',
    FAL_EU_ID: 'a',
    FAL_EU_SECRET: 'b',
    ACCOUNT: keyFile('https://oauth2.googleapis.com/token', PRIVATE_KEY),
    DARKROOM_ENGINES: 'fal,fal-eu,studio',
  });
  const [eu, azure, veo, studio, fal] = config.engineInstances;
  assert.deepEqual(eu?.settings, {
    kind: 'fal',
    weight: 3,
    submissionsPerMinute: 60,
    spendLimits: { day: 20_000_000, month: 400_000_000 },
    pinnedAccounts: ['acc_01kafx2r5gq3v8m1t0z6y4n7wd', 'acme'],
    excludedAccounts: ['*'],
  });
  assert.deepEqual([eu?.upstreams?.fal?.key, eu?.upstreams?.fal?.url], ['a:b', 'https://eu.example.com']);
  assert.deepEqual(eu?.limits.fal, { concurrency: { floor: 5, ceiling: 20 }, callTimeoutMs: 30_000 });
  assert.deepEqual(azure?.upstreams?.azureOpenai?.deployments, { 'gpt-image-2': 'ours' });
  assert.equal(azure?.upstreams?.azureOpenai?.apiVersion, '2025-04-01-preview');
  assert.deepEqual(
    [veo?.upstreams?.vertex?.account.project, veo?.upstreams?.vertex?.location],
    [PROJECT, 'europe-west4'],
  );
  assert.deepEqual(studio?.upstreams?.comfyui?.urls, ['http://10.0.0.1:8188', 'http://10.0.0.2:8188']);
  assert.deepEqual(studio?.limits.comfyui?.concurrency, { floor: 4, ceiling: 4 });
  assert.deepEqual([fal?.upstreams, fal?.settings], [null, { ...DEFAULT_INSTANCE, kind: 'fal', weight: 1.5 }]);
  assert.deepEqual(config.switchedOn, [
    { name: 'fal', variable: 'FAL_KEY' },
    { name: 'fal-eu', variable: 'DARKROOM_ENGINES_FILE' },
    { name: 'studio', variable: 'DARKROOM_ENGINES_FILE' },
  ]);
});

test('quotes around a key of the environment do not count in a file, and those that the file has itself stop the start', async (t) => {
  const entry = { name: 'openai-eu', kind: 'openai', key: fromEnvironment('EU_KEY') };
  const { load } = await openFile(t, { engines: [entry] });
  const [eu] = load({ EU_KEY: ` "sk-test-1234567890"\n` }).engineInstances;
  assert.equal(eu?.upstreams?.vendors.openai?.key, 'sk-test-1234567890');
  for (const key of ['"sk-hidden-1234567890"', "'sk-hidden-1234567890", fromEnvironment('HALF')]) {
    const { faults } = await openFile(t, { engines: [{ ...entry, key }] });
    const [fault = '', ...others] = faults({ HALF: '"sk-hidden-1234567890' });
    assert.match(fault, /engines\[0\]\.key: expected a key such as sk-/);
    assert.deepEqual([fault.includes('hidden'), others], [false, []], fault);
  }
});

test('a file with faults stops the start and names every one of them, without a secret', async (t) => {
  const { faults } = await openFile(t, {
    engines: [
      { name: 'fal-eu', kind: 'fal', key: fromEnvironment('NOT_SET') },
      { name: 'fal-eu', kind: 'fal', key: 's3cret key' },
      { name: 'replicate', kind: 'fal', key: 'k' },
      { name: 'Mine', kind: 'foul' },
      {
        name: 'x',
        kind: 'sd-server',
        url: 'http://me:s3cret@10.0.0.1',
        wieght: 2,
        weight: -1,
        spend_limit_per_day: 20,
      },
      { name: 'fal', kind: 'fal', key: 'other' },
      {
        name: 'kling-two',
        kind: 'kling',
        concurrency: '0',
        pinned_accounts: 'acme',
        excluded_accounts: ['acme', 'Acme'],
      },
      'fal',
    ],
    engine: [],
  });
  const found = faults({ FAL_KEY: 'id:secret' });
  assert.doesNotMatch(found.join(), /s3cret/);
  assert.deepEqual(
    found.map((message) => message.split(': ')[0]),
    [
      'unknown field engine. Accepted fields',
      'engines[0].key',
      'engines[1].name',
      'engines[1].key',
      'engines[2].name',
      'engines[3].kind',
      'engines[4].wieght',
      'engines[4].url',
      'engines[4].weight',
      'engines[4].spend_limit_per_day',
      'engines[5].key',
      'engines[6].concurrency',
      'engines[6].pinned_accounts',
      'engines[6].excluded_accounts',
      'engines[6].key',
      'engines[7]',
    ],
  );
  assert.match(found[1] ?? '', /expected the environment variable NOT_SET of \$\{NOT_SET\} to be set$/);
  assert.match(found[6] ?? '', /Did you mean weight\?/);
  assert.match(found[10] ?? '', /FAL_KEY gives the access of fal already/);
});

test('a byte order mark of a file is skipped, and a file in UTF-16 stops the start', async (t) => {
  const text = '{"engines": [{"name": "fal-eu", "kind": "fal", "key": "a:b"}]}';
  const marked = await openFile(t, `\ufeff${text}`);
  assert.equal(marked.load({}).engineInstances.at(-1)?.name, 'fal-eu');
  const { faults } = await openFile(t, Buffer.from(`\ufeff${text}`, 'utf16le'));
  assert.deepEqual(faults(), ['expected a text in UTF-8, found UTF-16. Save it as UTF-8.']);
});

test('a file that is missing or no JSON stops the start, without repeating its text', async (t) => {
  const { faults } = await openFile(t, '{"engines": [{"key": "s3cret"]');
  assert.deepEqual(faults(), ['expected a JSON file; found a text that is no JSON']);
  assert.match(faults({ DARKROOM_ENGINES_FILE: 'absent.json' })[0] ?? '', /it cannot be read \(ENOENT\)/);
});
