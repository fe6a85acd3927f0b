import type { Engine, Order } from '../../engines/engine.ts';
import type { Route } from '../../tasks/route.ts';
import type { TaskRow } from '../../tasks/task.ts';
import type { TaskLife } from '../decide/decide.ts';
import type { Held, WorkerServices } from '../worker-services.ts';

/** A claimed task that this process works on. */
export interface Attempt extends TaskLife {
  readonly work: WorkerServices;
  readonly held: Held;
  /** The row after the last write. */
  task: TaskRow;
  /** The route of the task. An action that changes it also releases the task. */
  readonly route: Route;
  /** The engine of that route; undefined if it is not configured in this process. */
  readonly engine: Engine | undefined;
  /** The order as the engine gets it; null until it is read. */
  order: Order | null;
  /** The order is submitted again, because an earlier submission may have been accepted. */
  isResubmission: boolean;
  /** The error of the last action, for the log and for retries. */
  fault: unknown;
}
