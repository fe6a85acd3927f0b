import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { inProcessPictures, silentLog } from '../fakes/in-process-pictures.ts';
import { KEY_KINDS, openKind } from './open-kind.ts';

test('an engine of a customer calls its own vendor by https, and the kinds that need an address take no key', async () => {
  for (const kind of ['azure-openai', 'vertex', 'comfyui', 'sd-server', 'local', 'sketch'])
    assert.ok(!KEY_KINDS.includes(kind));
  const hosts = new Map<string, string[]>();
  for (const kind of KEY_KINDS) {
    const called: string[] = [];
    const fetch = async (url: string | URL) => {
      assert.equal(new URL(url).protocol, 'https:', kind);
      called.push(new URL(url).hostname);
      throw new Error('nothing is called');
    };
    const tools = { clock: systemClock, log: silentLog, fetch: fetch as never, pictures: inProcessPictures };
    const engine = openKind(kind, 'no-key:of-anybody', tools, {});
    assert.equal(engine.name, kind);
    await engine.probe?.({ signal: AbortSignal.timeout(5_000), onProgress: () => {} }).catch(() => {});
    hosts.set(kind, called);
  }
  const each = [...hosts].filter(([, called]) => called.length > 0).map(([kind, [host = '']]) => [kind, host] as const);
  assert.ok(each.length >= 10, JSON.stringify(each));
  assert.equal(new Set(each.map(([, host]) => host)).size, each.length, 'each kind has an address of its own');
});
