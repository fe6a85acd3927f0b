import { Type } from 'typebox';
import { parseNatsUrl } from './nats-url.ts';
import { canParse, isPostgresUrl } from './url-checks.ts';
import { text, type ValuesOf } from './variable-types.ts';

/** The settings of many databases and processes. */
export const FLEET_VARIABLES = {
  DARKROOM_NOTICES_URL: Type.Optional(
    text(
      {
        expected: 'a URL such as nats://user:password@host:4222, with up to 8 servers as a:4222,b:4222; or tls://',
        secret: true,
        description:
          'NATS servers that carry notices between processes instead of the database. A user without a password is a token.',
      },
      (value) => canParse(parseNatsUrl, value),
    ),
  ),
  DARKROOM_PARTS_URL: Type.Optional(
    text(
      {
        expected: 'a URL such as postgres://user:password@host:5432/parts, the same in all cells',
        secret: true,
        description:
          'A PostgreSQL database in which [cells](scaling.md#share-upstream-accounts) share the capacity and limits of their upstream accounts. Unset: each cell uses its settings alone.',
      },
      (value) => isPostgresUrl(value, false),
    ),
  ),
} as const;

export function fleetOf(values: ValuesOf<typeof FLEET_VARIABLES>) {
  return {
    /** `nats://…`; null = the database carries notices between processes. */
    noticesUrl: values.DARKROOM_NOTICES_URL ?? null,
    /** The database of the parts of upstream accounts; null = they are not shared. */
    partsUrl: values.DARKROOM_PARTS_URL ?? null,
  };
}
