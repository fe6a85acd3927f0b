import { type Static, Type } from 'typebox';

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const closed = { additionalProperties: false } as const;

/** A condition on a parameter or derived value: one of a list, present or absent, within bounds, or none of a list. */
export const ConditionSchema = Type.Union([
  Scalar,
  Type.Array(Scalar, { minItems: 1 }),
  Type.Object({ present: Type.Boolean() }, closed),
  Type.Object({ not: Type.Array(Scalar, { minItems: 1 }) }, closed),
  Type.Object(
    {
      min: Type.Optional(Type.Number()),
      max: Type.Optional(Type.Number()),
      above: Type.Optional(Type.Number()),
      below: Type.Optional(Type.Number()),
      multiple_of: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    },
    { ...closed, minProperties: 1 },
  ),
]);
export type Condition = Static<typeof ConditionSchema>;
