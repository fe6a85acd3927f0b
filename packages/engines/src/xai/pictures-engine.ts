import type { Engine } from '../engine.ts';
import { readImages } from '../openai/images-answer.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { costIn, createXaiApi, probeXai, transferToXai, type XaiSettings } from './xai-api.ts';

const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;

/**
 * Creates the engine for Grok Imagine's pictures: OpenAI's images API, but edits are JSON too, and a withheld picture
 * is reported as a success.
 */
export function createXaiPicturesEngine(settings: XaiSettings): Engine {
  const api = createXaiApi(settings, TIMEOUT_MS);
  return createBlockingEngine({
    name: 'xai',
    concurrency: CONCURRENCY,
    timeoutMs: api.timeoutMs,
    secrets: [settings.key],
    handOver: transferToXai,
    async generate({ model, input }, { signal }) {
      const isEdit = input.image !== undefined || input.images !== undefined;
      const url = isEdit ? '/images/edits' : '/images/generations';
      const json = { model, response_format: 'url', ...input };
      const answer = await api.call({ method: 'POST', url, json, signal, orders: true });
      // A moderated order is answered with an empty list, and charged (vercel/ai, issue 19168).
      return { ...readImages(api, answer, { whenEmpty: 'content_policy' }), ...costIn(answer.body) };
    },
    probe: (context) => probeXai(api, context),
  });
}
