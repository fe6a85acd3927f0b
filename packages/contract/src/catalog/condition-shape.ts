import { Type } from 'typebox';
import { closedObject, type Wire } from '../parts.ts';

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** A condition on a parameter or derived value: one of a list, present or absent, within bounds, or none of a list. */
export const ConditionSchema = Type.Union([
  Scalar,
  Type.Array(Scalar, { minItems: 1 }),
  closedObject({ present: Type.Boolean() }),
  closedObject({ not: Type.Array(Scalar, { minItems: 1 }) }),
  closedObject(
    {
      min: Type.Optional(Type.Number()),
      max: Type.Optional(Type.Number()),
      above: Type.Optional(Type.Number()),
      below: Type.Optional(Type.Number()),
      multiple_of: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    },
    { minProperties: 1 },
  ),
]);
export type Condition = Wire<typeof ConditionSchema>;
