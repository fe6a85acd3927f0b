import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { BrokenPromise } from './broken-promise.ts';
import { createRandom } from './random.ts';

/** A paid upstream that writes down what it took, and fails in every way that upstreams fail in. */
export interface FakeUpstream {
  readonly origin: string;
  /** How often the order of each task was taken. */
  readonly taken: ReadonlyMap<string, number>;
  /** How often it did what, by name. */
  readonly deeds: ReadonlyMap<string, number>;
  /** Orders of a process that is held. */
  readonly faults: readonly Error[];
  close(): Promise<void>;
}

/** The path that a process of a suspended installation calls: it may send no order. */
export const SUSPENDED_PATH = '/held';

/** What becomes of an order at the door, and afterwards. */
const DOORS = ['well', 'well', 'well', 'well', 'well', 'slow', 'refuses', 'breaks', 'resets', 'babbles'] as const;
const ENDS = [
  'picture',
  'picture',
  'picture',
  'picture',
  'fails',
  'late',
  'lies',
  'no picture',
  'half a picture',
] as const;
const MOODS = ['answers', 'answers', 'answers', 'answers', 'breaks', 'resets', 'forgets', 'boasts'] as const;

interface Order {
  readonly id: string;
  readonly door: (typeof DOORS)[number];
  readonly end: (typeof ENDS)[number];
  readonly moods: readonly (typeof MOODS)[number][];
  refusals: number;
  readyAt: number;
  asked: number;
  canceled: boolean;
}

/** Longer than any run: by then the task has passed its deadline. */
const NEVER_MS = 3_600_000;

export async function openFakeUpstream(seed: number): Promise<FakeUpstream> {
  const random = createRandom(seed, 'upstream');
  const picture = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#365' } })
    .png()
    .toBuffer();
  const orders = new Map<string, Order>();
  const taken = new Map<string, number>();
  const deeds = new Map<string, number>();
  const faults: Error[] = [];
  const note = (deed: string) => deeds.set(deed, (deeds.get(deed) ?? 0) + 1);
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const isSuspended = pathname.startsWith(SUSPENDED_PATH);
    const [, place, id = '', verb] = (isSuspended ? pathname.slice(SUSPENDED_PATH.length) : pathname).split('/');
    if (request.method === 'POST' && verb === 'cancel') return await cancel(id, response);
    if (request.method === 'POST')
      return await take(request, response, { isBlocking: place === 'blocking', isSuspended });
    if (place === 'pictures') return await showPicture(id, response);
    const found = id === '' ? orders.get(searchParams.get('task_id') ?? '') : orders.get(id);
    if (id === '') return send(response, 200, { id: found !== undefined && taken.has(found.id) ? found.id : null });
    return await tell(found, request, response);
  }

  async function take(
    request: IncomingMessage,
    response: ServerResponse,
    { isBlocking, isSuspended }: { readonly isBlocking: boolean; readonly isSuspended: boolean },
  ): Promise<void> {
    const { task_id: id } = (await json(request)) as { task_id: string };
    if (isSuspended) faults.push(new BrokenPromise(`a process that is held sent the order of ${id}`));
    const order = orders.get(id) ?? newOrder(id);
    orders.set(id, order);
    if (order.door === 'refuses' && order.refusals < 2) {
      order.refusals++;
      note('refused with 429');
      return send(response, 429, {});
    }
    // From here on the order is taken and has to be paid.
    taken.set(id, (taken.get(id) ?? 0) + 1);
    order.readyAt = Date.now() + (order.end === 'late' ? NEVER_MS : random.between(20, 900));
    if (order.door === 'resets') {
      note('took an order and hung up');
      return void request.socket.destroy();
    }
    if (order.door === 'breaks') {
      note('took an order and answered 500');
      return send(response, 500, {});
    }
    if (order.door === 'babbles') {
      note('took an order and answered nonsense');
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "ord');
    }
    if (order.door === 'slow') {
      note('took an order slowly');
      await sleep(random.between(500, 2_500));
    }
    if (!isBlocking) return send(response, 201, { id });
    await sleep(random.between(100, 1_800));
    send(response, 200, { picture: order.end === 'half a picture' ? 'iVBOR' : picture.toString('base64') });
  }

  function newOrder(id: string): Order {
    const moods = Array.from({ length: 12 }, () => random.pick(MOODS));
    return {
      id,
      door: random.pick(DOORS),
      end: random.pick(ENDS),
      moods,
      refusals: 0,
      readyAt: 0,
      asked: 0,
      canceled: false,
    };
  }

  async function tell(order: Order | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (order === undefined) return send(response, 404, {});
    const mood = order.moods[order.asked++] ?? 'answers';
    if (mood !== 'answers') note(`${mood} when asked`);
    if (mood === 'breaks') return send(response, 503, {});
    if (mood === 'resets') return void request.socket.destroy();
    if (mood === 'forgets') return send(response, 404, {});
    if (order.canceled) return send(response, 200, { status: 'canceled' });
    const isReady = Date.now() >= order.readyAt;
    if (!isReady) return send(response, 200, { status: 'pending', progress: mood === 'boasts' ? 250 : 40 });
    note(`ended an order: ${order.end}`);
    if (order.end === 'fails') return send(response, 200, { status: 'failed' });
    return send(response, 200, { status: 'succeeded', url: `${origin}/pictures/${order.id}` });
  }

  async function showPicture(id: string, response: ServerResponse): Promise<void> {
    const end = orders.get(id)?.end;
    if (end === 'no picture') return send(response, 404, {});
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.byteLength });
    if (end === 'lies') return void response.end(Buffer.alloc(picture.byteLength, 'lies'));
    if (end !== 'half a picture') return void response.end(picture);
    response.write(picture.subarray(0, picture.byteLength / 2), () => response.destroy());
  }

  async function cancel(id: string, response: ServerResponse): Promise<void> {
    const order = orders.get(id);
    if (order === undefined || Date.now() >= order.readyAt) return send(response, 409, {});
    order.canceled = true;
    note('canceled an order');
    send(response, 200, {});
  }

  return {
    origin,
    taken,
    deeds,
    faults,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
