import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { COMMIT, sha256Of, startModelHub } from '../fakes/model-hub.ts';
import { startTestService } from './service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The size of its model. */
export const TINY_BYTES = 3_000_000;
const BUILD = { build: 'none' };

/** A service with one model `tiny` that can be pulled from a hub. @param file what its manifest says otherwise */
export async function openGallery(t: Pick<TestContext, 'after'>, changes: object = {}, file: object = {}) {
  const weights = { repository: 'maker/tiny-GGUF', path: 'tiny-Q4.gguf', bytes: randomBytes(TINY_BYTES) };
  const hub = await startModelHub(t, [weights]);
  const catalog = await temporaryDirectory('darkroom-gallery-');
  await mkdir(join(catalog, 'local'));
  const known = { role: 'model', repository: weights.repository, revision: COMMIT, path: weights.path };
  const manifest = {
    kind: 'model',
    name: 'tiny',
    title: 'Tiny',
    type: 'image',
    engine: 'stable-diffusion.cpp',
    licence: { id: 'Community 1.0', acceptance: true },
    memory_bytes: 1000,
    parameters: { steps: 1 },
    files: [{ ...known, about_bytes: null, bytes: TINY_BYTES, sha256: sha256Of(weights.bytes), ...file }],
    ...changes,
  };
  await writeFile(join(catalog, 'local', 'tiny.json'), JSON.stringify(manifest));
  const env = {
    DARKROOM_CATALOG_DIR: catalog,
    DARKROOM_LOCAL_HUB_URL: hub.url,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8,::1/128',
    DARKROOM_LOCAL_RELEASES_URL: hub.url,
  };
  const service = await startTestService(t, { env });
  const { call, keys } = service;
  return {
    ...service,
    hub,
    env,
    tiny: async () =>
      (await call(keys.admin, 'GET', '/admin/v1/local/models')).data.items.find(({ name }) => name === 'tiny')!,
    pull: (body: object = {}) => call(keys.admin, 'POST', '/admin/v1/local/models/tiny/pull', { ...BUILD, ...body }),
    cancel: () => call(keys.admin, 'POST', '/admin/v1/local/models/tiny/cancel'),
    remove: () => call(keys.admin, 'DELETE', '/admin/v1/local/models/tiny'),
  };
}
