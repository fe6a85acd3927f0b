import { promisify } from 'node:util';
import { constants, deflate, inflate } from 'node:zlib';
import type { Micros } from '../base/money.ts';
import type { AwaitedTasks } from '../orders/block-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import { NEW_TASK, TASK_COLUMNS } from '../tasks/task-columns.ts';

/** Some consecutive orders of a batch as they are stored until their tasks are inserted. */
export interface Portion {
  /** The place of its first order in the batch. */
  readonly first: number;
  /** The columns, and for each order their values, and what it waits for, if it does. */
  readonly deflated: Buffer;
  /** The sum of the prices of each end user's orders. */
  readonly endUsers: ReadonlyMap<string, Micros>;
}

/** Orders of a portion: their tasks are inserted in one transaction, which takes a few milliseconds. */
export const PORTION = 50;

const deflateAside = promisify(deflate);
const inflateAside = promisify(inflate);
const STORED = TASK_COLUMNS.filter((column) => !(column in NEW_TASK));
const HEAD = `{"columns":${JSON.stringify(STORED)},"orders":[`;
/** Room for a portion of usual orders. */
const PORTION_BYTES = 262_144;
/** What one UTF-16 unit needs in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

/** Collects rows and compresses them, off the event loop, to a tenth or less. */
export function createPortions(): {
  add(row: TaskRow, awaited: AwaitedTasks): void;
  readonly keptBytes: number;
  finish(): Promise<Portion[]>;
} {
  const portions: Promise<Portion>[] = [];
  // Rows are written at once: their texts would live on the heap until the portion is closed.
  let text = Buffer.allocUnsafe(PORTION_BYTES);
  let used = 0;
  let orders = 0;
  let endUsers = new Map<string, Micros>();
  let first = 0;
  let keptBytes = 0;

  function write(piece: string): void {
    const most = used + MOST_BYTES_PER_UNIT * piece.length;
    if (most > text.length) {
      const larger = Buffer.allocUnsafe(2 * most);
      text.copy(larger, 0, 0, used);
      text = larger;
    }
    used += text.write(piece, used);
  }

  function close(): void {
    write(']}');
    const start = first;
    const amounts = endUsers;
    const whole = Buffer.from(text.subarray(0, used));
    first += orders;
    used = 0;
    orders = 0;
    endUsers = new Map();
    const portion = deflateAside(whole, { level: constants.Z_BEST_SPEED }).then((deflated) => {
      keptBytes += deflated.length;
      return { first: start, deflated, endUsers: amounts };
    });
    // It is awaited at the end.
    portion.catch(() => {});
    portions.push(portion);
  }

  return {
    add(row, awaited) {
      if (row.end_user !== null) endUsers.set(row.end_user, (endUsers.get(row.end_user) ?? 0) + row.price);
      const values: unknown[] = STORED.map((column) => row[column]);
      if (awaited.parents.length > 0) values.push(awaited);
      write(orders === 0 ? HEAD : ',');
      write(JSON.stringify(values));
      if (++orders === PORTION) close();
    },
    get keptBytes() {
      return keptBytes;
    },
    async finish() {
      if (orders > 0) close();
      return await Promise.all(portions);
    },
  };
}

/** An order as it was stored, and what it waits for, if it does. */
export interface StoredOrder {
  readonly row: TaskRow;
  readonly awaited: AwaitedTasks | null;
}

/** A portion's rows as the database stores them. */
export function storedRows({ deflated }: Portion): string {
  return deflated.toString('base64');
}

/** The orders of a portion. A column that was added since it was stored is null. */
export async function readPortion(rowsDeflated: string): Promise<StoredOrder[]> {
  const text = await inflateAside(Buffer.from(rowsDeflated, 'base64'));
  const { columns, orders } = JSON.parse(text.toString()) as { columns: string[]; orders: unknown[][] };
  const empty = { ...Object.fromEntries(TASK_COLUMNS.map((column) => [column, null])), ...NEW_TASK };
  return orders.map((values) => ({
    row: { ...empty, ...Object.fromEntries(columns.map((column, at) => [column, values[at]])) } as TaskRow,
    awaited: (values[columns.length] as AwaitedTasks | undefined) ?? null,
  }));
}
