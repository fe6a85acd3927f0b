import { fairShares, proportionalShares } from './fair-shares.ts';
import { NO_SHARE, type Share, type ShareTimes } from './next-share.ts';
import type { ShareRow, Whole } from './share-store.ts';

/** An upstream account that several cells use. */
export interface SharedAccount {
  readonly id: string;
  /** The limit of orders in progress, before it adapts. */
  readonly limit: number;
  /** Limits per minute, by kind. */
  readonly perMinute: Readonly<Record<string, number>>;
  /** Counts the orders of this cell in progress, and those that it could have in progress, up to `most`. */
  count(most: number): Promise<{ readonly used: number; readonly wanted: number }>;
  /**
   * Returns the limit that an adaptive one becomes now, unless it changed a moment ago. Called at each look.
   * @param isFull more orders wait than it lets through
   */
  adapt?(limit: number, isFull: boolean): number;
  /** Called when the table has what `adapt` returned. */
  onAdapted?(change: { readonly from: number; readonly to: number }): void;
  /** Bounds an adaptive limit. Absent = it is fixed. */
  clamp?(limit: number): number;
}

/** A limit that is divided: that of an account, or one per minute. */
export interface Divided {
  readonly id: string;
  readonly whole: number;
  /** The whole as it is to be from now on; null = as it is. */
  readonly adapted: Whole | null;
  /** The rows by cell; that of the whole has no cell. */
  readonly found: ReadonlyMap<string, ShareRow>;
  /** The fair share of this cell. */
  readonly target: number;
  readonly wanted: number;
  readonly used: number;
  readonly settleMs: number;
}

const CHANGE_EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
/** The share of its last wish that a cell still wants after a second. */
const KEPT_WISH = 0.9;

export function minuteId(id: string, kind: string): string {
  return `${id} ${kind}`;
}

/** Divides an account and its limits per minute among the cells that are there, of which `cell` is this one. */
export async function divideAccount(
  account: SharedAccount,
  given: {
    readonly table: ReadonlyMap<string, ReadonlyMap<string, ShareRow>>;
    readonly cell: string;
    readonly isThere: (row: ShareRow) => boolean;
    /** The time by the clock of the shared database. */
    readonly now: number;
    readonly times: ShareTimes;
  },
): Promise<Divided[]> {
  const { table, cell, isThere, now, times } = given;
  const { id } = account;
  const found = table.get(id) ?? new Map<string, ShareRow>();
  const whole = found.get('')?.state as Whole | undefined;
  const limit = account.clamp?.(whole?.limit ?? account.limit) ?? account.limit;
  const mine = (found.get(cell)?.state as Share | undefined) ?? NO_SHARE;
  const { used, wanted: wantedNow } = await account.count(Math.max(limit + 1, mine.held));
  // Orders that end together are soon followed by others.
  const wanted = Math.max(wantedNow, Math.floor(mine.wanted * KEPT_WISH));
  const others = [...found.values()].filter((row) => row.cell !== '' && row.cell !== cell && isThere(row));
  const cells = others.map((row) => ({ name: row.cell, wanted: (row.state as Share).wanted }));
  cells.push({ name: cell, wanted });
  cells.sort((one, other) => (one.name < other.name ? -1 : 1));
  const place = cells.findIndex(({ name }) => name === cell);
  const wishes = cells.map((one) => one.wanted);
  const turn = Math.floor(now / times.turnMs);
  const shares = fairShares(limit, wishes, turn);

  const isFull = wishes.reduce((sum, one) => sum + one, 0) > limit && used >= mine.limit;
  // A clock that was set back must not keep the limit for long.
  const mayChange = whole !== undefined && Math.abs(now - whole.changedAt) >= CHANGE_EVERY_MS;
  const next = account.adapt?.(limit, isFull) ?? limit;
  const adapted = mayChange ? next : limit;
  return [
    {
      id,
      whole: limit,
      found,
      target: shares[place]!,
      wanted,
      used,
      settleMs: times.settleMs,
      adapted: adapted === limit ? null : { limit: adapted, changedAt: now },
    },
    ...Object.entries(account.perMinute).map(([kind, perMinute]) => ({
      id: minuteId(id, kind),
      whole: perMinute,
      adapted: null,
      wanted,
      used: 0,
      found: table.get(minuteId(id, kind)) ?? new Map<string, ShareRow>(),
      target: proportionalShares(perMinute, shares, turn)[place]!,
      // What was counted in the last minute still counts.
      settleMs: times.settleMs + MINUTE_MS,
    })),
  ];
}
