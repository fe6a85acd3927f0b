import type { Kysely } from 'kysely';
import type { Session } from '../../src/database/database.ts';

type Row = Record<string, string | number | null>;

/** Returns a builder for any table, such as those of additions, whose types leave with their folders. */
export function anyTable(builder: Session['builder']): Kysely<Record<string, Row>> {
  return builder as unknown as Kysely<Record<string, Row>>;
}
