import { Type } from 'typebox';
import { DataRule } from './data-rule.ts';
import { EndUserName } from './end-user.ts';
import { DOLLARS, MODEL_GLOB } from './id-patterns.ts';
import { closedObject, Nullable, Time } from './parts.ts';

const LONGEST_SECONDS = 3_600;
export const DEFAULT_TOKEN_SECONDS = 900;

/** The body that asks for a token. */
export const NewClientToken = closedObject(
  {
    end_user: EndUserName,
    models: Type.Optional(
      Type.Array(Type.String({ maxLength: 64, pattern: `^${MODEL_GLOB}$` }), {
        maxItems: 20,
        description:
          "Patterns such as 'flux-*', within what the key can order. An empty list allows none; left out = every model of the key.",
      }),
    ),
    data: Type.Optional(DataRule),
    max_price: Type.Optional(
      Nullable(
        Type.String({ maxLength: 16, pattern: `^${DOLLARS}$`, examples: ['0.05'] }),
        'US dollars that one order may cost at most.',
      ),
    ),
    rpm: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Creates per minute of the end user; 0 = no limit.',
      }),
    ),
    origins: Type.Optional(
      Type.Array(
        Type.String({ maxLength: 208, pattern: '^https?://[^/?#\\s]{1,200}$', examples: ['https://shop.example'] }),
        {
          maxItems: 10,
          description:
            'Origins whose pages may use the token. An empty list allows none; left out = all. Not a security boundary.',
        },
      ),
    ),
    expires_in: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LONGEST_SECONDS, default: DEFAULT_TOKEN_SECONDS, description: 'Seconds.' }),
    ),
  },
  { title: 'NewClientToken' },
);

export const ClientToken = Type.Object(
  {
    token: Type.String({ description: 'Sent like a key, as Authorization: Bearer <token>. It is shown once.' }),
    expires_at: Time,
  },
  { $id: 'ClientToken', description: 'A short-lived token for one end user of the key.' },
);
