import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { loadShippedCatalog } from '../../catalog/fixtures/sample-catalog.ts';
import { movedEngines } from './moved-engines.ts';
import { readProviders } from './provider-facts.ts';

const SHIPPED = join(import.meta.dirname, '..', '..', '..', 'catalog', 'providers');

async function directoryWith(t: TestContext, content: unknown): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-providers-'));
  t.after(() => rm(directory, { recursive: true }));
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(join(directory, 'data-treatment.json'), text);
  return directory;
}

test('each engine of the catalog has a provider, and each fact the page that states it, with the day', async () => {
  const facts = await readProviders([SHIPPED]);
  const catalog = await loadShippedCatalog();
  for (const { engine } of catalog.models.flatMap(({ routes }) => routes))
    assert.ok(facts.has(engine), `${engine} has no entry in ${SHIPPED}`);
  for (const [engine, { country, retention_days: days, training, source, as_of }] of facts)
    if (country !== null || days !== null || training !== null)
      assert.ok(source !== undefined && as_of !== undefined, `the facts about ${engine} need source and as_of`);
});

test("an operator's file replaces what the shipped one says of an engine, and adds instances", async (t) => {
  const own = { provider: 'OpenAI', country: ['US'], retention_days: 0, training: false };
  const directory = await directoryWith(t, { providers: [{ engines: ['openai', 'openai-zdr'], ...own }] });
  const facts = await readProviders([SHIPPED, directory, join(directory, 'missing')]);
  assert.deepEqual([facts.get('openai'), facts.get('openai-zdr')], [own, own]);
  assert.equal(facts.get('xai')?.retention_days, 30);
});

test('a wrong file stops the start, by its name and the place', async (t) => {
  const wrong = { engines: ['fal'], provider: 'fal', country: ['Germany'], retention_days: null, training: null };
  const directory = await directoryWith(t, { providers: [wrong] });
  await assert.rejects(readProviders([directory]), /data-treatment\.json: \/providers\/0\/country/);
  await assert.rejects(readProviders([await directoryWith(t, '{')]), /data-treatment\.json is not valid JSON/);
});

test('the facts about a vendor do not hold for its engine at another address', () => {
  const atVendor = loadConfig({ OPENAI_API_KEY: 'sk-of-a-test', FAL_KEY: 'key:of-a-test' });
  assert.deepEqual([...movedEngines(atVendor)], []);
  const elsewhere = loadConfig({ OPENAI_API_KEY: 'sk-of-a-test', DARKROOM_OPENAI_URL: 'https://pictures.example/v1' });
  assert.deepEqual([...movedEngines(elsewhere)], ['openai', 'openai-batch']);
});
