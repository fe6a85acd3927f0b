import type { TrustedFetch } from '../../net/trusted-fetch.ts';
import { type CallContext, type Checked, type Engine, EngineError, type Order } from '../engine.ts';
import { SD_SERVER_GRID } from '../grid/grid-dialects.ts';
import { withGrids } from '../grid/grid-engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { createSdServerEngine } from '../sd-server/sd-server-engine.ts';
import type { EngineTools } from '../upstream/submit-poll-engine.ts';
import { type Followed, followOrder } from './follow-order.ts';
import type { ManagedServer, ManagedServers } from './managed-server.ts';

export interface LocalEngineSettings extends EngineTools {
  readonly servers: ManagedServers;
  /** Orders in progress at once in this process. */
  readonly concurrency: number;
  /** The longest time that one order may take. */
  readonly orderLimitMs: number;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

const CHECK_EVERY_MS = 300;
const CALL_TIMEOUT_MS = 30_000;

/**
 * Creates the engine for pulled models. Each runs in an sd-server that Darkroom starts. The route's `model` is the name
 * of a pulled model. The work is done in `check`, so an order whose process ends is simply made again by the next one.
 */
export function createLocalEngine(settings: LocalEngineSettings): Engine {
  const { servers, concurrency, orderLimitMs } = settings;
  const inWork = new Map<string, AbortController>();

  async function check(order: Order, context: CallContext): Promise<Checked> {
    const canceled = new AbortController();
    inWork.set(order.taskId, canceled);
    const limit = AbortSignal.timeout(orderLimitMs);
    const signal = AbortSignal.any([context.signal, canceled.signal, limit]);
    try {
      return await make(order, { ...context, signal });
    } catch (error) {
      if (canceled.signal.aborted) return { status: 'canceled' };
      if (!limit.aborted || context.signal.aborted) throw error;
      const message = `local: the order took longer than ${Math.round(orderLimitMs / 60_000)} minutes`;
      return { status: 'failed', error: { code: 'timeout', message } };
    } finally {
      inWork.delete(order.taskId);
    }
  }

  async function make(order: Order, context: CallContext): Promise<Checked> {
    const model = order.route.model ?? '';
    let server: ManagedServer | null = null;
    let opened: Engine | null = null;
    // An order that needs no model, such as cutting a tile out of a grid, starts no server.
    const lazy: Engine = {
      name: 'local',
      concurrency,
      async start(given, call) {
        server = await servers.use(model, call.signal).catch((error: Error) => {
          call.signal.throwIfAborted();
          throw new Unusable(`${model} cannot be used: ${error.message}`);
        });
        opened = createSdServerEngine({
          ...settings,
          ...{ url: server.url, authorization: null, checkEveryMs: CHECK_EVERY_MS, callTimeoutMs: CALL_TIMEOUT_MS },
        });
        return await opened.start(given, call);
      },
      check(operation, given, call) {
        if (opened === null) throw new Error('the order was not started');
        return opened.check(operation, given, call);
      },
    };
    const followed: Followed = {
      ...{ model, engine: withGrids(lazy, SD_SERVER_GRID, settings), server: () => server },
      order: { ...order, route: { ...order.route, model: order.request.type === 'video' ? 'vid_gen' : 'img_gen' } },
    };
    let checked: Checked | null = null;
    try {
      checked = await followOrder(followed, context);
      return checked;
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      return { status: 'failed', error: { code: 'upstream_error', message: `local: ${error.message}` } };
    } finally {
      const used = server as ManagedServer | null;
      // The server cannot be told to stop, so the next order would wait for a result that nobody wants.
      if (checked === null && context.signal.aborted) await used?.end('the order was stopped');
      used?.release(checked?.status === 'succeeded');
    }
  }

  return {
    name: 'local',
    concurrency,
    isFree: true,
    isLocal: true,
    needsParameters: true,
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

/** The model cannot be used, and waiting does not help. */
class Unusable extends EngineError {
  constructor(message: string) {
    super('upstream', message, { took: 'no', scope: 'route' });
  }
}
