import { type Compilable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Identity } from './judge-installation.ts';

/**
 * Returns the identity that distinguishes a PostgreSQL database from its copies; a standby that takes over has the
 * same.
 */
export async function identifyServer({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<Identity> {
  if (kind === 'sqlite') return { systemId: null, databaseOid: null };
  const ask = async (systemId: string) => {
    const query = sql<{ oid: number; system: string | null }>`
      select cast(oid as bigint) as oid, ${sql.raw(systemId)} as system
      from pg_database where datname = current_database()`;
    return await read.first({ compile: () => query.compile(read.builder) } as Compilable<{
      oid: number;
      system: string | null;
    }>);
  };
  const found = await ask('(select cast(system_identifier as text) from pg_control_system())').catch(
    async (error: unknown) => {
      // Some providers do not allow the function.
      if (isRefused(error)) return await ask('null');
      throw error;
    },
  );
  return { systemId: found?.system ?? null, databaseOid: found?.oid ?? null };
}

/** Codes of insufficient privilege, unknown function, not supported. */
const REFUSED = ['42501', '42883', '0A000'];

function isRefused(error: unknown): boolean {
  return error instanceof Error && REFUSED.includes((error as { code?: string }).code ?? '');
}
