import { cutText, type Fault } from '@darkroom-service/contract';
import type { TaskRow } from '../../kernel.ts';
import { NEW_TASK } from '../../kernel-orders.ts';
import type { BatchSiblings } from './judge-batch-order.ts';
import { createTextStore } from './text-store.ts';

/** Names within a batch, and the orders that later ones may use by them. */
interface BatchNames extends BatchSiblings {
  /**
   * Takes a name.
   * @param position names its order in messages
   * @returns the position of the order that has it already, if any
   */
  take(name: string, position: string): string | undefined;
  /** Records that an entry has become several orders, named `<name>-1` and so on. */
  vary(name: string, count: number): void;
  /** Makes an order usable by its name. @param depth length of the longest chain of waiting orders that ends with it */
  plan(name: string, row: TaskRow, depth: number): void;
  /** Returns the depth of a planned order; undefined for other tasks. */
  depthOf(taskId: string): number | undefined;
  /** Whether a fault only says that the order names an order that was refused. */
  isOfRefused(fault: Fault): boolean;
  readonly keptBytes: number;
}

/**
 * Keeps ten thousand orders in a few lists, without an object for each: objects on the heap prolong the pauses of the
 * garbage collector, in which no request is served.
 */
export function createBatchNames(): BatchNames {
  /** Numbers of names, in the order in which they were taken. */
  const numbers = new Map<string, number>();
  const positions = createTextStore();
  /** Index of the planned order in the lists below, by number; -1 = not planned. */
  const placeOf: number[] = [];
  const varied = new Map<string, number>();
  /** Planned orders that others use. */
  const usedById = new Map<string, number>();
  const types: TaskRow['type'][] = [];
  const models: string[] = [];
  const endUsers: (string | null)[] = [];
  const depths: number[] = [];
  /** Four texts per planned order: its id, its input, its request and its route. */
  const texts = createTextStore();
  /** Messages to orders that name a refused order: the reasons why it cannot be used. */
  const reasons = new Set<string>();

  function taskAt(place: number): ReturnType<BatchSiblings['planned']> {
    const { status, outputs_json, erased_at } = NEW_TASK;
    return {
      id: texts.get(4 * place),
      type: types[place]!,
      model_id: models[place]!,
      end_user: endUsers[place]!,
      input_json: texts.get(4 * place + 1),
      request_json: texts.get(4 * place + 2),
      route_json: texts.get(4 * place + 3),
      status,
      outputs_json,
      erased_at,
    };
  }

  return {
    take(name, position) {
      const earlier = numbers.get(name);
      if (earlier !== undefined) return positions.get(earlier);
      numbers.set(name, positions.add(position));
      placeOf.push(-1);
      return undefined;
    },
    vary: (name, count) => void varied.set(name, count),
    plan(name, row, depth) {
      placeOf[numbers.get(name)!] = types.length;
      types.push(row.type);
      models.push(row.model_id);
      endUsers.push(row.end_user);
      depths.push(depth);
      for (const text of [row.id, row.input_json, row.request_json, row.route_json]) texts.add(text);
    },
    named(name) {
      const number = numbers.get(name);
      const place = number === undefined ? -1 : placeOf[number]!;
      if (place >= 0) {
        const taskId = texts.get(4 * place);
        usedById.set(taskId, place);
        return { taskId };
      }
      if (number !== undefined) {
        const reason = `the order '${name}' (${positions.get(number)}) has faults itself. Correct them first`;
        reasons.add(reason);
        return reason;
      }
      const count = varied.get(name);
      if (count !== undefined)
        return `'${name}' has become ${count} orders by vary. Name one of them, '${name}-1' to '${name}-${count}'`;
      return `no earlier order of this batch is named '${cutText(name, 64)}'. Put an order before those that use it`;
    },
    planned(taskId) {
      const place = usedById.get(taskId);
      return place === undefined ? undefined : taskAt(place);
    },
    isOfRefused: ({ param, message }) => reasons.has(message.slice(`${param}: `.length, -1)),
    depthOf: (taskId) => depths[usedById.get(taskId) ?? -1],
    get keptBytes() {
      return texts.bytes + positions.bytes;
    },
  };
}
