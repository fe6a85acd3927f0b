import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { startTestService } from '../../helpers/service.ts';
import { type Fault, openFaultProxy } from '../fault-proxy.ts';
import { openPython } from '../python.ts';
import {
  bytesOf,
  type Deed,
  GENAI_FOR_PYTHON,
  type GeminiClient,
  geminiForNode,
  geminiForPython,
  type Outcome,
} from './clients.ts';

/** Google's published clients against a running service, through a proxy that loses requests and answers. */

/** Faults of the first request, and what the clients for Python and for Node make of each. */
const FAULTS: readonly {
  readonly deed: Deed;
  readonly fault: Extract<Fault, string>;
  readonly isKeyed?: boolean;
  readonly outcomes: readonly [python: string, node: string];
}[] = [
  { deed: 'generate', fault: 'cut before', outcomes: ['an error, 0 charged', 'an error, 0 charged'] },
  { deed: 'generate', fault: 'cut within', outcomes: ['an error, 0 charged', 'an error, 0 charged'] },
  { deed: 'generate', fault: 'lose answer', outcomes: ['an error, 1 charged', 'an error, 1 charged'] },
  { deed: 'generate', fault: '502 after', outcomes: ['an error, 1 charged', 'an error, 1 charged'] },
  { deed: 'interact', fault: 'cut before', outcomes: ['an error, 0 charged', 'a picture, 1 charged'] },
  { deed: 'interact', fault: 'cut within', outcomes: ['an error, 0 charged', 'a picture, 1 charged'] },
  { deed: 'interact', fault: 'lose answer', outcomes: ['an error, 1 charged', 'a picture, 2 charged'] },
  { deed: 'interact', fault: '502 after', outcomes: ['a picture, 2 charged', 'a picture, 2 charged'] },
  { deed: 'interact', fault: 'lose answer', isKeyed: true, outcomes: ['an error, 1 charged', 'a picture, 1 charged'] },
  { deed: 'interact', fault: '502 after', isKeyed: true, outcomes: ['a picture, 1 charged', 'a picture, 1 charged'] },
];

async function open(t: TestContext, client: GeminiClient) {
  const service = await startTestService(t);
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  const books = async () => {
    const { items } = (await service.call(key, 'GET', '/v1/account/ledger?limit=100')).data;
    return items.map(({ kind }) => kind).sort();
  };
  return {
    key,
    proxy,
    books,
    call: (deed: Deed, wish: Parameters<GeminiClient['call']>[3] = {}) => client.call(proxy.url, key, deed, wish),
  };
}

function resultOf({ value, error }: Outcome) {
  assert.equal(error, undefined);
  return value;
}

for (const client of [geminiForPython, geminiForNode])
  describe(client.name, () => {
    test('makes a picture, streams one and makes one in an interaction', async (t) => {
      const { call, key, books } = await open(t, client);
      for (const deed of ['generate', 'stream', 'interact'] as const) {
        const bytes = await bytesOf(resultOf(await call(deed)), key);
        assert.equal((await sharp(bytes).metadata()).format, 'png', deed);
      }
      assert.equal((await books()).filter((kind) => kind === 'charge').length, 3);
    });

    test('edits a picture in a chat, and what came of it', async (t) => {
      const { call, key } = await open(t, client);
      const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a33' } })
        .png()
        .toBuffer();
      const bytes = await bytesOf(resultOf(await call('edit', { image: image.toString('base64') })), key);
      assert.equal((await sharp(bytes).metadata()).format, 'png');
    });

    test('makes a film, cancels one, and lists the models', async (t) => {
      const { call, key, books } = await open(t, client);
      const film = await bytesOf(resultOf(await call('film')), key);
      assert.equal(film.subarray(4, 8).toString(), 'ftyp');
      assert.equal(resultOf(await call('cancel')), 'cancelled');
      assert.deepEqual(await books(), ['charge', 'hold', 'hold', 'release', 'release']);
      assert.ok(resultOf(await call('list')).includes('models/sketch'));
    });

    test('sees the reason of a refusal', async (t) => {
      const { call, books } = await open(t, client);
      for (const deed of ['generate', 'interact'] as const) {
        const { error } = await call(deed, { model: 'no-such-model' });
        assert.match(error?.message ?? '', /no-such-model/, deed);
      }
      assert.deepEqual(await books(), []);
    });

    for (const { deed, fault, isKeyed = false, outcomes } of FAULTS) {
      const expected = outcomes[client === geminiForPython ? 0 : 1];
      test(`${deed}, ${fault}${isKeyed ? ', with an Idempotency-Key' : ''}: ${expected}`, async (t) => {
        const { call, proxy, books } = await open(t, client);
        proxy.fail(/^POST /, fault);
        const { value } = await call(deed, isKeyed ? { headers: { 'Idempotency-Key': 'one' } } : {});
        const charges = (await books()).filter((kind) => kind === 'charge').length;
        assert.equal(`${value === undefined ? 'an error' : 'a picture'}, ${charges} charged`, expected);
      });
    }
  });

test('the program of docs/gemini.md runs as printed', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/gemini.md'), 'utf8');
  const [, program = ''] = /^```python\n(.*?)^```$/ms.exec(page) ?? [];
  const { url, issueKey } = await startTestService(t);
  const { key } = await issueKey({ mode: 'test' });
  const python = await openPython([GENAI_FOR_PYTHON]);
  const printed = program.replaceAll('http://127.0.0.1:8080', url).replace('"fox.png"', 'os.devnull');
  const told = await python.run(`${printed}\nprint("true")`, { env: { DARKROOM_API_KEY: key } });
  assert.equal(told, true);
});
