import { Type } from 'typebox';
import { closedObject, Money, Nullable, refTo, SECRET_FIELD, Text, Time, type Wire } from './parts.ts';

const SECRET = { minLength: 16, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' } as const;

/** The body that sets a key. */
export const NewUpstreamKey = closedObject(
  {
    secret: Type.String({
      ...SECRET,
      ...SECRET_FIELD,
      description: "The upstream's key, as its console shows it. It is stored sealed and never answered.",
    }),
  },
  { title: 'NewUpstreamKey' },
);

export const UpstreamKey = Type.Object(
  {
    engine: Type.String({ description: 'The engine whose upstream gets the orders.', examples: ['fal'] }),
    upstream_key_id: Text,
    last_four: Type.String({ description: 'The last four characters of the secret.' }),
    set_by: Type.String({ description: 'The key_id of the API key that set it.' }),
    set_at: Time,
    problem: Nullable(Text, 'Why the upstream gets no orders with this key now; null = it gets them.'),
  },
  { $id: 'UpstreamKey', description: "The account's own key at an upstream. Its live orders go there for a fee." },
);
export type UpstreamKeyView = Wire<typeof UpstreamKey>;

export const UpstreamKeyList = Type.Object(
  {
    items: Type.Array(refTo(UpstreamKey)),
    engines: Type.Array(Text, { description: 'The engines that accept an upstream key; empty = none does here.' }),
    fee: Type.Object(
      {
        amount: Money,
        percent: Type.String({ description: 'Percent of the price in the catalog, as a decimal string.' }),
      },
      { description: 'What an order with an upstream key costs here: both parts together.' },
    ),
  },
  { $id: 'UpstreamKeyList', description: "The account's own upstream keys, and what orders with them cost." },
);
export type UpstreamKeyListView = Wire<typeof UpstreamKeyList>;

export const UpstreamKeyRemoval = Type.Object(
  { engine: Text, removed_at: Time },
  { $id: 'UpstreamKeyRemoval', description: 'The confirmation that an upstream key was removed.' },
);
