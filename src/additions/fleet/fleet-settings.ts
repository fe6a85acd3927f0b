import { Type } from 'typebox';
import { ConfigFault, defineSettings, text } from '../../kernel.ts';
import { NEEDS_DATABASE } from '../../service/config/database-variables.ts';
import { canParse, isPostgresUrl } from '../../service/config/url-checks.ts';
import { parseNatsUrl } from './notices/nats-url.ts';

/** The servers that processes and cells share beside the database. */
export const FLEET_SETTINGS = defineSettings({
  variables: {
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
  },
  read({ DARKROOM_NOTICES_URL: noticesUrl, DARKROOM_PARTS_URL: partsUrl }, { core }) {
    if (noticesUrl !== undefined && core.DARKROOM_DATABASE_URL === undefined)
      throw new ConfigFault([{ variable: 'DARKROOM_NOTICES_URL', message: NEEDS_DATABASE }]);
    return {
      /** `nats://…`; null = the database carries notices between processes. */
      noticesUrl: noticesUrl ?? null,
      /** The database of the parts of upstream accounts; null = they are not shared. */
      partsUrl: partsUrl ?? null,
    };
  },
});
