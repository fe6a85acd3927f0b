import { type Divided, divideAccount, minuteId, type SharedAccount } from './divide-account.ts';
import { NO_SHARE, nextShare, type Share, type ShareTimes } from './next-share.ts';
import type { ShareChange, ShareRow, ShareStore, Whole } from './share-store.ts';

/** Keeps the shares of one cell, for one of its processes. */
export interface ShareKeeper {
  /** Returns the amount of an account that the cell may use now; with a kind, of a limit per minute. */
  shareOf(id: string, kind?: string): number;
  /** Reads the shares, and writes that of the cell unless another process has just done so. */
  refresh(): Promise<void>;
}

interface KeeperOptions {
  /** Name of the cell: unique among the cells, and the same in all processes of one. */
  readonly cell: string;
  readonly store: ShareStore;
  readonly accounts: () => readonly SharedAccount[];
  readonly times: ShareTimes;
  /** Whether the process submits orders; if not, it only reads. */
  readonly submits: boolean;
  /** A monotonic clock, and that of the machine, which shows how long it was suspended. In milliseconds. */
  readonly steady: () => number;
  readonly wall: () => number;
}

/** A moment, by both clocks. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

/** The last state of its cell's share that a process has read. */
interface Known {
  readonly limit: number;
  readonly version: number;
  /** Time before the last write of the cell's row; undefined = not known. */
  readonly writtenAt: Moment | undefined;
  /** Time before this version was last read. */
  readonly readAt: Moment;
}

/** A value, and the time since which this process has seen no other. */
interface Seen {
  readonly value: number;
  readonly since: number;
}

/**
 * Creates the keeper. The processes of a cell read the table every second. A process that finds its cell's row
 * unchanged since its last read writes it. No clocks are compared: each process decides whether a cell is gone, and
 * whether a lowered limit has settled, by the time for which it has seen no other value.
 */
export function createShareKeeper(options: KeeperOptions): ShareKeeper {
  const { cell, store, times, steady, wall } = options;
  const known = new Map<string, Known>();
  const versions = new Map<string, Seen>();
  const lowerings = new Map<string, Seen>();

  async function refresh(): Promise<void> {
    const at = { steady: steady(), wall: wall() };
    const accounts = options.accounts();
    const ids = accounts.flatMap(({ id, perMinute }) => [
      id,
      ...Object.keys(perMinute).map((kind) => minuteId(id, kind)),
    ]);
    const { rows, now } = await store.read(ids);
    const table = groupRows(rows);
    const before = new Map(versions);
    for (const row of rows) {
      record(versions, keyOf(row), row.version);
      if (row.cell === cell) record(lowerings, row.id, (row.state as Share).lowered);
    }
    const changes: ShareChange[] = [];
    const missing: Omit<ShareRow, 'version'>[] = [];
    for (const account of accounts) {
      const isThere = (row: ShareRow) => silenceOf(row) < times.trustMs;
      for (const divided of await divideAccount(account, { table, cell, isThere, now, times })) {
        const { id, target, found } = divided;
        const mine = found.get(cell);
        const whole = found.get('');
        const limit = Math.min((mine?.state as Share | undefined)?.limit ?? 0, target);
        recordKnown(id, { limit, version: mine?.version ?? 0 }, at);
        if (!options.submits) continue;
        if (mine === undefined || whole === undefined) {
          const state = { limit: divided.whole, changedAt: 0 };
          // A count that no earlier row had.
          missing.push({ id, cell: '', state }, { id, cell, state: { ...NO_SHARE, lowered: now } });
          continue;
        }
        const isMyTurn = before.get(keyOf(mine))?.value === mine.version;
        const change = changeOf(divided, { mine, whole, isMyTurn, at: at.steady });
        if (change !== null) changes.push(change);
      }
    }
    if (missing.length > 0) await store.add(missing);
    if (options.submits) for (const row of rows) if (silenceOf(row) >= times.goneMs) await store.remove(row);
    if (changes.length === 0) return;
    for (const row of await store.write(changes)) {
      record(versions, keyOf(row), row.version);
      const share = known.get(row.id);
      if (row.cell === cell && share !== undefined && share.readAt.steady <= at.steady)
        known.set(row.id, { ...share, version: row.version, writtenAt: at, readAt: at });
      const to = row.cell === '' ? changes.find(({ id, isAdapted }) => id === row.id && isAdapted)?.whole : undefined;
      const account = accounts.find(({ id }) => id === row.id);
      const whole = table.get(row.id)?.get('')?.state as Whole;
      if (to != null && account !== undefined) account.onAdapted?.({ from: whole.limit, to: to.state.limit });
    }
  }

  function changeOf(
    { id, whole: limit, adapted, found, settleMs, target, wanted, used }: Divided,
    row: { readonly mine: ShareRow; readonly whole: ShareRow; readonly isMyTurn: boolean; readonly at: number },
  ): ShareChange | null {
    const { mine, whole, isMyTurn, at } = row;
    const share = mine.state as Share;
    let othersHold = 0;
    for (const one of found.values()) if (one.cell !== '' && one !== mine) othersHold += (one.state as Share).held;
    const isSettled = at - (lowerings.get(id)?.since ?? at) >= settleMs;
    const next = isMyTurn ? nextShare(share, { whole: limit, othersHold, target, wanted, used, isSettled }) : null;
    if (next === null && adapted === null) return null;
    const state = adapted ?? (next !== null && next.held > share.held ? (whole.state as Whole) : null);
    return {
      id,
      cell,
      isAdapted: adapted !== null,
      part: next === null ? null : { version: mine.version, state: next },
      whole: state === null ? null : { version: whole.version, state },
    };
  }

  function recordKnown(id: string, read: Pick<Known, 'limit' | 'version'>, readAt: Moment): void {
    const last = known.get(id);
    if (last !== undefined && last.readAt.steady > readAt.steady) return;
    const writtenAt = last?.version === read.version ? last.writtenAt : last?.readAt;
    known.set(id, { ...read, writtenAt, readAt });
  }

  function record(seen: Map<string, Seen>, key: string, value: number): void {
    if (seen.get(key)?.value !== value) seen.set(key, { value, since: steady() });
  }

  /** Returns the time for which another cell has written nothing. */
  function silenceOf(row: ShareRow): number {
    if (row.cell === '' || row.cell === cell) return 0;
    return steady() - (versions.get(keyOf(row))?.since ?? steady());
  }

  return {
    shareOf(account, kind) {
      const share = known.get(kind === undefined ? account : minuteId(account, kind));
      if (share?.writtenAt === undefined) return 0;
      const { writtenAt, limit } = share;
      const onWall = wall() - writtenAt.wall;
      const isTrusted = steady() - writtenAt.steady < times.trustMs && onWall >= 0 && onWall < times.trustMs;
      return isTrusted ? limit : 0;
    },
    refresh,
  };
}

function keyOf({ id, cell }: Pick<ShareRow, 'id' | 'cell'>): string {
  return `${id} ${cell}`;
}

function groupRows(rows: readonly ShareRow[]): Map<string, Map<string, ShareRow>> {
  const groups = new Map<string, Map<string, ShareRow>>();
  for (const row of rows) {
    const group = groups.get(row.id) ?? new Map<string, ShareRow>();
    groups.set(row.id, group.set(row.cell, row));
  }
  return groups;
}
