import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Entry } from '@darkroom-service/contract/catalog';

/** A catalog directory of an operator: what it writes adds to the shipped models or overrides them. */
export interface CatalogOverlay {
  readonly directory: string;
  /** Replaces what the overlay says; takes effect with the next reload. */
  write(models: readonly object[]): Promise<void>;
  /** Replaces the file by any text. */
  writeText(text: string): Promise<void>;
}

/** A copy of a shipped entry with changes, as an operator would make one. */
export async function shippedEntry(vendor: string, modelId: string, changes: object = {}): Promise<Entry> {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'catalog', `${vendor}.json`), 'utf8');
  const { models } = JSON.parse(text) as { readonly models: readonly Entry[] };
  return { ...models.find((model) => model.model_id === modelId)!, ...changes };
}

export async function openCatalogOverlay(
  t: Pick<TestContext, 'after'>,
  models: readonly object[] = [],
): Promise<CatalogOverlay> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-catalog-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const writeText = (text: string) => writeFile(join(directory, 'own.json'), text);
  const write: CatalogOverlay['write'] = (entries) => writeText(JSON.stringify({ vendor: 'Own', models: entries }));
  await write(models);
  return { directory, write, writeText };
}
