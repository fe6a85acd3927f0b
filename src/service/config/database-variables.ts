import { isPostgresUrl } from '@darkroom-service/store';
import { Type } from 'typebox';
import { text, type ValuesOf, type VariableFault } from './variable-types.ts';

const EXPECTED = 'a URL such as postgres://user:password@host:5432/darkroom';
const EXPECTED_HOSTS = `${EXPECTED}, or up to 8 servers as a:5432,b:5432 with target_session_attrs=read-write`;
const EXPECTED_REPLICAS = `${EXPECTED}, or up to 8 servers as a:5432,b:5432 with target_session_attrs=prefer-standby`;

/** The fault of a setting that only a PostgreSQL database can use. */
const NEEDS_DATABASE = 'expected DARKROOM_DATABASE_URL too: the embedded database has none of these';

/** Variables of the database and of the access to it, and the name of the cell. */
export const DATABASE_VARIABLES = {
  DARKROOM_DATABASE_URL: postgresUrl(
    'A PostgreSQL database (15 or later) for any number of processes. Of several servers, the one that accepts writes is used. Unset: the embedded database in DARKROOM_DATA_DIR.',
  ),
  DARKROOM_DATABASE_LISTEN_URL: postgresUrl(
    'The same database without its transaction pooler, to hear of changes at once. Unset: behind a pooler they are found within a second.',
  ),
  DARKROOM_DATABASE_REPLICA_URL: postgresUrl(
    'A read replica. It answers lists, searches, usage and reports while it is at most ten seconds behind.',
    EXPECTED_REPLICAS,
  ),
  DARKROOM_CELL: Type.Optional(
    text(
      {
        expected: '1 to 4 lower-case letters or digits',
        description:
          'The name of this [cell](scaling.md#cells). New keys, client tokens and ids carry it, so that a proxy can route by it.',
      },
      (value) => /^[0-9a-z]{1,4}$/.test(value),
    ),
  ),
} as const;

/** Finds addresses that belong to a PostgreSQL database and that would stay unused. */
export function faultsOfDatabase(values: ValuesOf<typeof DATABASE_VARIABLES>): VariableFault[] {
  return faultsWithoutDatabase(['DARKROOM_DATABASE_LISTEN_URL', 'DARKROOM_DATABASE_REPLICA_URL'], values, values);
}

/** Finds variables that are set although only a PostgreSQL database can use them, and there is none. */
export function faultsWithoutDatabase(
  variables: readonly string[],
  values: Readonly<Record<string, unknown>>,
  { DARKROOM_DATABASE_URL: url }: { readonly DARKROOM_DATABASE_URL?: string },
): VariableFault[] {
  if (url !== undefined) return [];
  return variables
    .filter((variable) => values[variable] !== undefined)
    .map((variable) => ({ variable, message: NEEDS_DATABASE }));
}

function postgresUrl(description: string, expected = EXPECTED_HOSTS) {
  return Type.Optional(
    text({ expected, secret: true, description }, (value) => isPostgresUrl(value, expected === EXPECTED_REPLICAS)),
  );
}
