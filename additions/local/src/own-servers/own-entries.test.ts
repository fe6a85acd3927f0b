import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCatalog } from '@darkroom-service/darkroom/kernel-views';
import { loadConfig } from '../../../../test/helpers/load-config.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { ownEntries } from './own-entries.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

test('the examples of docs/local.md are accepted, and their models become live entries with their routes', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  t.after(() => rm(directory, { recursive: true }));
  const page = await readFile(join(ROOT, 'docs', 'local.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n(\{\n {2}"servers"[\s\S]*?)```/g)].map(([, text = '']) => text);
  const servers = [];
  for (const text of examples) {
    await writeFile(join(directory, 'servers.json'), text);
    const environment = { DARKROOM_LOCAL_SERVERS_FILE: 'servers.json', STUDIO_IMAGES_KEY: 'sk' };
    servers.push(...loadConfig(environment, { directory }).of(LOCAL_SETTINGS).ownServers);
  }
  const models = ownEntries(servers);
  const catalog = await loadCatalog({
    directories: [join(ROOT, 'catalog')],
    added: [{ vendor: 'This machine', models }],
  });
  const routes = (id: string) => catalog.find(id)?.routes.map(({ model }) => model);
  assert.deepEqual(routes('studio-sdxl'), ['own/comfy/sdxl-text-to-image', 'own/comfy/sdxl-image-to-image']);
  assert.deepEqual(routes('studio-flux'), ['own/diffusers/black-forest-labs/FLUX.1-schnell']);
});
