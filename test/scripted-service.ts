import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type Ended, installation, type RunningCommand, runDarkroom, startDarkroom } from './run-darkroom.ts';

interface Seen {
  readonly request: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Answered {
  readonly status?: number;
  readonly data?: unknown;
  readonly error?: object;
  readonly raw?: Buffer;
  readonly hangUp?: boolean;
  readonly silent?: boolean;
}
type Answer = (seen: Seen) => Answered;

export const MODEL = {
  model_id: 'sketch',
  aliases: ['doodle'],
  name: 'Sketch',
  vendor: 'Darkroom',
  type: 'image',
  status: 'active',
  description: 'Draws.',
  parameters: {
    prompt: { type: 'string', default: null },
    seed: { type: 'integer', default: null },
    resolution: { type: 'string', enum: ['1K', '2K'], default: '1K' },
    image_urls: { type: 'array', items: { type: 'string' }, default: null },
  },
  pricing: { from: '0.01' },
};

export const QUEUED = {
  task_id: 'img_01',
  type: 'image',
  status: 'queued',
  progress: 0,
  queue_position: 1,
  estimated_seconds: 3,
  model_id: 'sketch',
  action: null,
  input: { prompt: 'a fox' },
  outputs: [] as object[],
  error: null as object | null,
  cost: { state: 'held', amount: '0.01', currency: 'USD' },
  available_actions: [] as object[],
  created_at: '2026-11-20T03:06:00.000Z',
};

export const DONE = {
  ...QUEUED,
  status: 'succeeded',
  progress: 100,
  cost: { state: 'charged', amount: '0.01', currency: 'USD' },
  outputs: [
    { url: 'http://files.example/x', content_type: 'image/png', bytes: 7, width: 8, height: 8, duration_seconds: null },
  ],
  available_actions: [{ action: 'upscale', price: '0.04', parameters: { index: { type: 'integer' } } }],
};

function notFound({ request }: Seen): Answered {
  return {
    status: 404,
    error: { code: 'not_found', status: 404, message: `no ${request}`, param: null, details: [] },
  };
}

/**
 * A service for tests of the command line that gives one scripted answer to each request.
 * @param otherwise answers all other requests; by default with 404.
 */
export async function scriptedService(t: TestContext, answers: Record<string, Answer>, otherwise: Answer = notFound) {
  const { directory } = await installation(t);
  const seen: Seen[] = [];
  const server = createServer(async (message, response) => {
    const one = { request: `${message.method} ${message.url}`, headers: message.headers, body: await buffer(message) };
    seen.push(one);
    const answer = answers[one.request] ?? otherwise;
    const { status = 200, data, error, raw, hangUp, silent } = answer(one);
    if (silent) return;
    if (hangUp) return message.socket.destroy();
    response.statusCode = status;
    if (raw !== undefined) return response.end(raw);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(error === undefined ? { code: status, data, message: 'ok', timestamp: '' } : { error }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const variables = {
    DARKROOM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DARKROOM_API_KEY: 'dk_test_x',
  };
  return {
    directory,
    seen,
    variables,
    run: (...words: string[]): Promise<Ended> => runDarkroom(words, variables, directory),
    /** Same as `run`, with a text on standard input. */
    pipe: (input: string, ...words: string[]): Promise<Ended> => runDarkroom(words, variables, directory, input),
    start: (...words: string[]): RunningCommand => startDarkroom(words, variables, directory),
    bodyOf: (request: string) => JSON.parse(String(seen.find((one) => one.request === request)?.body)) as object,
  };
}
