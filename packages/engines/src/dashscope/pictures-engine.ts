import type { JsonValue } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { hasEmpty, hasError } from '../upstream/reasons.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { createDashscope, PROBE, transferToDashscope } from './dashscope-api.ts';

const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;

/** Creates the engine for Qwen's pictures, from text and edits, as one call that answers with the picture. */
export function createDashscopePicturesEngine(settings: VendorSettings): Engine {
  const api = createDashscope(settings, TIMEOUT_MS);
  return createBlockingEngine({
    name: 'dashscope',
    concurrency: CONCURRENCY,
    timeoutMs: api.timeoutMs,
    secrets: [settings.key],
    handOver: transferToDashscope(settings),
    async generate({ model, input }, { signal }) {
      const url = '/services/aigc/multimodal-generation/generation';
      const answer = await api.call({ method: 'POST', url, json: { model, ...input }, signal, orders: true });
      const { choices } = objectOf(objectOf(answer.body).output);
      const parts = listOf(choices).flatMap((choice) => listOf(objectOf(objectOf(choice).message).content));
      const picture = parts.map((part) => objectOf(part).image).find((image) => typeof image === 'string');
      if (typeof picture === 'string') return deliver(api, [picture]);
      if (choices !== undefined && !hasError(answer.body) && hasEmpty({ parts }, 'parts', ['image']))
        return { refused: { class: 'upstream', message: 'it made no picture' } };
      return api.unmade(answer, 'answered without a picture');
    },
    probe: createFreeProbe(api, PROBE, { has: ['output'] }),
  });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
