import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, fire, type Shot } from '../siege/attacks/flood.ts';

/** The load of a soak run: how many orders were placed, and how often each answer came. */
export interface SoakLoad {
  readonly orders: number;
  readonly answers: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/**
 * Few, and used in turn: they are open all the time, so that the handles of the service do not follow the load of the
 * machine.
 */
const SOCKETS = 8;
const REQUEST_EVERY_MS = 20;
/** A tenth of what one process takes; of the requests one in five is an order. */
const ORDER_EVERY = 5;
const PICTURE_EVERY = 250;

/**
 * A mixed load at a tenth of capacity: orders of a test key that end in every way, uploads, retrievals, lists, quotes,
 * refusals.
 */
export function startLoad(url: string, key: string, picture: Buffer): SoakLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS, scheduling: 'fifo' });
  const answers = new Map<string, number>();
  const stopped = new AbortController();
  const pending = new Set<Promise<void>>();
  let orders = 0;

  async function ask(shot: Shot): Promise<void> {
    const answer = await fire(url, agent, shot, stopped.signal);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (answer === '201' && shot.path === '/v1/images') orders++;
  }

  async function run(): Promise<void> {
    for (let turn = 0; !stopped.signal.aborted; turn++) {
      const asked = ask(shotOf(turn, key, picture)).finally(() => pending.delete(asked));
      pending.add(asked);
      await sleep(REQUEST_EVERY_MS);
    }
    await Promise.all(pending);
    agent.destroy();
  }

  const done = run();
  return {
    get orders() {
      return orders;
    },
    answers,
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

const OUTCOMES = ['succeeded', 'content_policy', 'upstream_error', 'timeout'];
const READS = [
  '/v1/images?limit=20',
  '/v1/images?status=failed&limit=100',
  '/v1/catalog',
  '/v1/account',
  '/v1/nothing',
];

function shotOf(turn: number, key: string, picture: Buffer): Shot {
  const headers = bearer(key);
  if (turn % PICTURE_EVERY === 0) return order(headers, turn, {});
  if (turn % PICTURE_EVERY === 1)
    return { path: '/v1/files', headers: { ...headers, 'content-type': 'image/png' }, body: picture };
  if (turn % ORDER_EVERY === 0)
    return order(headers, turn, { simulate: { outcome: OUTCOMES[turn % 4 === 0 ? 1 + (turn % 3) : 1], seconds: 0.2 } });
  if (turn % 7 === 0)
    return { path: '/v1/prices', headers, body: JSON.stringify({ model_id: 'flux-2-pro', prompt: 'a fox' }) };
  if (turn % 11 === 0)
    return { path: '/v1/prices', headers, body: JSON.stringify({ model_id: 'flux-2-pro', wrong: 1 }) };
  return { path: READS[turn % READS.length] ?? '/v1/account', headers };
}

function order(headers: Record<string, string>, turn: number, more: object): Shot {
  const body = JSON.stringify({ model_id: 'sketch', prompt: `a fox, turn ${turn}`, size: '64x64', ...more });
  return { path: '/v1/images', headers: { ...headers, 'idempotency-key': `soak-${turn}` }, body };
}
