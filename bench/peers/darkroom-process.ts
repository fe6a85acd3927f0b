import type { Engine } from '@darkroom-service/engines';
import { limitHeapGrowth } from '../../src/base/heap.ts';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../../test/helpers/additions.ts';
import { loadConfig } from '../../test/helpers/load-config.ts';

/** The service with an engine for the upstream of the comparison: `node darkroom-process.ts UPSTREAM SETTINGS`. */
const [upstream = '', settings = '{}'] = process.argv.slice(2);
const CHECK_AFTER_MS = 1_000;

const engine: Engine = {
  name: 'peer',
  // As many as the hand-made services have under way.
  concurrency: 50,
  async start({ request }) {
    const body = JSON.stringify({ order: request.values.prompt });
    const { id } = (await ask('/jobs', { method: 'POST', body })) as { id: string };
    return { operation: { id }, checkAfterMs: CHECK_AFTER_MS };
  },
  async check(operation) {
    const { id } = operation as { id: string };
    const job = (await ask(`/jobs/${id}`)) as { status: string; result: string };
    if (job.status !== 'succeeded') return { status: 'pending' };
    const data = Buffer.from(await (await fetch(upstream + job.result)).arrayBuffer());
    const output = { source: { data }, seed: null, revisedPrompt: null, tiles: null };
    return { status: 'succeeded', delivery: { outputs: [output] } };
  },
};

async function ask(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(upstream + path, init);
  if (!response.ok) throw new Error(`${path}: the upstream answered ${response.status}`);
  return await response.json();
}

const config = loadConfig(JSON.parse(settings) as Record<string, string>);
const service = await startService(config, { log: createLog(config.logLevel), engines: [engine] });
process.on('SIGTERM', () => void service.stop({ now: true }).then(() => process.exit(0)));
limitHeapGrowth();
