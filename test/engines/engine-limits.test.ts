import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { callTimeoutOf, EngineError } from '@darkroom-service/engines';
import { beforeOrdering, openUpstreams } from '@darkroom-service/engines/adapters';
import { keyFile, STRANGE_KEY } from '@darkroom-service/engines/fakes';
import { inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createLog } from '../../src/base/log.ts';
import { loadConfig } from '../helpers/load-config.ts';

const KEYS = {
  FAL_KEY: 'a:b',
  REPLICATE_API_TOKEN: 'r8_x',
  OPENAI_API_KEY: 'sk-x',
  KLING_API_KEY: 'x',
  ARK_API_KEY: 'x',
  GEMINI_API_KEY: 'x',
  XAI_API_KEY: 'x',
  BFL_API_KEY: 'x',
  DASHSCOPE_API_KEY: 'x',
  HEYGEN_API_KEY: 'x',
  IDEOGRAM_API_KEY: 'x',
  LTXV_API_KEY: 'x',
  LUMA_AGENTS_API_KEY: 'x',
  MINIMAX_API_KEY: 'x',
  PIXVERSE_API_KEY: 'x',
  HF_CREDENTIALS: 'x:x',
  RECRAFT_API_TOKEN: 'x',
  RUNWAYML_API_SECRET: 'x',
  VIDU_API_KEY: 'x',
  COMFY_API_KEY: 'x',
  OPENROUTER_API_KEY: 'x',
  AZURE_OPENAI_API_KEY: 'x',
  DARKROOM_AZURE_OPENAI_URL: 'https://my-resource.openai.azure.com',
  DARKROOM_AZURE_OPENAI_DEPLOYMENTS: 'gpt-image-2=mine',
  DARKROOM_VERTEX_CREDENTIALS: keyFile('https://oauth2.googleapis.com/token', STRANGE_KEY),
  DARKROOM_COMFYUI_URL: 'http://127.0.0.1:1,http://127.0.0.1:2',
  DARKROOM_SD_SERVER_URL: 'http://127.0.0.1:3',
};

function open(environment: Record<string, string>) {
  const config = loadConfig({ ...KEYS, ...environment });
  const fetch = () => Promise.reject(new Error('not called'));
  const opened = openUpstreams(
    config.upstreams,
    { clock: systemClock, log: createLog('silent'), fetch, pictures: inProcessPictures },
    config.engineLimits,
  );
  return Object.fromEntries(opened.map(({ engine }) => [engine.name, engine]));
}

test('each engine has a limit that adapts or is fixed, and says how long one start may take', () => {
  const engines = open({});
  const described = Object.values(engines).map(({ name, concurrency, adapts, callTimeoutMs }) => [
    name,
    concurrency,
    adapts === undefined ? 'fixed' : `${adapts.floor}-${adapts.ceiling}`,
    (callTimeoutMs ?? 0) / 60_000,
  ]);
  assert.deepEqual(described, [
    ['fal', 200, '20-1000', 4],
    ['replicate', 200, '20-1000', 4],
    ['azure-openai', 20, '5-200', 12],
    ['vertex', 30, '5-200', 12],
    ['comfyui', 4, 'fixed', 4],
    ['sd-server', 2, 'fixed', 4],
    ['openai', 20, '5-200', 12],
    ['openai-batch', 50, '10-500', 6],
    ['kling', 20, '2-100', 4],
    ['byteplus', 30, '5-200', 12],
    ['google', 30, '5-200', 12],
    ['google-batch', 50, '10-500', 6],
    ['xai', 30, '5-200', 12],
    ['bfl', 20, '5-200', 4],
    ['dashscope', 20, '5-200', 7],
    ['heygen', 5, '1-50', 4],
    ['ideogram', 10, '2-100', 7],
    ['ltx', 5, '2-50', 4],
    ['luma', 10, '2-100', 4],
    ['minimax', 10, '2-100', 4],
    ['pixverse', 10, '2-100', 4],
    ['higgsfield', 4, '1-100', 4],
    ['recraft', 10, '2-100', 7],
    ['runway', 10, '2-100', 4],
    ['vidu', 10, '2-100', 4],
    ['comfy-router', 20, '5-200', 4],
    ['openrouter', 20, '5-200', 12],
  ]);
  assert.equal(callTimeoutOf({}), 600_000);
});

test('an operator sets the limit and the time-out of an engine, and leaves the others as they are', () => {
  const engines = open({
    DARKROOM_OPENAI_CONCURRENCY: '64',
    DARKROOM_OPENAI_TIMEOUT_SECONDS: '90',
    DARKROOM_SD_SERVER_CONCURRENCY: '1-8',
    DARKROOM_FAL_CONCURRENCY: '5-50',
  });
  const { openai, fal, xai } = engines;
  assert.deepEqual([openai?.concurrency, openai?.adapts, openai?.callTimeoutMs], [64, undefined, 210_000]);
  assert.deepEqual([fal?.concurrency, fal?.adapts], [50, { floor: 5, ceiling: 50 }]);
  assert.deepEqual(engines['sd-server']?.adapts, { floor: 1, ceiling: 8 });
  assert.equal(xai?.callTimeoutMs, 720_000);
});

test('an invalid limit is refused by name', () => {
  for (const value of ['0', '20-5', 'many', '1-20000', '5-']) {
    assert.throws(
      () => loadConfig({ DARKROOM_GOOGLE_CONCURRENCY: value }),
      /DARKROOM_GOOGLE_CONCURRENCY: expected a whole number from 1 to 10000, or a range such as 5-200, found/,
    );
  }
  assert.throws(() => loadConfig({ DARKROOM_XAI_TIMEOUT_SECONDS: '0' }), /expected a number from 1 to 3600/);
});

test('media that cannot be handed over in time fail the start before anything is ordered', async () => {
  const hangs = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      // Keeps the process alive as a connection would: the timeout of a signal does not.
      const connection = setInterval(() => {}, 1_000);
      signal.addEventListener('abort', () => {
        clearInterval(connection);
        reject(signal.reason);
      });
    });
  await assert.rejects(beforeOrdering(hangs, new AbortController().signal, 5), (error: unknown) => {
    assert.ok(error instanceof EngineError);
    assert.deepEqual([error.class, error.took], ['timeout', 'no']);
    return true;
  });
  const stop = AbortSignal.abort(new Error('the service stops'));
  await assert.rejects(
    beforeOrdering(async (signal) => signal.throwIfAborted(), stop),
    /the service stops/,
  );
});
