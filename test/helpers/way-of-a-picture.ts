import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { type CallCounts, countCalls } from './count-calls.ts';
import type { TestService } from './service.ts';

const WARM_UP = 24;

/** The calls that one picture of the OpenAI mount makes to the system, on average over many. */
export interface WayOfAPicture {
  /** By name, most first. */
  readonly perPicture: ReadonlyMap<string, number>;
}

/** An engine that has its picture at once, as an upstream that answers in base64 does. */
async function startCounted(calls: CallCounts): Promise<{ readonly service: TestService; readonly calls: CallCounts }> {
  const { startTestService } = await import('./service.ts');
  const { wholeFile } = await import('./whole-file.ts');
  const { createSwiftEngine } = await import('./swift-engine.ts');
  const pixels = { width: 64, height: 64, channels: 3 } as const;
  const data = await sharp(randomBytes(64 * 64 * 3), { raw: pixels })
    .png()
    .toBuffer();
  const done = { outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }] };
  const engine = createSwiftEngine({ repeatable: false, start: async () => ({ done }) });
  // Successes are written to the request log once a second, by the time and not by the picture.
  const env = { DARKROOM_REQUEST_LOG: 'failures' };
  return { service: await startTestService(wholeFile, { env, service: { engines: [engine] } }), calls };
}

/** Orders pictures through the OpenAI mount and counts. @param atOnce how many callers wait at the same time */
export async function openWay(): Promise<(pictures: number, atOnce: number) => Promise<WayOfAPicture>> {
  const { service, calls } = await startCounted(await countCalls());
  const order = async () => {
    const response = await fetch(`${service.url}/openai/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.keys.live}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sketch', prompt: 'a fox' }),
    });
    const answer = await response.text();
    if (response.status !== 200 || !answer.includes('b64_json')) throw new Error(`${response.status} ${answer}`);
  };
  const run = async (pictures: number, atOnce: number) => {
    let left = pictures;
    const callers = Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await order();
    });
    await Promise.all(callers);
  };
  await run(WARM_UP, 4);
  return async (pictures, atOnce) => {
    calls.reset();
    await run(pictures, atOnce);
    const found = [...calls.counts].map(([name, count]) => [name, count / pictures] as const);
    return { perPicture: new Map(found.toSorted((a, b) => b[1] - a[1])) };
  };
}
