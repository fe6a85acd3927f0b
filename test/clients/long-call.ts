import { parseArgs } from 'node:util';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { openFaultProxy } from './fault-proxy.ts';
import { openaiForNode, openaiForPython } from './openai/clients.ts';

/**
 * `node test/clients/long-call.ts [--seconds 330]`: one call of each `openai` package that takes longer than the 301
 * seconds after which Node's fetch gives up on a request, with the waits that the service has by default and retries
 * forbidden. Ends with 1 unless both end in an image from one order.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '330' } } });
const seconds = Number(values.seconds);

const cleanups: (() => Promise<void> | void)[] = [];
const t = { after: (cleanup: () => Promise<void> | void) => void cleanups.unshift(cleanup) };
const service = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
const body = { model: 'sketch', prompt: 'a fox', size: '256x256' };
const simulate = { seconds };
const results = await Promise.all(
  [
    { client: openaiForNode, order: ['images.generate', { ...body, simulate }] as const },
    { client: openaiForPython, order: ['images.generate', { ...body, extra_body: { simulate } }] as const },
  ].map(async ({ client, order }) => {
    const proxy = await openFaultProxy(t, service.url);
    const { key } = await service.issueKey({ mode: 'test' });
    const began = performance.now();
    const { value, error } = await client.call(proxy.url, key, order, { maxRetries: 0, timeout: 2 * seconds });
    const { data } = await service.call(key, 'GET', '/v1/images');
    const report = {
      client: client.name,
      seconds: Math.round((performance.now() - began) / 1000),
      images: value?.data.length ?? 0,
      error: error ?? null,
      orders: data.items.length,
      posts: proxy.sent(/^POST /).length,
      waits: proxy.sent(/^GET /).length,
    };
    console.log(JSON.stringify(report));
    return report.images === 1 && report.orders === 1 && report.posts === 1;
  }),
);
for (const cleanup of cleanups) await cleanup();
process.exit(results.every(Boolean) ? 0 : 1);
