import { isoTime } from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import type { Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { Mismatch } from './judge-installation.ts';

/**
 * `operator`: by command or API. `setting`: DARKROOM_HOLD, which no row stores. `copied`: the mark that `backup` and
 * `restore` make.
 */
export type SuspensionCause = 'operator' | 'setting' | 'copied' | Mismatch;

/** Role of a copy from its release on: in the place of its original, or beside it. */
export interface ReleaseChoice {
  readonly as: 'successor' | 'copy';
  /** Whether webhooks that were not delivered at the backup, and those of orders that were open, are never sent. */
  readonly dropsWebhooks: boolean;
}

/** The suspension of an installation: why it sends no orders and no webhooks. */
export interface Suspension {
  readonly cause: SuspensionCause;
  /** The message for customers; null = the operator wrote none. */
  readonly message: string | null;
  /** Start of the suspension, in milliseconds since 1970. Orders placed later exist in this database only. */
  readonly since: number;
  /** Release that a worker carries out before it ends the suspension. */
  readonly release?: ReleaseChoice;
}

export type InstallationRow = Selectable<Schema['installation']>;

/** Message for customers if the operator wrote none. */
const SUSPENDED_MESSAGE = 'The service accepts orders and sends none of them for now.';

export const REASONS: Readonly<Record<SuspensionCause, string>> = {
  operator: 'An operator holds it.',
  setting: 'DARKROOM_HOLD is true.',
  copied: 'Its database is a backup or was restored from one.',
  restored: 'Its database is on another server, or is another database, than before.',
  rolled_back: 'Its database lacks commits that were made before: it was rolled back, or another copy of it runs.',
  other_storage: 'Its storage belongs to another installation.',
};

/** Tells whether orders may have been sent by another copy of the database, so that only a release `as` ends it. */
export function isCopy({ cause }: Pick<Suspension, 'cause'>): boolean {
  return cause !== 'operator' && cause !== 'setting';
}

/** Returns the time when the database of a held copy was copied, in ms since 1970; null = it is no such copy. */
export function copiedAt(suspension: Suspension | null): number | null {
  return suspension !== null && isCopy(suspension) ? suspension.since : null;
}

/** Tells whether a copy sends no webhooks: by default, since its original goes on and sends its own. */
export function dropsWebhooks(as: ReleaseChoice['as'], webhooks: 'send' | 'drop' | undefined): boolean {
  return (webhooks ?? (as === 'copy' ? 'drop' : 'send')) === 'drop';
}

/** Returns a suspension as customers see it. */
export function viewSuspension(suspension: Suspension | null): {
  readonly held: boolean;
  readonly message: string | null;
} {
  return { held: suspension !== null, message: suspension === null ? null : (suspension.message ?? SUSPENDED_MESSAGE) };
}

/** Returns a hold as operators see it. */
export function viewSuspensionForOperators(suspension: Suspension | null) {
  if (suspension === null) return viewSuspension(null);
  const { since, cause } = suspension;
  return { ...viewSuspension(suspension), since: isoTime(since), reason: REASONS[cause], is_copy: isCopy(suspension) };
}

export async function readInstallation(session: Session): Promise<InstallationRow | undefined> {
  return await session.first(session.builder.selectFrom('installation').selectAll());
}

export function suspensionOf(row: Pick<InstallationRow, 'held'> | undefined): Suspension | null {
  return row === undefined || row.held === null ? null : (JSON.parse(row.held) as Suspension);
}
