import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { bearer, flood } from './flood.ts';

const ORDERS = 10_000;
/** The longest line that is read, line feed excluded. */
const LINE_BYTES = 262_144;
/** As many orders as may wait one behind the other, beside the first. */
const CHAIN = 16;
const SLOW_BODIES = 40;
const LINE_EVERY_MS = 250;

/** Bodies of batches: each holds as much work as one request may. */
export const BATCH_ATTACKS: readonly Attack[] = [
  linesOf('a batch of 10,000 faulty orders', () => times(ORDERS, (turn) => order({ prompt: '', seed: `no ${turn}` }))),
  linesOf('a batch whose last order of 10,000 is faulty', () => [
    ...times(ORDERS - 1, (turn) => order({ prompt: `attack ${turn}` })),
    order({ prompt: '' }),
  ]),
  linesOf('a batch whose combinations are too many', () =>
    times(20, (turn) => {
      const [seed, prompt] = [times(100, (at) => at), times(101, (at) => `attack ${turn} ${at}`)];
      return { operation: 'images', body: { model_id: 'sketch' }, vary: { seed, prompt } };
    }),
  ),
  linesOf('a batch of lines of 256 KB', () => {
    const rest = JSON.stringify(order({ prompt: '' })).length;
    return times(28, () => order({ prompt: 'A'.repeat(LINE_BYTES - rest) }));
  }),
  linesOf(
    'a batch of chains as long as allowed',
    () =>
      times(ORDERS, (turn) => {
        const isFirst = turn % (CHAIN + 1) === 0;
        const behind = isFirst ? { simulate: { outcome: 'stuck' } } : { image_urls: [`order:o${turn - 1}`] };
        return { name: `o${turn}`, ...order({ prompt: 'attack', ...behind }) };
      }),
    2,
  ),
  {
    name: '40 batches that arrive line by line without end',
    who: 'test key',
    async run({ url, testKey }, signal) {
      const line = `${JSON.stringify(order({ prompt: 'attack' }))}\n`;
      const chunk = `${line.length.toString(16)}\r\n${line}\r\n`;
      const answers: string[] = [];
      const sockets = times(SLOW_BODIES, () => open(url, (status) => answers.push(status)));
      for (const socket of sockets)
        socket.write(
          `POST /v1/batches HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
      let lines = 0;
      for (; !signal.aborted; lines++) {
        for (const socket of sockets) if (socket.writable) socket.write(chunk);
        await sleep(LINE_EVERY_MS, undefined, { signal }).catch(() => {});
      }
      for (const socket of sockets) socket.destroy();
      return `${lines} lines each, ${answers.length} of ${SLOW_BODIES} were answered before their end`;
    },
  },
];

function linesOf(name: string, make: () => readonly object[], most = 12): Attack {
  return {
    name,
    who: 'test key',
    prepare: async () =>
      Buffer.from(
        make()
          .map((line) => JSON.stringify(line))
          .join('\n'),
      ),
    run({ url, testKey }, signal, body) {
      const headers = { ...bearer(testKey), 'content-type': 'application/jsonl' };
      return flood({ url, connections: 2, most, signal, shot: () => ({ path: '/v1/batches', headers, body }) });
    },
  };
}

function order(body: object): object {
  return { operation: 'images', body: { model_id: 'sketch', size: '64x64', ...body } };
}

function times<Value>(count: number, make: (turn: number) => Value): Value[] {
  return Array.from({ length: count }, (_, turn) => make(turn));
}

function open(url: string, onStatus: (status: string) => void): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.once('data', (data) => onStatus(String(data).slice(9, 12)));
  return socket;
}
