import type { PricedEngine } from '@darkroom-service/contract/catalog';
import { sql } from 'kysely';
import type { Session } from './database.ts';

/** Facts that only the process itself knows, by its settings and network. Its heartbeats report them to the others. */
export interface ProcessFacts {
  /** The names of the engines that it has. */
  readonly engines: readonly string[];
  /** Keyed digests of the keys of upstreams, by engine: equal digests are equal keys. */
  readonly keys: Readonly<Record<string, string>>;
  /** The engines whose upstream refuses its key. */
  readonly refused: Readonly<Record<string, RefusedKey>>;
  /** The spend limits of its settings in millionths of a US dollar, by engine. */
  readonly spendLimits: Readonly<Record<string, { readonly day: number | null; readonly month: number | null }>>;
  /** The engines whose costs count for prices; absent = a process of an older version. */
  readonly priced?: readonly PricedEngine[];
  /** Keyed digest of the settings of the storage: address and credentials. */
  readonly storage: string;
  /** Whether the process has reached the storage since its start. */
  readonly hasStored: boolean;
  /** True after an orderly stop, so that the process is not reported as lost. */
  readonly hasLeft?: true;
}

export interface RefusedKey {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The upstream's error message. */
  readonly reason: string;
  /** The setting that has the key, such as `FAL_KEY`. */
  readonly setting: string;
}

/** A running process and the facts that it has reported. */
export interface Peer {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  /** The reported facts; null = none yet. */
  readonly facts: ProcessFacts | null;
}

/** Parses the facts that a process has reported; null if it has reported none. */
export function readFacts(text: string | null): ProcessFacts | null {
  return text === null ? null : (JSON.parse(text) as ProcessFacts);
}

/** Lists the other running processes. */
export async function listPeers(session: Session, own: string, leaseMs: number): Promise<Peer[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('processes')
      .select(['id', 'role', 'host', 'facts'])
      .where('id', '!=', own)
      .where('ended_at', 'is', null)
      .where('beat_at', '>', sql<number>`${session.now} - ${sql.lit(leaseMs)}`),
  );
  return rows.map(({ facts, ...row }) => ({ ...row, facts: readFacts(facts) }));
}
