import { buffer } from 'node:stream/consumers';
import { type JsonValue, sleep, world } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { machineFaultOf } from '@darkroom-service/media/process';
import {
  type CallContext,
  type Checked,
  type DeliveredOutput,
  type Delivery,
  type Engine,
  EngineError,
  type Order,
} from '../engine.ts';
import { type Followed, followOrder } from './follow-order.ts';
import type { ManagedServer, ManagedServers } from './managed-server.ts';
import { openServerEngine, type ServerApiSettings, withGridsOf } from './server-apis.ts';

interface LocalEngineSettings extends ServerApiSettings {
  readonly servers: ManagedServers;
  /** Orders in progress at once in this process. */
  readonly concurrency: number;
  /** Tells whether there has never been a model. */
  readonly isDormant: () => boolean;
}

/**
 * Creates the engine for the models of servers that Darkroom starts. The route's `model` is the name of a pulled model,
 * or of a model of the operator's own server. The work is done in `check`, so if a process ends, the next one makes the
 * order again.
 */
export function createLocalEngine(given: LocalEngineSettings): Engine {
  // An outgoing proxy cannot reach a server on this machine.
  const settings: LocalEngineSettings = {
    ...given,
    fetch: (url, options) => given.fetch(url, { ...options, isDirect: true }),
  };
  const { servers, concurrency, orderLimitMs } = settings;
  const inWork = new Map<string, AbortController>();

  async function check(order: Order, context: CallContext): Promise<Checked> {
    const canceled = new AbortController();
    inWork.set(order.taskId, canceled);
    const limit = world.timeout(orderLimitMs);
    const signal = AbortSignal.any([context.signal, canceled.signal, limit]);
    try {
      return await make(order, { ...context, signal }, () => context.signal.aborted);
    } catch (error) {
      if (canceled.signal.aborted) return { status: 'canceled' };
      if (!limit.aborted || context.signal.aborted) throw error;
      const message = `local: the order took longer than ${Math.round(orderLimitMs / 60_000)} minutes`;
      return { status: 'failed', error: { code: 'timeout', message } };
    } finally {
      inWork.delete(order.taskId);
    }
  }

  async function make(order: Order, context: CallContext, isStopping: () => boolean): Promise<Checked> {
    const name = order.route.model ?? '';
    const served = servers.find(name);
    let server: ManagedServer | null = null;
    let opened: Engine | null = null;
    let running: { readonly operation: JsonValue; readonly order: Order } | null = null;
    // An order that needs no model, such as cutting a tile out of a grid, starts no server.
    const lazy: Engine = {
      name: 'local',
      concurrency,
      async start(given, call) {
        server = await servers.use(served.server, call.signal).catch((error: Error) => {
          call.signal.throwIfAborted();
          if (machineFaultOf(error) !== null) throw error;
          throw new Unusable(`${name} cannot be used: ${error.message}`);
        });
        opened = openServerEngine(served.api, { url: server.url, key: served.key }, settings);
        const started = await opened.start(given, call);
        if ('operation' in started) running = { operation: started.operation, order: given };
        return started;
      },
      check(operation, given, call) {
        if (opened === null) throw new Error('the order was not started');
        return opened.check(operation, given, call);
      },
    };
    const model = served.model ?? (order.request.type === 'video' ? 'vid_gen' : 'img_gen');
    const followed: Followed = {
      model: name,
      engine: withGridsOf(served.api, lazy, settings),
      server: () => server,
      order: { ...order, route: { ...order.route, model } },
    };
    let checked: Checked | null = null;
    try {
      checked = await keepOutputs(await followOrder(followed, context), followed, settings, context.signal);
      return checked;
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      if (servers.knows(served.server))
        return { status: 'failed', error: { code: 'upstream_error', message: `local: ${error.message}` } };
      const message = `local: there is no model ${name} on this machine: it was removed, or never pulled here`;
      return { status: 'failed', error: { code: 'upstream_error', message, final: true } };
    } finally {
      const used = server as ManagedServer | null;
      // A server that does not stop would let the next order wait for a result that nobody wants.
      if (checked === null && context.signal.aborted && (isStopping() || !(await stopOrder(opened, running))))
        await used?.end('the order was stopped');
      await (opened as Engine | null)?.close?.();
      used?.release(checked?.status === 'succeeded');
    }
  }

  return {
    name: 'local',
    concurrency,
    isFree: true,
    isLocal: true,
    needsParameters: true,
    isDormant: settings.isDormant,
    start: async () => ({ operation: {}, checkAfterMs: 0 }),
    check: (_operation, order, context) => check(order, context),
    async cancel(_operation, order) {
      inWork.get(order.taskId)?.abort(new Error('canceled'));
      return inWork.has(order.taskId);
    },
    async probe() {
      const { usable, refused } = await servers.models();
      const names = [...usable, ...refused.keys()];
      const message = names.length === 0 ? 'no model is pulled' : `runs ${names.join(', ')} when they are ordered`;
      return { ok: true, message, models: usable, refused };
    },
  };
}

/** Error for a model that cannot be used; waiting does not help. */
class Unusable extends EngineError {
  constructor(message: string) {
    super('upstream', message, { took: 'no', scope: 'route' });
  }
}

const STOP_MS = 5_000;
const CHECK_MS = 200;

/**
 * Asks a server to stop an order, and waits until it has.
 * @param running null = the order is not at the server, or that is unknown
 * @returns whether the server is free for the next order
 */
async function stopOrder(
  engine: Engine | null,
  running: { readonly operation: JsonValue; readonly order: Order } | null,
): Promise<boolean> {
  if (engine === null || running === null) return false;
  const { operation, order } = running;
  const signal = world.timeout(STOP_MS);
  const context = { signal, onProgress: () => {}, cancelRequested: true };
  try {
    if ((await engine.cancel?.(operation, order, context)) !== true) return false;
    while ((await engine.check(operation, order, context)).status === 'pending') await sleep(CHECK_MS, { signal });
    return true;
  } catch {
    return false;
  }
}

/** Downloads the outputs of a finished order, because a server may end as soon as it is released. */
async function keepOutputs(
  checked: Checked,
  { model, server }: Followed,
  { fetch, log }: Pick<LocalEngineSettings, 'fetch' | 'log'>,
  signal: AbortSignal,
): Promise<Checked> {
  const used = server();
  if (checked.status !== 'succeeded' || used === null) return checked;
  try {
    return { ...checked, delivery: await downloadOwnOutputs(checked.delivery, used.url, { fetch, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, model }, 'could not download the output of a server; making the order again');
    return { status: 'lost', message: `local: the output of ${model} could not be downloaded` };
  }
}

const LIMITS = { maxBytes: 1024 * 1024 * 1024, timeoutMs: 10 * 60_000 };

/**
 * Downloads the outputs from a server on this machine, which may end as soon as the next order does not need it.
 * @throws Error if one cannot be downloaded
 */
async function downloadOwnOutputs(
  delivery: Delivery,
  server: string,
  { fetch, signal }: { readonly fetch: TrustedFetch; readonly signal: AbortSignal },
): Promise<Delivery> {
  const outputs: DeliveredOutput[] = [];
  for (const output of delivery.outputs) {
    const { source } = output;
    if (!('url' in source) || new URL(source.url).origin !== server) {
      outputs.push(output);
      continue;
    }
    const response = await fetch(source.url, {
      ...LIMITS,
      joinsPieces: true,
      allowOrigins: [server],
      headers: source.headers ?? {},
      signal,
    });
    if (response.status !== 200) {
      response.body.destroy();
      throw new Error(`the address of its output answered ${response.status}`);
    }
    outputs.push({ ...output, source: { data: await buffer(response.body) } });
  }
  return { ...delivery, outputs };
}
