import { Type } from 'typebox';
import { JUDGED_BY_MODEL } from './check-shape.ts';

const serviceFields = {
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), {
      description: 'up to 16 pairs, echoed',
    }),
  ),
  end_user: Type.Optional(Type.String({ maxLength: 128, description: 'your own customer' })),
  webhook_url: Type.Optional(Type.String({ format: 'uri', description: 'where the end of the task is told' })),
  max_price: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description: 'US dollars; a dearer order is refused (409 price_exceeded)',
    }),
  ),
  simulate: Type.Optional(
    Type.Object(
      {
        seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
        outcome: Type.Optional(
          Type.Enum(['succeeded', 'content_policy', 'upstream_error', 'timeout', 'outcome_unknown', 'stuck', 'late']),
        ),
        explain: Type.Optional(
          Type.Boolean({ description: 'whether the output tells what was understood of the order' }),
        ),
      },
      { description: 'with a test key only' },
    ),
  ),
};

const generationFields = {
  model_id: Type.String({ description: 'the id of a model; GET /v1/models lists those that your key can order' }),
  prompt: Type.Optional(Type.String({ description: 'a supported reference may stand in for it' })),
  resolution: Type.Optional(Type.String({ description: "one of the model's values" })),
  aspect_ratio: Type.Optional(Type.String({ description: "one of the model's values" })),
  num_images: Type.Optional(Type.Integer({ minimum: 1, maximum: 1 })),
  image_urls: Type.Optional(
    Type.Array(Type.String({ format: 'uri' }), {
      description: 'https:, http: and data: addresses, upload:<file_id>, task:<task_id>',
    }),
  ),
};

const duration = Type.Optional(Type.Union([Type.String(), Type.Number()], { description: 'seconds' }));
const open = {
  ...JUDGED_BY_MODEL,
  additionalProperties: true,
  description: "And the model's own fields: see its input_schema.",
};

export const ImageOrder = Type.Object({ ...generationFields, ...serviceFields }, open);
export const VideoOrder = Type.Object({ ...generationFields, duration, ...serviceFields }, open);
export const PriceQuestion = Type.Object(
  {
    ...generationFields,
    duration,
    action: Type.Optional(Type.String({ description: 'a follow-up action, for its price' })),
    parent_task_id: Type.Optional(Type.String()),
  },
  open,
);
export const ActionOrder = Type.Object(
  {
    parent_task_id: Type.String({ description: 'an image task of this key that succeeded' }),
    action: Type.String({ description: "one of the parent's available_actions" }),
    model_id: Type.Optional(Type.String({ description: "if sent, the parent's" })),
    index: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    prompt: Type.Optional(Type.String()),
    ...serviceFields,
  },
  { ...open, description: "And the action's own fields: see the parent's available_actions." },
);

/** The headers of every create; they are read by `request-headers.ts`. */
export const CreateHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'the same key with the same body gives the same task and no second charge' }),
  ),
  prefer: Type.Optional(
    Type.String({ description: 'wait=N answers when the task is final, or after N seconds (1 to 60)' }),
  ),
  'darkroom-simulate': Type.Optional(
    Type.String({
      description: 'with a test key: outcome=timeout; seconds=3',
      examples: ['outcome=timeout; seconds=3'],
    }),
  ),
});

/** The headers of a retrieval. */
export const RetrieveHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({ description: 'wait=N answers when the task is final, or after N seconds (1 to 60)' }),
  ),
  'if-none-match': Type.Optional(
    Type.String({ description: 'the ETag of a final task: answers 304 if nothing changed' }),
  ),
});
