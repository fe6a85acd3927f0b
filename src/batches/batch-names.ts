import type { EarlierOrders, PlannedTask } from '../tasks/earlier-orders.ts';
import type { TaskRow } from '../tasks/task.ts';

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

interface Planned {
  readonly task: PlannedTask;
  readonly depth: number;
}

export function createBatchNames(): BatchNames {
  const positions = new Map<string, string>();
  const varied = new Map<string, number>();
  const ids = new Map<string, string>();
  const byId = new Map<string, Planned>();
  let keptBytes = 0;
  return {
    take(name, position) {
      const earlier = positions.get(name);
      if (earlier === undefined) positions.set(name, position);
      return earlier;
    },
    vary: (name, count) => void varied.set(name, count),
    plan(name, row, depth) {
      const { id, type, status, model_id, outputs_json, request_json, route_json, end_user, erased_at } = row;
      const task = { id, type, status, model_id, outputs_json, request_json, route_json, end_user, erased_at };
      ids.set(name, id);
      byId.set(id, { task, depth });
      keptBytes += request_json.length + route_json.length;
    },
    named(name) {
      const taskId = ids.get(name);
      if (taskId !== undefined) return { taskId };
      const position = positions.get(name);
      if (position !== undefined) return `the order '${name}' (${position}) has faults itself. Correct them first`;
      const count = varied.get(name);
      if (count !== undefined)
        return `'${name}' has become ${count} orders by vary. Name one of them, '${name}-1' to '${name}-${count}'`;
      return `no earlier order of this batch is named '${name.slice(0, 64)}'. Put an order before those that use it`;
    },
    planned: (taskId) => byId.get(taskId)?.task,
    depthOf: (taskId) => byId.get(taskId)?.depth,
    get keptBytes() {
      return keptBytes;
    },
  };
}
