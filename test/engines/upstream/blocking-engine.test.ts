import { type Engine, EngineError } from '@darkroom-service/engines';
import {
  addressesIn,
  createBlockingEngine,
  createReferenceTransfer,
  createUpstream,
  deliver,
  objectOf,
  type UpstreamSettings,
} from '@darkroom-service/engines/adapters';
import { createFakeJobs, type FakeUpstream, openFakeServer, sendFile } from '@darkroom-service/engines/fakes/parts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

/** A minimal upstream that answers an order with its result. */
async function openFake(): Promise<FakeUpstream> {
  const key = 'example-key';
  const busy = { error: { message: 'try later' } };
  const jobs = createFakeJobs({
    busy: { counted: false, answer: [429, busy] },
    busyfor: { counted: false, answer: [429, busy, { 'retry-after': '1' }] },
    busyuntil: {
      counted: false,
      answer: [429, busy, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
    },
    billing: { counted: false, answer: [402, { error: { message: 'no credit' } }] },
    invalid: { counted: false, answer: [400, { error: { message: 'the prompt is too short' } }] },
  });
  const misplacedKeys: string[] = [];
  let ids = 0;
  const server = await openFakeServer(async (exchange) => {
    const { path, headers, json, reply } = exchange;
    if (path.startsWith('/files/')) {
      if (headers.authorization !== undefined) misplacedKeys.push(path);
      const job = jobs.jobs.get(path.split('/')[2] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    if (headers.authorization !== key) return reply(401, { error: { message: `not a key: ${headers.authorization}` } });
    if (path === '/models') return reply(200, []);
    const input = json as { readonly prompt: string };
    const job = jobs.take(exchange, input.prompt, input, () => `job-${++ids}`);
    if (job === null) return undefined;
    if (job.words.end === 'refused') return reply(200, { refused: 'not such a fox' });
    return reply(200, { url: `${server.url}/files/${job.id}/0` });
  });
  return {
    ...server,
    key,
    jobs: jobs.jobs,
    counts: jobs.counts,
    uploads: new Map(),
    misplacedKeys,
    forget: jobs.forget,
  };
}

function createExampleEngine(
  settings: Pick<UpstreamSettings, 'fetch' | 'timeoutMs'> & { key: string; url: string },
): Engine {
  const { key, url, fetch, timeoutMs } = settings;
  const upstream = createUpstream({
    name: 'Example',
    baseUrl: url,
    headers: { authorization: key },
    secrets: [key],
    fetch,
    timeoutMs,
    explain: () => null,
  });
  return createBlockingEngine({
    name: 'example',
    concurrency: 20,
    timeoutMs: upstream.timeoutMs,
    handOver: createReferenceTransfer({ inline: 1_000_000, byAddress: false }),
    async generate({ input }, { signal }) {
      const answer = await upstream.call({ method: 'POST', url: '/images', json: input, signal, orders: true });
      const { refused } = objectOf(answer.body);
      if (typeof refused === 'string') throw new EngineError('content_policy', refused, { took: 'no' });
      const files = addressesIn(answer.body);
      return files.length === 0 ? upstream.unmade(answer, 'named no file') : deliver(upstream, files);
    },
    async probe({ signal }) {
      const answer = await upstream.call({ url: '/models', signal, accept: [401] });
      return { ok: answer.status === 200, message: `Example answers ${answer.status}` };
    },
  });
}

engineConformance('an upstream that answers with the result', {
  blocking: true,
  withoutResult: [],
  openFake,
  openEngine: (fake, { key, fetch, callTimeoutMs }) =>
    createExampleEngine({ key, fetch, timeoutMs: callTimeoutMs, url: fake.url }),
  routes: [
    {
      engine: 'example',
      model: 'one',
      parameters: { prompt: 'prompt', aspect_ratio: 'ratio', seed: 'seed', image_urls: { to: 'image', take: 'first' } },
    },
  ],
  inputs: [{ fields: { seed: 4 }, input: { ratio: '1:1', seed: 4 } }],
  ends: { 'end=refused': { status: 'failed', code: 'content_policy', message: /not such a fox/ } },
  references: { inline: 1_000_000, uploads: false, field: 'image' },
});
