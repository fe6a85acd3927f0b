import { Type } from 'typebox';
import { SIMULATED_OUTCOMES } from './catalog/vocabulary.ts';
import { DeliverTo } from './delivery.ts';
import { EndUserName } from './end-user.ts';
import { GENERATION, IMAGE, VIDEO } from './model-fields.ts';
import { closedObject, LONGEST, MOST, Nullable, Word } from './parts.ts';
import { LONGEST_WAIT_SECONDS } from './words.ts';

/** Documents a body without validating it: the model that it names does that, and reports every fault at once. */
const JUDGED_BY_MODEL = { 'x-judged-by': 'the model' } as const;

const service = {
  metadata: Type.Optional(
    Nullable(
      Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), { maxProperties: 16 }),
      'Up to 16 pairs of your own, returned with the task.',
    ),
  ),
  end_user: Type.Optional(Nullable(EndUserName, 'Your own customer.')),
  webhook_url: Type.Optional(
    Nullable(Type.String({ format: 'uri', maxLength: 4_096 }), 'URL that is notified when the task is final.'),
  ),
  deliver_to: Type.Optional(
    Nullable(DeliverTo, "Where the outputs are copied to; by default the account's default destination."),
  ),
  max_price: Type.Optional(
    Nullable(
      Type.Union([Word, Type.Number()]),
      'US dollars. A more expensive order is refused with 409 price_exceeded.',
    ),
  ),
  allow_dearer: Type.Optional(
    Nullable(
      Type.Boolean(),
      'Whether the order may go to a route that is dearer than its price, up to max_price, if no cheaper one is ready. It holds highest_amount of its quote, and is charged the price of the route that makes it. Needs max_price.',
    ),
  ),
  fallback_models: Type.Optional(
    Nullable(
      Type.Array(Word, { maxItems: 4 }),
      'Up to four further models of the same type. The order goes on to the next one if no upstream took it for the one before. It holds the price of the dearest, and is charged that of the model that makes it.',
    ),
  ),
  fallback_on_content_policy: Type.Optional(
    Nullable(
      Type.Boolean(),
      'Whether the order also goes on to the next of its fallback_models when an upstream refuses its content.',
    ),
  ),
  wait_for_parent: Type.Optional(
    Nullable(
      Type.Boolean(),
      'Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready.',
    ),
  ),
  simulate: Type.Optional(
    Nullable(
      closedObject({
        seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
        outcome: Type.Optional(Type.Enum(SIMULATED_OUTCOMES)),
        explain: Type.Optional(
          Type.Boolean({ description: 'Whether the output explains how the prompt was understood.' }),
        ),
      }),
      'How the task ends. Test keys only.',
    ),
  ),
};

const open = (title: string, description: string) => ({
  ...JUDGED_BY_MODEL,
  title,
  additionalProperties: true,
  maxProperties: MOST.names,
  description,
});
const OTHER_FIELDS =
  'Models accept further fields: see input_schema of GET /v1/models/{model_id}. Any other field is refused; if it carries a picture, a film or a sound, the refusal names the fields that take media.';

const source = {
  source: Type.Optional(
    Type.String({
      maxLength: 4_096,
      description: 'For a tool: the image or video that it works on, task:<task_id> or upload:<file_id>.',
    }),
  ),
  action: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'With source: an action of a tool, such as speak. The first tool that takes the source makes it.',
    }),
  ),
};

export const ImageOrder = Type.Object(
  { ...GENERATION, ...IMAGE, ...source, ...service },
  open('ImageOrder', OTHER_FIELDS),
);
export const VideoOrder = Type.Object(
  { ...GENERATION, ...VIDEO, ...source, ...service },
  open('VideoOrder', OTHER_FIELDS),
);

export const PriceQuestion = Type.Object(
  {
    ...GENERATION,
    ...IMAGE,
    ...VIDEO,
    ...source,
    action: Type.Optional(Nullable(Word, 'A follow-up action, to get its price.')),
    parent_task_id: Type.Optional(Nullable(Word, 'The task that the action follows up on.')),
    index: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 4 }), 'The tile, for actions on a grid.')),
    ...service,
  },
  open('PriceQuestion', `The body of a create or of a follow-up action. ${OTHER_FIELDS}`),
);

export const PriceQuestions = closedObject(
  { orders: Type.Array(PriceQuestion, { minItems: 1, maxItems: 200 }) },
  { description: 'Orders whose prices are compared.' },
);

export const ActionOrder = Type.Object(
  {
    parent_task_id: Type.String({
      maxLength: 64,
      description: 'An image task of your key that has succeeded, or with wait_for_parent one that is not final.',
    }),
    action: Type.String({ maxLength: 64, description: "One of the parent's available_actions." }),
    model_id: Type.Optional(Nullable(Word, "The parent's model, or a tool of the action.")),
    index: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 4 }), 'The tile, for actions on a grid.')),
    prompt: Type.Optional(Nullable(Type.String({ maxLength: LONGEST.text }), "Replaces the parent's prompt.")),
    ...service,
  },
  open('ActionOrder', "Actions accept further fields: see the parent's available_actions."),
);

/** Pattern of a header that is part of an order, or identifies it. */
const PRINTABLE = '^[\\x20-\\x7e]*$';

const Prefer = Type.Optional(
  Type.String({
    maxLength: LONGEST.header,
    description: `wait=N answers once the task is final, or after N seconds. More than ${LONGEST_WAIT_SECONDS} count as ${LONGEST_WAIT_SECONDS}.`,
  }),
);

/** The headers of every create. */

export const CreateHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: PRINTABLE,
      description: 'Repeating a request with the same key and body returns the same task, without a second charge.',
    }),
  ),
  prefer: Prefer,
  'darkroom-simulate': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: PRINTABLE,
      description: 'Same as the field simulate. Test keys only.',
      examples: ['outcome=timeout; seconds=3'],
    }),
  ),
});

/** The headers of a retrieval. */
export const RetrieveHeaders = Type.Object({
  prefer: Prefer,
  'if-none-match': Type.Optional(
    Type.String({
      maxLength: LONGEST.header,
      description: 'The ETag of an earlier answer. The answer is 304 if nothing changed.',
    }),
  ),
});

export const CacheHeaders = Type.Object({ 'if-none-match': RetrieveHeaders.properties['if-none-match'] });
export const FileHeaders = Type.Object({
  range: Type.Optional(Type.String({ maxLength: LONGEST.header, description: 'A byte range, such as bytes=0-1023.' })),
  'if-none-match': RetrieveHeaders.properties['if-none-match'],
});
export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ maxLength: LONGEST.header, description: 'The id of the last event that was received.' }),
  ),
});
export const IdempotencyHeaders = Type.Object({ 'idempotency-key': CreateHeaders.properties['idempotency-key'] });

/** The headers of every other request that changes something. */
export const ActionHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: PRINTABLE,
      description:
        'Repeating a request with the same key and body changes nothing again and answers what there is now. Kept for 30 days.',
    }),
  ),
});
