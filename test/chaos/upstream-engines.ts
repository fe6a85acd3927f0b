import { type CallContext, type Delivery, type Engine, EngineError, type Order } from '@darkroom-service/engines';

/**
 * The engines of the fake upstream: asked again and again, found by our task id, or answering with the result itself.
 * None is repeatable.
 */
export const UPSTREAM_ENGINES = ['paid-polled', 'paid-findable', 'paid-blocking'] as const;

const TIMEOUT_MS = 4_000;
const CONCURRENCY = 24;

export function createUpstreamEngines(origin: string): Engine[] {
  const polled: Engine = {
    name: 'paid-polled',
    concurrency: CONCURRENCY,
    async start(order, context) {
      const { id } = (await submit(`${origin}/orders`, order, context)) as { id: string };
      return { operation: { id }, checkAfterMs: 100 };
    },
    async check(operation, _order, context) {
      const { id } = operation as { id: string };
      const { status, progress, url } = await ask(`${origin}/orders/${id}`, context);
      if (status === 'pending') return { status, progress: progress ?? 0, checkAfterMs: 150 };
      if (status === 'canceled') return { status };
      if (status === 'failed') return { status, error: { code: 'content_policy', message: 'The upstream refused.' } };
      return { status: 'succeeded', delivery: delivered({ url: url ?? '', allowOrigins: [new URL(origin).origin] }) };
    },
    async cancel(operation, _order, context) {
      const { id } = operation as { id: string };
      const response = await fetch(`${origin}/orders/${id}/cancel`, { method: 'POST', signal: limit(context) });
      await response.arrayBuffer();
      return response.ok;
    },
  };
  const findable: Engine = {
    ...polled,
    name: 'paid-findable',
    async find(taskId, _order, context) {
      const { id } = await ask(`${origin}/orders?task_id=${taskId}`, context);
      return id == null ? null : { id };
    },
  };
  const blocking: Engine = {
    name: 'paid-blocking',
    concurrency: CONCURRENCY,
    async start(order, context) {
      const { picture } = (await submit(`${origin}/blocking`, order, context)) as { picture: string };
      return { done: delivered({ data: Buffer.from(picture, 'base64') }) };
    },
    async check() {
      throw new EngineError('upstream', 'it cannot be asked', { took: 'unknown' });
    },
  };
  return [polled, findable, blocking];
}

function delivered(source: Delivery['outputs'][number]['source']): Delivery {
  return { outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }] };
}

function limit({ signal }: CallContext): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
}

/** Only a refusal in words was certainly not taken; whatever breaks after the call went out is unknown. */
async function submit(url: string, { taskId }: Order, context: CallContext): Promise<object> {
  try {
    const body = JSON.stringify({ task_id: taskId });
    const response = await fetch(url, { method: 'POST', body, signal: limit(context) });
    const text = await response.text();
    if (response.status === 429)
      throw new EngineError('rate_limited', 'too many orders', { took: 'no', retryAfterMs: 300 });
    if (!response.ok) throw new EngineError('upstream', `it answered ${response.status}`, { took: 'unknown' });
    return JSON.parse(text) as object;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('upstream', 'the line broke', { took: 'unknown', cause: error });
  }
}

interface State {
  readonly status?: 'pending' | 'canceled' | 'failed' | 'succeeded';
  readonly progress?: number;
  readonly url?: string;
  readonly id?: string | null;
}

async function ask(url: string, context: CallContext): Promise<State> {
  try {
    const response = await fetch(url, { signal: limit(context) });
    const text = await response.text();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return JSON.parse(text) as State;
  } catch (error) {
    throw new EngineError('upstream', 'it cannot be asked', { took: 'yes', retryAfterMs: 200, cause: error });
  }
}
