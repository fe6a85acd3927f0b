import type { Engine } from '../engine.ts';
import { readImages } from '../openai/images-answer.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { createCreditBalance } from '../upstream/credit-balance.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

const API_URL = 'https://external.api.recraft.ai/v1';
const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;
/** Creates the engine for Recraft's pictures from text: OpenAI's images API with settings of its own. */
export function createRecraftEngine(settings: VendorSettings): Engine {
  const { key, fetch } = settings;
  const upstream = createUpstream({
    name: 'Recraft',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: () => null,
    timeoutMs: settings.callTimeoutMs ?? TIMEOUT_MS,
  });
  return createBlockingEngine({
    name: 'recraft',
    concurrency: CONCURRENCY,
    timeoutMs: upstream.timeoutMs,
    secrets: [key],
    handOver: createReferenceTransfer({ inline: 0, byAddress: true }),
    async generate({ model, input }, { signal }) {
      const json = { model, ...input };
      return readImages(
        upstream,
        await upstream.call({ method: 'POST', url: '/images/generations', json, signal, orders: true }),
      );
    },
    probe: createFreeProbe(upstream, '/users/me', { has: ['credits'] }),
    balance: createCreditBalance(upstream, '/users/me', 'credits'),
  });
}
