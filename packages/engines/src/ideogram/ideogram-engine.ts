import type { JsonObject } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { withoutPicture } from '../openai/images-answer.ts';
import { createBlockingEngine, type Generated } from '../upstream/blocking-engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { reasonIn } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

const API_URL = 'https://api.ideogram.ai';
const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;
/** A generation that fails is not billed (developer.ideogram.ai, errors and billing, read on 2026-11-25). */
const REFUSALS = [503];

/** Creates the engine for Ideogram's pictures from text: one call with a form, which returns the picture's address. */
export function createIdeogramEngine(settings: VendorSettings): Engine {
  const { key, fetch } = settings;
  const upstream = createUpstream({
    name: 'Ideogram',
    baseUrl: settings.url ?? API_URL,
    headers: { 'api-key': key },
    secrets: [key],
    fetch,
    explain: explainIdeogramError,
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs ?? TIMEOUT_MS,
  });
  return createBlockingEngine({
    name: 'ideogram',
    concurrency: CONCURRENCY,
    timeoutMs: upstream.timeoutMs,
    secrets: [key],
    handOver: createReferenceTransfer({ inline: 0, byAddress: true }),
    async generate({ model, input }, { signal }) {
      const url = `/v1/${model}/generate`;
      const answer = await upstream.call({ method: 'POST', url, body: formOf(input), signal, orders: true });
      return readPicture(upstream, answer);
    },
    probe: createFreeProbe(upstream, '/models', { has: ['models'] }),
  });
}

/** Returns the form of an order. A structured prompt is a text that contains JSON. */
function formOf(input: JsonObject): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(input))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return form;
}

/** Reads `{ data: [{ url, is_image_safe, seed }] }`; a withheld picture has no address. */
function readPicture(upstream: Upstream, answer: Answer): Generated {
  const { data } = objectOf(answer.body);
  const [first] = Array.isArray(data) ? data : [];
  const { url, is_image_safe: isSafe, seed } = objectOf(first);
  if (isSafe === false) {
    return { refused: { class: 'content_policy', message: 'the result was withheld by the safety check' } };
  }
  if (typeof url !== 'string' || url === '') return withoutPicture(upstream, answer);
  return deliver(upstream, [url], typeof seed === 'number' ? { seed } : {});
}

/** Reads an error; 422 means that the prompt failed the safety check. */
function explainIdeogramError({ status, body }: Answer): Explained | null {
  const message = reasonIn(body);
  return status === 422 && message !== null ? { class: 'content_policy', message } : null;
}
