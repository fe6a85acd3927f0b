import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CatalogFault, loadCatalog } from './catalog.ts';
import sample from './fixtures/sample.json' with { type: 'json' };
import { loadSampleCatalog } from './fixtures/sample-catalog.ts';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

async function directoryWith(t: TestContext, files: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(
      join(directory, name),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  }
  return directory;
}

function entryOf(name: string, changes: object = {}): object {
  const entry = sample.models.find((model) => model.model_id === name);
  assert.ok(entry);
  return { ...structuredClone(entry), ...changes };
}

async function faultsOf(...directories: string[]): Promise<string[]> {
  const error = await loadCatalog({ directories }).catch((reason: unknown) => reason);
  assert.ok(error instanceof CatalogFault, 'expected the catalog to be refused');
  return error.faults.map(({ entry, message }) => `${entry}: ${message}`);
}

test('finds models by id and alias, and nothing else', async () => {
  const catalog = await loadSampleCatalog();
  assert.equal(catalog.models.length, 3);
  assert.equal(catalog.find('sample-image-latest'), catalog.find('sample-image'));
  assert.equal(catalog.find('constructor'), null);
});

test('gives every model num_images, and hands models out frozen', async () => {
  const { models } = await loadSampleCatalog();
  for (const model of models) {
    assert.deepEqual(Object.keys(model.parameters).slice(0, 2), ['prompt', 'num_images']);
    assert.ok(Object.isFrozen(model) && Object.isFrozen(model.pricing.components[0]));
  }
});

test('lets a later directory add models and override whole entries', async (t) => {
  const models = [entryOf('sample-grid', { name: 'Mine' }), entryOf('sample-grid', { model_id: 'other-grid' })];
  // With the byte order mark of an editor on Windows.
  const own = await directoryWith(t, { 'own.json': `\ufeff${JSON.stringify({ vendor: 'Own', models })}` });
  const shipped = await loadSampleCatalog();
  const catalog = await loadCatalog({ directories: [FIXTURES, own] });
  assert.equal(catalog.models.length, 4);
  assert.equal(catalog.find('sample-grid')?.name, 'Mine');
  assert.equal(catalog.find('sample-grid')?.vendor, 'Own');
  assert.notEqual(catalog.version, shipped.version);
  assert.equal((await loadSampleCatalog()).version, shipped.version);
});

test('names every fault of every file at once', async (t) => {
  const directory = await directoryWith(t, {
    'a.json': '{ "vendor": ',
    'b.json': {
      vendor: 'B',
      models: [entryOf('sample-grid', { type: 'sound' }), entryOf('sample-film', { price: 1 })],
    },
    'c.json': {
      vendor: 'C',
      models: [entryOf('sample-image', { aliases: ['sample-grid'] }), entryOf('sample-image'), entryOf('sample-grid')],
    },
    'd.json': Buffer.from('{}', 'utf16le'),
    'notes.txt': 'no catalog',
    'entry.schema.json': '{}',
  });
  const faults = await faultsOf(directory, join(directory, 'missing'));
  assert.equal(faults.filter((fault) => fault.startsWith('null: expected JSON')).length, 2);
  assert.ok(faults.some((fault) => fault.includes('expected a text in UTF-8, found NUL characters')));
  assert.ok(
    faults.some((fault) => fault.startsWith('sample-grid: /type')),
    faults.join('\n'),
  );
  assert.ok(faults.some((fault) => fault.includes('must NOT have additional properties (price)')));
  assert.ok(faults.some((fault) => fault.includes('has an entry of this model_id already')));
  assert.ok(faults.some((fault) => fault.startsWith('null: expected a directory')));
});

test('reports duplicate names and missing successors', async (t) => {
  const models = [
    entryOf('sample-image', { aliases: ['sample-film'] }),
    entryOf('sample-film', { replaced_by: 'nobody', sunset_at: 'soon' }),
    entryOf('sample-grid', { status: 'retired' }),
  ];
  const faults = await faultsOf(await directoryWith(t, { 'a.json': { vendor: 'A', models } }));
  assert.deepEqual(faults, [
    'sample-image: the alias sample-film is already a name of sample-film',
    'sample-film: replaced_by names nobody, which the catalog does not have',
    'sample-film: sunset_at must be an ISO 8601 time; found "soon"',
    'sample-grid: a retired model needs replaced_by, so that callers are told where to go',
  ]);
});
