import { routeCircuit } from '../../routing/circuit.ts';
import { engineToKeepTo } from '../../tasks/engine-to-keep-to.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { routeOf } from '../../tasks/task-json.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { Facts } from '../decide/facts.ts';
import { nextRouteOf } from '../rerouting/next-route.ts';
import type { Attempt } from './attempt.ts';

/** Nothing is submitted while unsaved answers of this size are in memory, because neither database nor spool accepts them. */
const MOST_UNSAVED_BYTES = 256 * 1024 * 1024;

/** Gathers the facts for a decision. Getters compute only the facts that a row reads. */
export async function gatherFacts({ work, task }: Pick<Attempt, 'work' | 'task'>, event: TaskEvent): Promise<Facts> {
  const { services, circuits, engines, answers, unsent } = work;
  const mayLeave = mayLeaveRoute(task, event);
  const keepTo = mayLeave ? await engineToKeepTo(services.database.read, task.parent_task_id) : null;
  return {
    now: services.clock.now(),
    chance: Math.random(),
    get engine() {
      const engine = engines.get(routeOf(task).engine);
      return engine === undefined ? null : { isRepeatable: engine.repeatable === true };
    },
    get opened() {
      const route = routeOf(task);
      return { engine: circuits.of(route.engine), route: circuits.of(routeCircuit(route)) };
    },
    nextRoute(leave) {
      if (!mayLeave) throw new Error(`the event ${event.type} leaves no route`);
      return nextRouteOf(services, task, keepTo, leave);
    },
    get isMemoryFull() {
      return answers.bytesInMemory > MOST_UNSAVED_BYTES;
    },
    get hasAnswerInHand() {
      return answers.has(task.id);
    },
    get wasNotSent() {
      return unsent.has(task);
    },
    get typicalSeconds() {
      return services.typicalSeconds.of(task.model_id, task.mode)?.p80 ?? null;
    },
    settings: services.settings,
  };
}

/** Tells whether a row may ask for another route. */
function mayLeaveRoute({ step }: TaskRow, { type }: TaskEvent): boolean {
  return type === 'held_back' || type === 'start_failed' || (type === 'claimed' && step === 'waiting');
}
