import { world } from '@darkroom-service/contract';
import { idempotencyOf } from '@darkroom-service/engines';
import { requiredEngine } from '../../record/required-engine.ts';
import { subjectOfRoute } from '../../routing/valve.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { Facts } from '../decide/facts.ts';
import { type LeaveRoute, type NextRoute, nextRouteOf } from '../rerouting/next-route.ts';
import type { WorkerServices } from '../worker-services.ts';

/**
 * Size of the unsaved answers in memory above which nothing is submitted. Neither database nor spool accepts them then.
 */
const MOST_UNSAVED_BYTES = 256 * 1024 * 1024;

/** Tells whether no more paid orders may be submitted: their answers would be in memory only. */
export function isMemoryFull({ answers }: Pick<WorkerServices, 'answers'>): boolean {
  return answers.bytesInMemory > MOST_UNSAVED_BYTES;
}

/** Returns the facts for the decision about an event; a promise if a row may need another route. */
export function gatherFacts(claimed: ClaimedTask, event: TaskEvent): Facts | Promise<Facts> {
  const { work, task } = claimed;
  const mayLeaveRoute =
    event.type === 'submission_blocked' ||
    event.type === 'route_excluded' ||
    event.type === 'start_failed' ||
    (event.type === 'claimed' && task.step === 'waiting');
  if (!mayLeaveRoute) return new TaskFacts(claimed, undefined);
  return requiredEngine(work.services.database.read, task.parent_task_id).then(
    (engine) => new TaskFacts(claimed, engine),
  );
}

/** Returns the reason why the rule of an order excludes its route by now; null = it does not. */
export function exclusionOf({ work, task: { route } }: ClaimedTask): string | null {
  return route.rule === undefined ? null : work.services.routing.exclusionOf(route.rule, route);
}

/** Computes only the facts that a row reads. A class, since one of these is made for every event of every task. */
class TaskFacts implements Facts {
  readonly chance = world.random();
  readonly now: number;
  readonly #claimed: ClaimedTask;
  readonly #keepTo: string | null | undefined;

  /**
   * @param keepTo the only engine that can make the order; null = any, undefined = not read, since the event leaves no
   * route
   */
  constructor(claimed: ClaimedTask, keepTo: string | null | undefined) {
    this.#claimed = claimed;
    this.#keepTo = keepTo;
    this.now = claimed.work.services.clock.now();
  }

  get engine(): Facts['engine'] {
    const { engine, task } = this.#claimed;
    if (engine === undefined) return null;
    const { repeatable = false, isFree = repeatable } = engine;
    return { isRepeatable: repeatable, isFree, idempotency: idempotencyOf(engine, task.route) };
  }

  get isCancelWanted(): boolean {
    const { task, cancel } = this.#claimed;
    return cancel.isRequested || task.cancel_requested_at !== null;
  }

  get isResubmission(): boolean {
    return this.#claimed.submission.isRepeated;
  }

  get isTest(): boolean {
    return this.#claimed.submission.isTest;
  }

  get shut(): Facts['shut'] {
    const { work, task } = this.#claimed;
    const { route } = task;
    return { engine: work.valves.of(route.engine), route: work.valves.of(subjectOfRoute(route)) };
  }

  get isExcluded(): boolean {
    return exclusionOf(this.#claimed) !== null;
  }

  nextRoute(leave: LeaveRoute): NextRoute | null {
    // An action names one model, so an order that leaves its model follows up on no engine's work.
    const keepTo = leave.model === undefined ? this.#keepTo : null;
    if (keepTo === undefined) throw new Error('this event leaves no route');
    return nextRouteOf(this.#claimed.work.services, this.#claimed.task, keepTo, leave);
  }

  get isSuspended(): boolean {
    return !this.#claimed.work.installation.maySubmit();
  }

  get isMemoryFull(): boolean {
    return isMemoryFull(this.#claimed.work);
  }

  get hasAnswer(): boolean {
    return this.#claimed.work.answers.has(this.#claimed.task.id);
  }

  get wasNotSent(): boolean {
    return this.#claimed.work.confirmedUnsent.has(this.#claimed.task);
  }

  get awaitsCallback(): boolean {
    const { engine } = this.#claimed;
    return engine !== undefined && this.#claimed.callsBack && this.#claimed.work.callbacks.arrive(engine.name);
  }

  get typicalSeconds(): number | null {
    const { work, task } = this.#claimed;
    return work.services.typicalSeconds.of(task.model_id, task.mode)?.p80 ?? null;
  }

  get settings(): Facts['settings'] {
    return this.#claimed.work.services.settings;
  }
}
