import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Deed, Target } from '../attack.ts';
import { hostilePrompt, IN_PIECES } from '../hostile-answers.ts';
import { onePerPiece } from '../one-byte-pieces.ts';
import { MEGABYTES_OF_REFERENCE } from '../trickling-server.ts';
import { bearer, describeAnswers, flood } from './flood.ts';

const PER_SECOND = 60;
const WIRE_BYTES = 128 * 1024;
/** Fewer pieces than a connection may have. */
const FEW_PIECES_BYTES = 12_000;
const EVERY_MS = 10;
const CONNECTION_MS = 3_000;
const REFERENCES = 5;
const MEGABYTE = 1_000_000;

interface Door {
  readonly path: string;
  readonly type?: string;
}

const JSON_TYPE = 'application/json';
const FORM = 'multipart/form-data; boundary=b';
const RAW = 'application/octet-stream';

const DOORS: readonly (Door & { readonly name: string })[] = [
  { name: 'orders', path: '/v1/images' },
  { name: 'quotes', path: '/v1/prices' },
  { name: 'raw uploads', path: '/v1/files', type: RAW },
  { name: 'uploads in forms', path: '/v1/files', type: FORM },
  { name: 'batches', path: '/v1/batches', type: 'application/jsonl' },
  { name: 'provenance', path: '/v1/provenance', type: RAW },
  { name: "OpenAI's JSON", path: '/openai/v1/images/generations' },
  { name: "OpenAI's forms", path: '/openai/v1/images/edits', type: FORM },
  { name: 'agents', path: '/mcp' },
];
const WITHOUT_KEY: readonly Door[] = [
  { path: '/nothing' },
  { path: '/v1/images' },
  { path: '/console/session' },
  { path: '/admin/v1/accounts' },
  { path: '/mcp' },
  { path: '/callbacks/openai/a' },
];

/** Bodies and answers in pieces of one byte: legal, and as much work a piece as one of a kilobyte. */
export const PIECE_ATTACKS: readonly Attack[] = [
  {
    name: 'pieces of one byte by a stranger',
    who: 'anonymous',
    run: ({ url }, signal) => sendPieces({ url, doors: WITHOUT_KEY, key: null }, signal),
  },
  {
    name: 'few pieces of one byte on each of many connections',
    who: 'anonymous',
    run: ({ url }, signal) =>
      sendPieces(
        { url, doors: WITHOUT_KEY, key: null, wireBytes: FEW_PIECES_BYTES, perSecond: 5 * PER_SECOND },
        signal,
      ),
  },
  ...DOORS.map(
    ({ name, ...door }): Attack => ({
      name: `pieces of one byte: ${name}`,
      who: 'test key',
      run: ({ url, testKey }, signal) => sendPieces({ url, doors: [door], key: testKey }, signal),
    }),
  ),
  {
    name: 'pieces of one byte by a client token',
    who: 'client token',
    run: async (target, signal) =>
      await sendPieces({ url: target.url, doors: DOORS, key: await clientToken(target) }, signal),
  },
  {
    name: 'references in pieces of one byte',
    who: 'test key',
    async run({ url, testKey, trickleUrl }, signal) {
      let sent = 0;
      const shot = () => {
        const order = { model_id: 'sketch', prompt: 'x', image_urls: [`${trickleUrl}/pieces/${sent++}`] };
        return { path: '/v1/images', headers: { ...bearer(testKey), prefer: 'wait=30' }, body: JSON.stringify(order) };
      };
      const did = await flood({ url, connections: REFERENCES, most: 5 * REFERENCES, signal, shot });
      return { did, megabytes: sent * MEGABYTES_OF_REFERENCE };
    },
  },
  {
    name: 'upstream answers in pieces of one byte',
    who: 'upstream',
    async run({ url, upstreamKey }, signal) {
      const order = { model_id: 'gpt-image-2', prompt: hostilePrompt(IN_PIECES) };
      const headers = { ...bearer(upstreamKey), prefer: 'wait=45' };
      const shot = () => ({ path: '/v1/images', headers, body: JSON.stringify(order) });
      return await flood({ url, connections: 2, most: 20, signal, shot });
    },
  },
];

interface Pieces {
  readonly url: string;
  readonly doors: readonly Door[];
  readonly key: string | null;
  readonly wireBytes?: number;
  readonly perSecond?: number;
}

/** Opens connections steadily, each of which sends one body and then stays for some seconds. */
async function sendPieces(
  { url, doors, key, wireBytes = WIRE_BYTES, perSecond = PER_SECOND }: Pieces,
  signal: AbortSignal,
): Promise<Deed> {
  const { hostname, port } = new URL(url);
  const body = onePerPiece(wireBytes);
  const answers = new Map<string, number>();
  const begunAt = performance.now();
  let opened = 0;
  while (!signal.aborted) {
    for (const due = ((performance.now() - begunAt) * perSecond) / 1000; opened < due; opened++) {
      const { path, type = JSON_TYPE } = doors[opened % doors.length]!;
      const bearerLine = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
      const socket = connect(Number(port), hostname).on('error', () => {});
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => {
        const status = text.split(' ', 2)[1] ?? 'no answer';
        answers.set(status, (answers.get(status) ?? 0) + 1);
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\n${bearerLine}Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      socket.write(body);
      setTimeout(() => socket.destroy(), CONNECTION_MS);
    }
    await sleep(EVERY_MS);
  }
  return { did: describeAnswers(answers), megabytes: (opened * wireBytes) / MEGABYTE };
}

async function clientToken({ url, testKey }: Target): Promise<string> {
  const response = await fetch(`${url}/v1/client_tokens`, {
    method: 'POST',
    headers: bearer(testKey),
    body: JSON.stringify({ end_user: 'siege' }),
  });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}
