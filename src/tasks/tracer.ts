import type { CalledServer } from '@darkroom-service/media';
import type { Transaction } from '../database/database.ts';
import type { TaskRow } from '../record/task.ts';

/**
 * Receives the spans of requests and orders as this process works on them. `check` is one of many calls that ask an
 * engine about its order.
 */
export interface Tracer {
  /** Runs a span of the current request or claim. @returns the result of `run` */
  span<T>(name: SpanName, run: () => Promise<T>): Promise<T>;
  /** Runs a span of an order outside of its claims. @param faultOf names the fault that it ended with; null = none */
  spanOf<T>(taskId: string, name: SpanName, run: () => Promise<T>, faultOf: (result: T) => string | null): Promise<T>;
  /**
   * Begins to trace an order, before the transaction that places it.
   * @returns a function that keeps the trace of the request with a task
   */
  placing(): KeepTrace;
  /** Begins to trace the tasks of a batch, which follow its request. @returns as `placing` */
  placingOf(batchId: string): Promise<KeepTrace>;
  /** Runs the work on a claimed task. @param run returns whether the lease is kept until the next check */
  claim(task: ClaimedRow, run: () => Promise<boolean>): Promise<void>;
  /** Called when a task has ended, and the commit of its end is on disk. */
  ended(task: EndedTask): void;
  /** Called when the current span asks a server, or has its answer. */
  called(server: CalledServer): void;
  /** Returns the headers of the current work for a server of the operator's own. */
  headers(): Readonly<Record<string, string>>;
  /** @returns the trace to which a log line with these fields belongs; null if none is known */
  traceOf(fields: object): string | null;
}

/** Keeps a trace with a task or a batch that is being placed. */
type KeepTrace = (trx: Transaction, id: string) => void;

/** A part of the life of an order, which a trace shows. */
export type SpanName = 'judge' | 'place' | 'submit' | 'check' | 'download' | 'examine' | 'settle' | 'webhook';

type ClaimedRow = Pick<
  TaskRow,
  'id' | 'type' | 'fence' | 'step' | 'queue' | 'model_id' | 'created_at' | 'started_at'
> & {
  readonly route: { readonly engine: string; readonly model: string | null };
};

interface EndedTask extends Pick<TaskRow, 'id' | 'type' | 'mode' | 'status' | 'model_id' | 'created_at'> {
  readonly engine: string;
  readonly completedAt: number;
  /** The code of its failure; null = it did not fail. */
  readonly failure: string | null;
}

/** A tracer that records nothing, for a service without tracing. */
export const NO_TRACER: Tracer = {
  span: (_name, run) => run(),
  spanOf: (_taskId, _name, run) => run(),
  placing: () => () => {},
  placingOf: async () => () => {},
  async claim(_task, run) {
    await run();
  },
  ended() {},
  called() {},
  headers: () => ({}),
  traceOf: () => null,
};
