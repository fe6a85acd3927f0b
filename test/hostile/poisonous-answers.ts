import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { withChunk } from '@darkroom-service/engines/fakes/parts';
import { bombs, PICTURES_OF_PARTS } from '@darkroom-service/testing/samples';
import sharp from 'sharp';

/** An answer to a paid order that is hostile to its reader. */
export interface PoisonousAnswer {
  readonly name: string;
  /** How the order ends: `succeeded`, or the code of its failure. */
  readonly end: 'succeeded' | 'outcome_unknown' | 'upstream_error';
  readonly headers?: Readonly<Record<string, string>>;
  /** The body in parts, each of which is sent once the socket has taken the last one. */
  body(picture: Buffer): AsyncIterable<Buffer> | Iterable<Buffer>;
  /** The act after the last part. Default: the answer ends. */
  readonly last?: 'close' | 'stall';
}

const MEGABYTE = 1024 * 1024;
const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const grainy = sharp({ create: { width: 256, height: 256, channels: 3, background: '#653', noise } })
  .png()
  .toBuffer();

/** Returns a picture of 180 KB that no other order has. */
export async function pictureOf(words: string): Promise<Buffer> {
  return withChunk(await grainy, 'tEXt', `Comment\0${words}`);
}

const BEGIN = '{"created":1,"data":[{"b64_json":"';
const END = '"}]}';

export function answerWith(picture: Buffer): Buffer {
  return Buffer.from(`${BEGIN}${picture.toString('base64')}${END}`);
}

/** Puts a text that is sent in parts behind the picture. */
const beside = (picture: Buffer, parts: Iterable<Buffer>) =>
  around(`${BEGIN}${picture.toString('base64')}","revised_prompt":"`, parts, END);

function* megabytes(count: number, text: string): Generator<Buffer> {
  const part = Buffer.alloc(MEGABYTE, text);
  for (let sent = 0; sent < count; sent++) yield part;
}

function* around(begin: string, parts: Iterable<Buffer>, end: string): Generator<Buffer> {
  yield Buffer.from(begin);
  yield* parts;
  yield Buffer.from(end);
}

async function fill(packed: ReturnType<typeof createGzip>, parts: Iterable<Buffer>): Promise<void> {
  const closed = once(packed, 'close');
  for (const part of parts) if (!packed.write(part)) await Promise.race([once(packed, 'drain'), closed]);
  packed.end();
}

const picture = (
  name: string,
  end: PoisonousAnswer['end'],
  make: (good: Buffer) => Promise<Buffer> | Buffer,
): PoisonousAnswer => ({
  name,
  end,
  async *body(good) {
    yield answerWith(await make(good));
  },
});

export const POISONOUS_ANSWERS: readonly PoisonousAnswer[] = [
  {
    name: 'twenty million lists, each within the last',
    end: 'outcome_unknown',
    body: () => around('{"data":', megabytes(20, '['), ''),
  },
  {
    name: 'a picture within a thousand lists',
    end: 'outcome_unknown',
    body: (good) => around('['.repeat(1_000), [answerWith(good)], ']'.repeat(1_000)),
  },
  {
    name: 'a string of 200 MB',
    end: 'outcome_unknown',
    body: () => around(BEGIN, megabytes(200, 'AAAA'), END),
  },
  {
    name: 'an announced string of 200 MB',
    end: 'outcome_unknown',
    headers: { 'content-length': String(200 * MEGABYTE) },
    body: () => megabytes(200, 'AAAA'),
  },
  {
    name: '64 MB in base64 that are no picture',
    end: 'upstream_error',
    body: () => around(BEGIN, megabytes(64, 'AAAA'), END),
  },
  {
    name: 'a prompt of 64 MB beside the picture',
    end: 'succeeded',
    body: (good) => beside(good, megabytes(64, 'a fox, лиса')),
  },
  {
    name: '64 MB of escapes beside the picture',
    end: 'succeeded',
    body: (good) => beside(good, megabytes(64, '\\u00e4\\n')),
  },
  { name: 'a million values', end: 'outcome_unknown', body: () => around('{"data":[', megabytes(2, '0,'), '0]}') },
  {
    name: '90,000 names beside the picture',
    end: 'succeeded',
    body(good) {
      const names = Array.from({ length: 90_000 }, (_, index) => `"n${index}":0`).join();
      return [Buffer.from(`${answerWith(good).toString().slice(0, -1)},"more":{${names}}}`)];
    },
  },
  {
    name: 'a character in the middle of the picture that is no base64',
    end: 'upstream_error',
    body(good) {
      const answer = answerWith(good);
      answer.write('!', answer.length >> 1);
      return [answer];
    },
  },
  picture('half a picture', 'upstream_error', (good) => good.subarray(0, good.length >> 1)),
  { name: 'bytes that are no text', end: 'outcome_unknown', body: () => [Buffer.alloc(MEGABYTE, 0xff)] },
  {
    name: 'a connection that closes in the middle',
    end: 'outcome_unknown',
    body: (good) => [answerWith(good).subarray(0, good.length)],
    last: 'close',
  },
  {
    name: 'a connection that stalls in the middle',
    end: 'outcome_unknown',
    body: (good) => [answerWith(good).subarray(0, good.length)],
    last: 'stall',
  },
  {
    name: 'a compressed gigabyte',
    end: 'outcome_unknown',
    headers: { 'content-encoding': 'gzip' },
    async *body() {
      const packed = createGzip({ level: 1 });
      void fill(packed, around(BEGIN, megabytes(1_000, 'AAAA'), END));
      try {
        yield* packed.iterator({ destroyOnReturn: false });
      } finally {
        // The reader may leave early, which is no fault here.
        packed.destroy();
      }
    },
  },
  picture('a picture of 50,000 by 50,000 pixels', 'succeeded', () => bombs.pngBomb(50_000)),
  picture('a picture of two billion by two billion pixels', 'upstream_error', () =>
    bombs.pngOfNothing(2 ** 31 - 1, 2 ** 31 - 1),
  ),
  picture('a small picture with a text that unpacks to 100 MB', 'upstream_error', () => bombs.pngWithTextBomb()),
  picture('an animation of empty frames', 'upstream_error', () => bombs.gifBomb()),
  ...PICTURES_OF_PARTS.slice(0, 1).map(({ name, make }) => picture(name, 'succeeded', () => make(8 * MEGABYTE))),
];

/** Sends a poisonous answer. */
export async function sendPoison(response: ServerResponse, poison: PoisonousAnswer, good: Buffer): Promise<void> {
  const closed = once(response, 'close');
  response.writeHead(200, { 'content-type': 'application/json', ...poison.headers });
  for await (const part of poison.body(good)) {
    if (response.destroyed) return;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
  }
  if (poison.last === 'close') response.destroy();
  else if (poison.last !== 'stall') response.end();
}
