import assert from 'node:assert/strict';
import sharp from 'sharp';
import { plainPicture } from '../../../test/helpers/plain-picture.ts';
import { startTestService, type TaskAnswer, type TestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** JSON of an answer: Google's shapes are no part of our own document, so each test asserts what it reads. */
export type GeminiJson = ReturnType<typeof JSON.parse>;

export interface GeminiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: GeminiJson;
  readonly text: string;
}

export interface GeminiService {
  readonly service: TestService;
  /** A key of an account of its own. */
  readonly ownKey: () => Promise<string>;
  /** Sends a request to the interface as Google's clients do, with the key in `x-goog-api-key`. */
  readonly ask: (key: string, method: string, path: string, body?: unknown, headers?: object) => Promise<GeminiAnswer>;
  readonly tasksOf: (key: string) => Promise<TaskAnswer[]>;
  /** Kinds of the entries in the key's ledger, sorted. */
  readonly ledgerOf: (key: string) => Promise<string[]>;
}

const swift = createSwiftEngine();
/** Stops an order when it is asked to. */
const cancelable = createSwiftEngine({
  cancel: async () => true,
  check: async (operation, order, context) =>
    context.cancelRequested === true ? { status: 'canceled' } : await swift.check(operation, order, context),
});

/** Starts a service whose pictures and films are made at once, for the tests of a file. */
export async function startGemini(
  options: Parameters<typeof startTestService>[1] & { readonly holdMs?: number } = {},
): Promise<GeminiService> {
  const service = await startTestService(wholeFile, {
    ...(options.holdMs === undefined ? {} : { settings: { openai: { holdMs: options.holdMs } } }),
    service: { engines: [cancelable] },
    ...options,
  });
  const { call, issueKey } = service;
  return {
    service,
    ownKey: async () => (await issueKey({ mode: 'test', accountId: await service.createAccount(null) })).key,
    async ask(key, method, path, body, headers = {}) {
      const answer = await fetch(`${service.url}/gemini${path}`, {
        method,
        redirect: 'manual',
        headers: { 'x-goog-api-key': key, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
      return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : null, text };
    },
    tasksOf: async (key) => [
      ...(await call(key, 'GET', '/v1/images')).data.items,
      ...(await call(key, 'GET', '/v1/videos')).data.items,
    ],
    ledgerOf: async (key) =>
      (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items.map(({ kind }) => kind).sort(),
  };
}

/** A small picture in base64. */
export async function picture(): Promise<string> {
  const output = { width: 64, height: 64, format: 'png' };
  return Buffer.from(await plainPicture(output as Parameters<typeof plainPicture>[0], 'a picture')).toString('base64');
}

/** Asserts that a text is a picture in base64, and returns its width and height. */
export function sizeOf(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** A picture of 1.9 megabytes, in base64. */
export async function largePicture(): Promise<string> {
  const raw = { width: 800, height: 800, channels: 3 } as const;
  const noise = Buffer.from(
    Uint32Array.from({ length: 480_000 }, (_, at) => Math.imul(at ^ (at >> 7), 2654435761)).buffer,
  );
  return (await sharp(noise, { raw }).png().toBuffer()).toString('base64');
}
