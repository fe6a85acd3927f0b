import { world } from '@darkroom-service/contract';
import { idempotencyOf } from '@darkroom-service/engines';
import { subjectOfRoute } from '../../routing/valve.ts';
import type { Attempt } from '../claimed-task.ts';
import type { Facts } from '../decide/facts.ts';
import { type LeaveRoute, type NextRoute, nextRouteOf } from '../rerouting/next-route.ts';
import type { WorkerServices } from '../worker-services.ts';

/**
 * Nothing is submitted while unsaved answers of this size are in memory, because neither database nor spool accepts
 * them.
 */
const MOST_UNSAVED_BYTES = 256 * 1024 * 1024;

/** Tells whether no more paid orders may be submitted: their answers would be in memory only. */
export function isMemoryFull({ answers }: Pick<WorkerServices, 'answers'>): boolean {
  return answers.bytesInMemory > MOST_UNSAVED_BYTES;
}

/** Computes only the facts that a row reads. A class, since one of these is made for every event of every task. */
export class TaskFacts implements Facts {
  readonly chance = world.random();
  readonly now: number;
  readonly #attempt: Attempt;
  readonly #keepTo: string | null | undefined;

  /**
   * @param keepTo the only engine that can make the order; null = any, undefined = not read, since the event leaves no
   * route
   */
  constructor(attempt: Attempt, keepTo: string | null | undefined) {
    this.#attempt = attempt;
    this.#keepTo = keepTo;
    this.now = attempt.work.services.clock.now();
  }

  get engine(): Facts['engine'] {
    const { engine, task } = this.#attempt;
    if (engine === undefined) return null;
    const { repeatable = false, isFree = repeatable } = engine;
    return { isRepeatable: repeatable, isFree, idempotency: idempotencyOf(engine, task.route) };
  }

  get isCancelWanted(): boolean {
    const { task, wasToldToCancel } = this.#attempt;
    return wasToldToCancel || task.cancel_requested_at !== null;
  }

  get isResubmission(): boolean {
    return this.#attempt.isResubmission;
  }

  get isTest(): boolean {
    return this.#attempt.isTest;
  }

  get shut(): Facts['shut'] {
    const { work, task } = this.#attempt;
    const { route } = task;
    return { engine: work.valves.of(route.engine), route: work.valves.of(subjectOfRoute(route)) };
  }

  nextRoute(leave: LeaveRoute): NextRoute | null {
    if (this.#keepTo === undefined) throw new Error('this event leaves no route');
    return nextRouteOf(this.#attempt.work.services, this.#attempt.task, this.#keepTo, leave);
  }

  get isSuspended(): boolean {
    return !this.#attempt.work.installation.maySubmit();
  }

  get isMemoryFull(): boolean {
    return isMemoryFull(this.#attempt.work);
  }

  get hasAnswerInHand(): boolean {
    return this.#attempt.work.answers.has(this.#attempt.task.id);
  }

  get wasNotSent(): boolean {
    return this.#attempt.work.unsent.has(this.#attempt.task);
  }

  get awaitsCallback(): boolean {
    const { engine } = this.#attempt;
    return engine !== undefined && this.#attempt.callsBack && this.#attempt.work.callbacks.arrive(engine.name);
  }

  get typicalSeconds(): number | null {
    const { work, task } = this.#attempt;
    return work.services.typicalSeconds.of(task.model_id, task.mode)?.p80 ?? null;
  }

  get settings(): Facts['settings'] {
    return this.#attempt.work.services.settings;
  }
}
