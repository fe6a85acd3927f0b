import { type JsonObject, timeOfId } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { BATCH_WINDOW_MS } from '../vendor-descriptors.ts';
import { createSubmitPollEngine, type EngineTools } from './submit-poll-engine.ts';

type Spec<Handle extends JsonObject> = Omit<
  Parameters<typeof createSubmitPollEngine<Handle>>[0],
  'concurrency' | 'idempotency' | 'find'
>;

/** A page of an upstream's jobs. */
export interface JobPage<Handle> {
  readonly jobs: readonly {
    /** Our id of the order; null if the job is not ours. */
    readonly taskId: string | null;
    /** Milliseconds since 1970, by the upstream's clock. */
    readonly createdAt: number;
    readonly handle: Handle;
  }[];
  /** The cursor of the next page; null = this is the last. */
  readonly next: string | null;
}

/** The list of an upstream's jobs. */
interface JobList<Handle> {
  /** Whether jobs are listed newest first; absent = the upstream does not say, so all are read. */
  readonly isNewestFirst?: boolean;
  /** Reads a page. @param from null for the first one */
  pageOf(from: string | null, signal: AbortSignal): Promise<JobPage<Handle>>;
}

const CONCURRENCY = 50;
const MOST_PAGES = 100;
/** Milliseconds by which the upstream's clock may be behind ours. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/**
 * Creates the engine for a vendor's batch interface, which makes orders within 24 hours for less. Each order is a job
 * of its own that carries our task id: so it can be found in the vendor's list, canceled alone, and is never submitted
 * twice.
 */
export function createBatchEngine<Handle extends JsonObject>(
  spec: Spec<Handle>,
  list: JobList<Handle>,
  tools: EngineTools,
): Engine {
  const find = async (taskId: string, { signal }: { readonly signal: AbortSignal }): Promise<Handle | null> => {
    const since = timeOfId(taskId) - CLOCKS_DIFFER_MS;
    let from: string | null = null;
    for (let page = 0; page < MOST_PAGES; page++) {
      const { jobs, next }: JobPage<Handle> = await list.pageOf(from, signal);
      const found = jobs.find((job) => job.taskId === taskId);
      if (found !== undefined) return found.handle;
      const oldest = jobs.at(-1);
      const isPast = list.isNewestFirst === true && (oldest === undefined || oldest.createdAt < since);
      if (next === null || isPast) return null;
      from = next;
    }
    return null;
  };
  const shared = { concurrency: CONCURRENCY, idempotency: 'findable' as const, find };
  return {
    ...createSubmitPollEngine<Handle>({ ...spec, ...shared }, tools),
    windowMs: BATCH_WINDOW_MS,
  };
}
