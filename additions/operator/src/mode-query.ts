import { MODE_FILTERS } from '@darkroom-service/contract';
import { Type } from 'typebox';

/**
 * Query parameter of the mode. Simulated faults of test keys do not concern operators; they are shown only on request.
 */
export const ModeQuery = Type.Optional(
  Type.Enum([...MODE_FILTERS], {
    default: 'live',
    description: 'orders of live keys (the default), of test keys, or all',
  }),
);
