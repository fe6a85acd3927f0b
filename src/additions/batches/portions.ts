import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import { canonicalName, type Micros } from '@darkroom-service/contract';
import { type Session, scopeDigest, type TaskRow } from '../../kernel.ts';
import { NEW_TASK, TASK_COLUMNS } from '../../kernel-orders.ts';
import type { GroupOrder } from './judge-batch-order.ts';

/** A run of consecutive orders of a batch, stored until their tasks are inserted. */
export interface Portion {
  /** Position of its first order in the batch. */
  readonly first: number;
  /** The columns, and for each order their values and the tasks that it waits for, if any. */
  readonly deflated: Buffer;
  /** Sum of the prices of each end user's orders. */
  readonly endUsers: ReadonlyMap<string, Micros>;
}

/** Number of orders of a portion: their tasks are inserted in one transaction, which takes a few milliseconds. */
export const PORTION = 50;

const deflateAside = promisify(deflate);
const inflateAside = promisify(inflate);
/** Columns in which the orders of most batches differ. */
const OWN: readonly (keyof TaskRow)[] = [
  'id',
  'input_json',
  'request_json',
  'media_json',
  'parent_task_id',
  'end_user',
  'metadata_json',
];
/** Columns that are derived from others and not stored. */
const DERIVED: readonly (keyof TaskRow)[] = ['scope'];
const SHARED = TASK_COLUMNS.filter((column) => !(column in NEW_TASK) && ![...OWN, ...DERIVED].includes(column));
/** Beginning of a portion's JSON: besides its columns an order has its name. */
const HEAD = `{"columns":${JSON.stringify(['batch_name', ...OWN, ...SHARED])},"orders":[`;
/** Initial size of the buffer: room for a portion of usual orders. */
const PORTION_BYTES = 131_072;
/**
 * Maximum size of a portion that is compressed on the main thread: that takes a millisecond or two, less than passing
 * it to another thread.
 */
const MOST_BYTES_AT_ONCE = 131_072;
/** Maximum size that is inflated on the main thread: that takes less than passing it to another thread. */
const MOST_BYTES_INFLATED_AT_ONCE = 16_384;
const LEVEL = { level: constants.Z_BEST_SPEED };
/** Maximum number of UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;

/** Collects rows and compresses them to a tenth or less. */
export function createPortions(): {
  add(row: TaskRow, name: string | null, awaited: GroupOrder['awaited']): void;
  readonly keptBytes: number;
  finish(): Promise<Portion[]>;
} {
  const portions: (Portion | Promise<Portion>)[] = [];
  const shared = createSharedText();
  // Rows are written at once: their texts would live on the heap until the portion is closed.
  let text = Buffer.allocUnsafeSlow(PORTION_BYTES);
  let used = 0;
  let orders = 0;
  let endUsers = new Map<string, Micros>();
  let first = 0;
  let keptBytes = 0;

  function write(piece: string): void {
    const most = used + MOST_BYTES_PER_UNIT * piece.length;
    if (most > text.length) {
      const larger = Buffer.allocUnsafeSlow(2 * most);
      text.copy(larger, 0, 0, used);
      text = larger;
    }
    used += text.write(piece, used);
  }

  function close(): void {
    write(']}');
    const portion = { first, endUsers };
    const closed = (deflated: Buffer): Portion => {
      keptBytes += deflated.length;
      return { ...portion, deflated };
    };
    portions.push(compress(text.subarray(0, used), closed));
    first += orders;
    used = 0;
    orders = 0;
    endUsers = new Map();
  }

  return {
    add(row, name, awaited) {
      if (row.end_user !== null) endUsers.set(row.end_user, (endUsers.get(row.end_user) ?? 0) + row.price);
      write(orders === 0 ? HEAD : ',');
      // Both are arrays, of which one is made: the first without its end, the second without its beginning.
      write(JSON.stringify([name, ...OWN.map((column) => row[column])]).slice(0, -1));
      write(shared(row));
      write(awaited.parents.length > 0 ? `,${JSON.stringify(awaited)}]` : ']');
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

/**
 * Creates the function that returns the values that rows share, as JSON: made again only for a row whose values differ
 * from the last one's.
 */
function createSharedText(): (row: TaskRow) => string {
  let values: unknown[] = [];
  let text = '';
  return (row) => {
    if (text === '' || SHARED.some((column, at) => row[column] !== values[at])) {
      values = SHARED.map((column) => row[column]);
      text = `,${JSON.stringify(values).slice(1, -1)}`;
    }
    return text;
  };
}

/** @param text may be overwritten afterwards */
function compress(text: Buffer, closed: (deflated: Buffer) => Portion): Portion | Promise<Portion> {
  // Copied: the result of zlib would keep a whole output buffer alive.
  if (text.length <= MOST_BYTES_AT_ONCE) return closed(Buffer.from(deflateSync(text, LEVEL)));
  const portion = deflateAside(Buffer.from(text), LEVEL).then(closed);
  // It is awaited at the end.
  portion.catch(() => {});
  return portion;
}

/** A stored order, its name, and the tasks that it waits for, if any. */
interface StoredOrder {
  readonly row: TaskRow;
  readonly name: string | null;
  readonly awaited: GroupOrder['awaited'] | null;
}

/** Returns a portion's rows as the database stores them. */
export function storedRows({ deflated }: Portion): string {
  return deflated.toString('base64');
}

/** Yields the rows of the orders that batches of a key have not placed yet, a portion at a time. */
export async function* readUnplaced(read: Session, keyId: string): AsyncGenerator<TaskRow[]> {
  const portions = await read.all(
    read.builder
      .selectFrom('batches')
      .innerJoin('batch_portions', 'batch_portions.batch_id', 'batches.id')
      .select(['batch_id', 'first'])
      .where('api_key_id', '=', keyId),
  );
  for (const { batch_id, first } of portions) {
    const portion = await read.first(
      read.builder
        .selectFrom('batch_portions')
        .select('rows_deflated')
        .where('batch_id', '=', batch_id)
        .where('first', '=', first),
    );
    if (portion !== undefined) yield (await readPortion(portion.rows_deflated)).map(({ row }) => row);
  }
}

/** Returns the orders of a portion. A column that was added since it was stored is null. */
export async function readPortion(rowsDeflated: string): Promise<StoredOrder[]> {
  const deflated = Buffer.from(rowsDeflated, 'base64');
  const text = deflated.length <= MOST_BYTES_INFLATED_AT_ONCE ? inflateSync(deflated) : await inflateAside(deflated);
  const { columns, orders } = JSON.parse(text.toString()) as { columns: string[]; orders: unknown[][] };
  const empty = { ...Object.fromEntries(TASK_COLUMNS.map((column) => [column, null])), ...NEW_TASK };
  const named = columns.indexOf('batch_name');
  const known = [...columns.entries()].filter(([, column]) => column in empty);
  return orders.map((values) => {
    const row = { ...empty, ...Object.fromEntries(known.map(([at, column]) => [column, values[at]])) } as TaskRow;
    return {
      row: {
        ...row,
        // Before schema version 78, the name was stored as it was sent.
        ...(row.end_user !== null && row.end_user_sent === null && canonicalName(row.end_user) !== row.end_user
          ? { end_user: canonicalName(row.end_user), end_user_sent: row.end_user }
          : {}),
        scope: row.end_user === null ? null : scopeDigest(row.api_key_id, row.end_user),
      },
      name: (values[named] ?? null) as string | null,
      awaited: (values[columns.length] as GroupOrder['awaited'] | undefined) ?? null,
    };
  });
}
