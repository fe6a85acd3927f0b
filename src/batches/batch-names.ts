import type { EarlierOrders, PlannedTask } from '../tasks/earlier-orders.ts';
import type { TaskRow } from '../tasks/task.ts';
import { NEW_TASK } from '../tasks/task-columns.ts';
import { createTextStore } from './text-store.ts';

/** The names within a batch, and the orders that later ones may use by them. */
export interface BatchNames extends EarlierOrders {
  /**
   * Takes a name.
   * @param position names its order in messages
   * @returns the position of the order that has it already, if any
   */
  take(name: string, position: string): string | undefined;
  /** Notes that an entry has become several orders, named `<name>-1` and so on. */
  vary(name: string, count: number): void;
  /** Makes an order usable by its name. @param depth how many orders wait one behind the other, up to it */
  plan(name: string, row: TaskRow, depth: number): void;
  /** The depth of a planned order; undefined if the task is none of them. */
  depthOf(taskId: string): number | undefined;
  readonly keptBytes: number;
}

/**
 * Keeps ten thousand orders in a few lists, without an object for each: what lives on the heap prolongs the pauses of
 * the garbage collector, in which nobody is served.
 */
export function createBatchNames(): BatchNames {
  const positions = new Map<string, string>();
  const varied = new Map<string, number>();
  /** The places of planned orders in the lists, by name and by the id of the task. */
  const byName = new Map<string, number>();
  const byId = new Map<string, number>();
  const ids: string[] = [];
  const types: TaskRow['type'][] = [];
  const models: string[] = [];
  const endUsers: (string | null)[] = [];
  const depths: number[] = [];
  /** Of each order its request and then its route. */
  const texts = createTextStore();

  function taskAt(place: number): PlannedTask {
    const { status, outputs_json, erased_at } = NEW_TASK;
    return {
      id: ids[place]!,
      type: types[place]!,
      model_id: models[place]!,
      end_user: endUsers[place]!,
      request_json: texts.get(2 * place),
      route_json: texts.get(2 * place + 1),
      status,
      outputs_json,
      erased_at,
    };
  }

  return {
    take(name, position) {
      const earlier = positions.get(name);
      if (earlier === undefined) positions.set(name, position);
      return earlier;
    },
    vary: (name, count) => void varied.set(name, count),
    plan(name, row, depth) {
      const place = ids.length;
      byName.set(name, place);
      byId.set(row.id, place);
      ids.push(row.id);
      types.push(row.type);
      models.push(row.model_id);
      endUsers.push(row.end_user);
      depths.push(depth);
      texts.add(row.request_json);
      texts.add(row.route_json);
    },
    named(name) {
      const place = byName.get(name);
      if (place !== undefined) return { taskId: ids[place]! };
      const position = positions.get(name);
      if (position !== undefined) return `the order '${name}' (${position}) has faults itself. Correct them first`;
      const count = varied.get(name);
      if (count !== undefined)
        return `'${name}' has become ${count} orders by vary. Name one of them, '${name}-1' to '${name}-${count}'`;
      return `no earlier order of this batch is named '${name.slice(0, 64)}'. Put an order before those that use it`;
    },
    planned(taskId) {
      const place = byId.get(taskId);
      return place === undefined ? undefined : taskAt(place);
    },
    depthOf: (taskId) => depths[byId.get(taskId) ?? -1],
    get keptBytes() {
      return texts.bytes;
    },
  };
}
