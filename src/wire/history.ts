import { Type } from 'typebox';
import { Money, Nullable, refTo, Text, Time, Whole, type Wire } from './parts.ts';
import { HISTORY_SPANS } from './words.ts';

/** What engines did over time, as operators see it. */

const HistoryPoint = Type.Object({
  at: Type.String({ format: 'date-time', description: 'The start of the step.' }),
  succeeded: Whole,
  failed: Type.Integer({ description: 'Orders that failed for a reason of the upstream.' }),
  refused: Type.Integer({ description: 'Orders that failed for their content or input.' }),
  success: Nullable(Type.Number(), 'succeeded / (succeeded + failed); null if there are none.'),
  p50_seconds: Nullable(
    Type.Number(),
    'From the start at the engine to the result, of successful orders; to about 5 %.',
  ),
  p95_seconds: Nullable(Type.Number()),
  under_way: Type.Integer({ description: 'The most orders that were at the engine in one sample; one a minute.' }),
  rate_limits: Type.Integer({ description: 'How often the upstream asked for a pause or was overloaded.' }),
  outages: Type.Integer({ description: 'How often a circuit of the engine opened for another reason.' }),
  revenue: Type.String({ description: 'US dollars charged for orders whose cost is told or expected.' }),
  cost: Type.String({ description: 'US dollars that these orders cost: as told, else as expected.' }),
  margin: Type.Unsafe<string>({ ...Money, description: 'revenue less cost, in US dollars.' }),
});
export type HistoryPointView = Wire<typeof HistoryPoint>;

export const EngineHistory = Type.Object(
  { engine: Text, points: Type.Array(HistoryPoint, { description: 'One a step, oldest first, without gaps.' }) },
  { $id: 'AdminEngineHistory', description: 'What the live orders of an engine did over time.' },
);

export const EngineHistories = Type.Object(
  {
    span: Type.Enum(HISTORY_SPANS),
    from: Time,
    to: Time,
    step_seconds: Whole,
    since: Type.String({
      format: 'date-time',
      description: 'The figures are complete from here on. Earlier steps are missing, or lack orders not yet counted.',
    }),
    items: Type.Array(refTo(EngineHistory)),
  },
  { $id: 'AdminEngineHistories', description: 'What each engine did over a span of time.' },
);
export type EngineHistoriesView = Wire<typeof EngineHistories>;
