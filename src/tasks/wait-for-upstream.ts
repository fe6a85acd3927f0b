import { isLong } from './circuit.ts';
import { letGo } from './move-task.ts';
import { backToQueue, findNextRoute, takeNextRoute } from './next-route.ts';
import type { TaskRow } from './task.ts';
import { engineOf } from './task-view.ts';
import type { WorkerDesk } from './worker-desk.ts';

const LOOK_AGAIN_MS = { soonest: 2_000, latest: 60_000 };

/**
 * What becomes of a task that cannot be handed over now, because its upstream gets no orders or its engine is not configured any more: it
 * goes on to a route that is ready, or waits. That is no attempt. @throws LostClaim
 */
export async function waitForUpstream(work: WorkerDesk, task: TaskRow): Promise<void> {
  const { desk, circuits, engines } = work;
  const engine = engineOf(task);
  const opened = circuits.of(engine);
  const reason = opened?.message ?? `the engine ${engine} is not configured`;
  const leaves = !engines.has(engine) || (opened !== null && isLong(opened));
  const next = leaves ? await findNextRoute(desk, task, { reason, standings: ['ready'] }) : null;
  if (next !== null) return await takeNextRoute(desk, task, next);
  if (task.step !== 'deferred') return await backToQueue(desk, task, null);
  const afterMs = engines.has(engine) ? waitForUpstreamMs(work, engine) : LOOK_AGAIN_MS.latest;
  await letGo(desk, task, { afterMs, attempts: task.attempts });
}

/** How long an order waits before it looks whether its upstream gets orders again; 0 where it does. */
export function waitForUpstreamMs({ circuits, desk }: WorkerDesk, engine: string): number {
  const opened = circuits.of(engine);
  if (opened === null) return 0;
  const waitMs = Math.max(LOOK_AGAIN_MS.soonest, opened.retry_at - desk.clock.now());
  return Math.min(LOOK_AGAIN_MS.latest, waitMs) * (1 + Math.random() * 0.1);
}
