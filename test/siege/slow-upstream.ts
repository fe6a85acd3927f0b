import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { hostileAnswerTo, hostilePrompt, IN_PIECES } from './hostile-answers.ts';
import { answerInPieces } from './one-byte-pieces.ts';

/** An upstream that speaks OpenAI's images API, answers each order after some seconds, and writes down what it took. */
export interface SlowUpstream {
  /** As `DARKROOM_OPENAI_URL` wants it. */
  readonly url: string;
  /** How often the order with each prompt was taken. */
  readonly taken: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function openSlowUpstream(answersAfterMs: number): Promise<SlowUpstream> {
  const picture = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#653' } })
    .png()
    .toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grainy = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#653', noise } })
    .png()
    .toBuffer();
  const inPieces = JSON.stringify({ created: 0, data: [{ b64_json: grainy.toString('base64') }] });
  const made = JSON.stringify({ created: 0, data: [{ b64_json: picture.toString('base64') }] });
  const taken = new Map<string, number>();
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
    const { prompt } = (await json(request)) as { prompt: string };
    taken.set(prompt, (taken.get(prompt) ?? 0) + 1);
    if (prompt === hostilePrompt(IN_PIECES)) return answerInPieces(response, 'application/json', Buffer.from(inPieces));
    const hostile = hostileAnswerTo(prompt);
    if (hostile !== null) return void response.end(await hostile.make());
    await sleep(answersAfterMs);
    response.end(made);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    taken,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
