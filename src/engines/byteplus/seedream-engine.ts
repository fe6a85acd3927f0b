import type { Engine } from '../engine.ts';
import { readImages } from '../openai/images-answer.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { type ArkSettings, classOfArkCode, createArk, handOverToArk, probeArk } from './ark.ts';

const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;

/** Seedream: OpenAI's images as JSON throughout, pictures included; a picture that failed is told inside a success. */
export function createSeedreamEngine(settings: ArkSettings): Engine {
  const ark = createArk(settings, { timeoutMs: TIMEOUT_MS });
  return createBlockingEngine({
    name: 'byteplus',
    concurrency: CONCURRENCY,
    secrets: [settings.key],
    handOver: handOverToArk,
    async generate({ model, input }, { signal }) {
      const json = { model, response_format: 'url', ...input };
      const answer = await ark.call({ method: 'POST', url: '/images/generations', json, signal, orders: true });
      return readImages(ark, answer, (code) => classOfArkCode(code) ?? 'upstream');
    },
    probe: (context) => probeArk(ark, context),
  });
}
