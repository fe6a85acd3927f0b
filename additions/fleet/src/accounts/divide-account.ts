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
   * Returns the new value of an adaptive limit, unless it changed a moment ago. Called in each round.
   * @param isFull whether more orders wait than it allows
   */
  adapt?(limit: number, isFull: boolean): number;
  /** Called when the table has the result of `adapt`. */
  onAdapted?(change: { readonly from: number; readonly to: number }): void;
  /** Bounds an adaptive limit. Absent = fixed. */
  clamp?(limit: number): number;
}

/** A limit that is divided: that of an account, or one per minute. */
export interface Divided {
  readonly id: string;
  readonly whole: number;
  /** New value of the whole; null = unchanged. */
  readonly adapted: Whole | null;
  /** Rows by cell; that of the whole has no cell. */
  readonly found: ReadonlyMap<string, ShareRow>;
  /** The fair share of this cell. */
  readonly target: number;
  readonly wanted: number;
  readonly used: number;
  readonly settleMs: number;
}

const CHANGE_EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
/** Share of its last wish that a cell still wants after a second. */
const KEPT_WISH = 0.9;

export function minuteId(id: string, kind: string): string {
  return `${id} ${kind}`;
}

/** Divides an account and its limits per minute among the present cells, of which `cell` is this one. */
export async function divideAccount(
  account: SharedAccount,
  given: {
    readonly table: ReadonlyMap<string, ReadonlyMap<string, ShareRow>>;
    readonly cell: string;
    readonly isThere: (row: ShareRow) => boolean;
    /** Time by the clock of the shared database. */
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
      // Orders counted in the last minute still count.
      settleMs: times.settleMs + MINUTE_MS,
    })),
  ];
}
