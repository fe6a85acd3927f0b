import type { Engine } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from './catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from './plain-entry.ts';
import { createScriptedEngine } from './scripted-engine.ts';
import { startTestService, type TestService } from './service.ts';
import { createSwiftEngine } from './swift-engine.ts';
import { wholeFile } from './whole-file.ts';

/** An order of the model that a paid engine makes. */
export const FOX = { model_id: 'paid', prompt: 'a red fox' };
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
/** The answer of an engine that has made a picture. */
export const DONE = {
  status: 'succeeded',
  delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
} as const;
/** Quick beats, looks and leases. */
export const tempo = { installation: { refreshMs: 20, beatEveryMs: 50 }, lease: { ms: 5_000, renewEveryMs: 100 } };

type Test = Parameters<typeof startTestService>[0];

/** Opens the catalog of the services that a file of tests holds or copies. */
export async function openHeldServices() {
  const overlay = await openCatalogOverlay(wholeFile, [
    plainEntry({ model_id: 'paid', routes: [{ engine: 'scripted' }] }),
    fromPictureEntry({ model_id: 'from-picture', routes: [{ engine: 'scripted' }] }),
  ]);
  const env = { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' };

  const start = (t: Test, engines: Engine[], more: Record<string, string> = {}) =>
    startTestService(t, { env: { ...env, ...more }, service: { engines: [...engines, createSwiftEngine()], tempo } });

  /** An original with one order at its paid engine, one that waits for it, and one of the built-in engine. */
  async function startOriginal(t: Test, more: object = {}) {
    const paid = createScriptedEngine({ concurrency: 1 });
    const original = await start(t, [paid]);
    const ordered = [];
    for (let order = 0; order < 2; order++) {
      ordered.push((await original.call(original.keys.live, 'POST', '/v1/images', { ...FOX, ...more })).data);
      await until(
        async () => paid.started.length,
        (count) => count === 1,
      );
    }
    return { original, paid, ordered };
  }

  return { start, startOriginal, env };
}

/** Reads the process that was started last. */
export const newestProcess = ({ database: { read } }: TestService) =>
  read.first(read.builder.selectFrom('processes').selectAll().orderBy('started_at', 'desc'));

/** Resolves at the second heartbeat of a service from now, by which its worker has looked for work at least once. */
export const hasBeaten = async (service: TestService) => {
  const before = (await newestProcess(service))?.beats ?? 0;
  await until(
    () => newestProcess(service),
    (found) => (found?.beats ?? 0) > before + 1,
  );
};

/** Returns what customers read of a hold. */
export const serviceOf = async ({ call, keys }: Pick<TestService, 'call' | 'keys'>) =>
  (await call(keys.live, 'GET', '/v1/account')).data.service;
/** Resolves once a copy is not held any more. */
export const isReleased = (copy: TestService) =>
  until(
    () => serviceOf(copy),
    ({ held }) => !held,
  );
