import type { Engine } from '../engine.ts';
import { readImages } from '../openai/images-answer.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { type ArkSettings, classOfArkCode, createArk, probeArk, transferToArk } from './ark.ts';

const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;

/**
 * Creates the engine for Seedream: OpenAI's images API with JSON throughout, pictures included. A failed picture is
 * reported inside a successful response.
 */
export function createSeedreamEngine(settings: ArkSettings): Engine {
  const ark = createArk(settings, { timeoutMs: TIMEOUT_MS });
  return createBlockingEngine({
    name: 'byteplus',
    concurrency: CONCURRENCY,
    timeoutMs: ark.timeoutMs,
    secrets: [settings.key],
    handOver: transferToArk,
    async generate({ model, input }, { signal }) {
      const json = { model, response_format: 'url', ...input };
      const answer = await ark.call({ method: 'POST', url: '/images/generations', json, signal, orders: true });
      return readImages(ark, answer, { classOfCode: classOfArkCode });
    },
    probe: (context) => probeArk(ark, context),
  });
}
