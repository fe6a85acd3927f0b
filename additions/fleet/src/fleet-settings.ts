import { defineSettings, text } from '@darkroom-service/darkroom/kernel';
import { isPostgresUrl } from '@darkroom-service/store';
import { Type } from 'typebox';
import { isNatsUrl } from './notices/nats-url.ts';

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
        isNatsUrl,
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
  needDatabase: ['DARKROOM_NOTICES_URL'],
  read({ DARKROOM_NOTICES_URL: noticesUrl, DARKROOM_PARTS_URL: partsUrl }) {
    return {
      /** NATS URL, `nats://…`; null = the database carries notices between processes. */
      noticesUrl: noticesUrl ?? null,
      /** Database of the shares of upstream accounts; null = they are not shared. */
      partsUrl: partsUrl ?? null,
    };
  },
});
