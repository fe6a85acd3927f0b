import { type Static, Type } from 'typebox';
import { closedObject, Nullable, SECRET_FIELD, Text, Time, Whole, type Wire } from './parts.ts';
import { DELIVERY_STATUSES } from './words.ts';

const PresignedUrl = Type.String({ format: 'uri', maxLength: 4_096, ...SECRET_FIELD });
export const DestinationName = Type.String({ maxLength: 40, pattern: '^[a-z0-9][a-z0-9-]*$' });
const MOST_URLS = 16;

/** Headers that a customer's receiver or bucket asks for. They are stored encrypted and never returned. */
export const ReceiverHeaders = Type.Record(
  Type.String({ maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
  Type.String({ maxLength: 4_096, pattern: '^[\\t -~]*$', ...SECRET_FIELD }),
  { maxProperties: 16, additionalProperties: false, ...SECRET_FIELD },
);
export type ReceiverHeaders = Static<typeof ReceiverHeaders>;

export const DeliverTo = closedObject(
  {
    url: Type.Optional({ ...PresignedUrl, description: 'A presigned PUT URL for the first output.' }),
    urls: Type.Optional(
      Type.Array(PresignedUrl, {
        minItems: 1,
        maxItems: MOST_URLS,
        description: 'A presigned PUT URL for each output, in their order.',
      }),
    ),
    headers: Type.Optional({
      ...ReceiverHeaders,
      description: 'Headers that the presigned URLs were signed with. Stored encrypted and never answered.',
    }),
    destination: Type.Optional({
      ...DestinationName,
      description: 'The name of a destination of your account: PUT /v1/destinations/{name}.',
    }),
  },
  {
    title: 'DeliverTo',
    description: 'Where the outputs are copied to. Send `url`, `urls` or `destination`; `headers` go with URLs.',
  },
);

export const OutputDelivery = Type.Object(
  {
    output: Type.Integer({ minimum: 1, description: 'The place of the output in outputs, from 1.' }),
    state: Type.Enum(DELIVERY_STATUSES, { description: 'pending: it is tried again.' }),
    destination: Nullable(Text, 'The name of the destination; null for a presigned URL.'),
    key: Nullable(Text, 'The name of the object in the destination; it is the same in every attempt.'),
    url: Nullable(Text, 'The presigned URL without its query; null for a destination.'),
    attempts: Whole,
    reason: Nullable(Text, 'Why the last attempt failed; null if it did not.'),
    etag: Nullable(Text, 'The ETag that the bucket answered.'),
    verified_by: Type.Optional(
      Nullable(
        Type.Enum(['sha256', 'md5']),
        'The digest of the file that the answer of the bucket repeated. Null or absent: it repeated none, as buckets do that encrypt with a key of their own.',
      ),
    ),
    delivered_at: Nullable(Time),
  },
  { $id: 'OutputDelivery', description: 'The copy of an output that deliver_to asked for.' },
);
export type OutputDeliveryView = Wire<typeof OutputDelivery>;
