import { Type } from 'typebox';
import { Text } from './parts.ts';

/** The models of an order that names several, in tasks and receipts. */
export const ORDER_MODELS = {
  requested_model_id: Type.Optional(
    Type.String({ description: 'The model that the order named first. Only present if it has fallback_models.' }),
  ),
  tried_models: Type.Optional(
    Type.Array(
      Type.Object({
        model_id: Text,
        reason: Type.String({ description: 'Why this model did not make the order.' }),
      }),
      {
        description:
          'The models that the order has left, in sequence; model_id is the one that it is at now. Only present if it has fallback_models.',
      },
    ),
  ),
};
