import { sleep, world } from '@darkroom-service/contract';
import { type CallContext, type Checked, type Engine, EngineError, FAILURE_CODES, type Order } from '../engine.ts';
import type { ManagedServer } from './managed-server.ts';

export interface Followed {
  readonly model: string;
  readonly engine: Engine;
  readonly order: Order;
  /** Returns the server once the order has one. */
  readonly server: () => ManagedServer | null;
}

/** Milliseconds without an answer after which a server hangs. */
const SILENT_MS = 60_000;
const RETRY_MS = 1_000;
const CHECK_MS = 300;
/** Percentage of the progress for the steps; decoding follows. */
const STEPS_SHARE = 95;

/**
 * Hands an order to its server and waits for the end. An order whose server ends is lost: the caller makes it again.
 * @throws EngineError if the order itself is refused; the signal's reason
 */
export async function followOrder(followed: Followed, context: CallContext): Promise<Checked> {
  const { engine, order } = followed;
  const silence = createSilence();
  const operation = await untilAnswered(followed, silence, context, async () => {
    const started = await engine.start(order, context);
    reportSteps(followed, context);
    return started;
  });
  if ('status' in operation) return operation;
  if ('done' in operation) return { status: 'succeeded', delivery: operation.done };
  for (;;) {
    const checked = await untilAnswered(followed, silence, context, () =>
      engine.check(operation.operation, order, context),
    );
    if (checked.status !== 'pending') return checked;
    if (checked.progress !== undefined) context.onProgress((checked.progress * STEPS_SHARE) / 100);
    const server = followed.server();
    const pause = sleep(checked.checkAfterMs ?? CHECK_MS, { signal: context.signal }).catch(() => null);
    const how = await Promise.race([pause, server?.ended ?? pause]);
    context.signal.throwIfAborted();
    if (how !== null) return lost(followed, how);
  }
}

type Lost = Extract<Checked, { status: 'lost' | 'failed' }>;

/** Repeats a call until the server answers or ends. */
async function untilAnswered<T>(
  followed: Followed,
  silence: ReturnType<typeof createSilence>,
  { signal }: CallContext,
  call: () => Promise<T>,
): Promise<T | Lost> {
  for (;;) {
    try {
      const answer = await call();
      silence.broken();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      const server = followed.server();
      if (!(error instanceof EngineError) || server === null) throw error;
      const how = await hasEnded(server);
      if (how !== null) return lost(followed, how);
      if (error.class === 'invalid_input' || error.class === 'content_policy') throw error;
      if (error.scope === 'route') {
        const message = `local: ${error.message}`;
        return { status: 'failed', error: { code: FAILURE_CODES[error.class], message } };
      }
      // The server may have the order: it is ended, since nobody can ask it.
      if (error.took !== 'no' || silence.lasts() >= SILENT_MS) {
        await server.fail(`it gave no usable answer: ${error.message}`);
        return lost(followed, await server.ended);
      }
      await sleep(RETRY_MS, { signal });
    }
  }
}

function createSilence() {
  let since: number | null = null;
  return {
    broken: () => {
      since = null;
    },
    /** Returns the milliseconds without an answer. */
    lasts: () => {
      since ??= world.monotonic();
      return world.monotonic() - since;
    },
  };
}

function lost({ model }: Followed, how: string): Lost {
  return { status: 'lost', message: `local: the server of ${model} ended (${how})` };
}

/** Returns how a server ended; null if it runs. A connection breaks shortly before the system reports the end. */
async function hasEnded({ ended }: ManagedServer): Promise<string | null> {
  return await Promise.race([ended, sleep(RETRY_MS)]);
}

/** Turns the steps of all pictures of the order into its progress. */
function reportSteps({ server, order }: Followed, { onProgress }: CallContext): void {
  const used = server();
  if (used === null) return;
  const pictures = order.request.output.tiles ?? 1;
  let finished = 0;
  let last = 0;
  used.onStep = ({ done, total }) => {
    if (done < last) finished = Math.min(pictures - 1, finished + 1);
    last = done;
    onProgress(((finished + done / total) / pictures) * STEPS_SHARE);
  };
}
