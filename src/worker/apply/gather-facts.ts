import { routeCircuit } from '../../routing/circuit.ts';
import { engineToKeepTo } from '../../tasks/engine-to-keep-to.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { routeOf } from '../../tasks/task-json.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { Facts } from '../decide/facts.ts';
import { nextRouteOf } from '../rerouting/next-route.ts';
import type { WorkerServices } from '../worker-services.ts';
import type { Attempt } from './attempt.ts';

/** Nothing is submitted while unsaved answers of this size are in memory, because neither database nor spool accepts them. */
const MOST_UNSAVED_BYTES = 256 * 1024 * 1024;

/** Gathers the facts for a decision. */
export async function gatherFacts({ work, task }: Pick<Attempt, 'work' | 'task'>, event: TaskEvent): Promise<Facts> {
  const mayLeave = mayLeaveRoute(task, event);
  const keepTo = mayLeave ? await engineToKeepTo(work.services.database.read, task.parent_task_id) : null;
  return new TaskFacts(work, task, (leave) => {
    if (!mayLeave) throw new Error(`the event ${event.type} leaves no route`);
    return nextRouteOf(work.services, task, keepTo, leave);
  });
}

/** Computes only the facts that a row reads. A class, since one of these is made for every event of every task. */
class TaskFacts implements Facts {
  readonly chance = Math.random();
  readonly now: number;
  readonly nextRoute: Facts['nextRoute'];
  readonly #work: WorkerServices;
  readonly #task: TaskRow;

  constructor(work: WorkerServices, task: TaskRow, nextRoute: Facts['nextRoute']) {
    this.#work = work;
    this.#task = task;
    this.now = work.services.clock.now();
    this.nextRoute = nextRoute;
  }

  get engine(): Facts['engine'] {
    const engine = this.#work.engines.get(routeOf(this.#task).engine);
    return engine === undefined ? null : { isRepeatable: engine.repeatable === true };
  }

  get opened(): Facts['opened'] {
    const { circuits } = this.#work;
    const route = routeOf(this.#task);
    return { engine: circuits.of(route.engine), route: circuits.of(routeCircuit(route)) };
  }

  get isMemoryFull(): boolean {
    return this.#work.answers.bytesInMemory > MOST_UNSAVED_BYTES;
  }

  get hasAnswerInHand(): boolean {
    return this.#work.answers.has(this.#task.id);
  }

  get wasNotSent(): boolean {
    return this.#work.unsent.has(this.#task);
  }

  get typicalSeconds(): number | null {
    return this.#work.services.typicalSeconds.of(this.#task.model_id, this.#task.mode)?.p80 ?? null;
  }

  get settings(): Facts['settings'] {
    return this.#work.services.settings;
  }
}

/** Tells whether a row may ask for another route. */
function mayLeaveRoute({ step }: TaskRow, { type }: TaskEvent): boolean {
  return type === 'held_back' || type === 'start_failed' || (type === 'claimed' && step === 'waiting');
}
