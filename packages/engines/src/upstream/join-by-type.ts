import { callTimeoutOf, type Engine, type Order } from '../engine.ts';

/**
 * Joins two engines that share an account: one makes pictures, the other videos. Nothing can be canceled, since not
 * both halves could cancel.
 */
export function joinByType(halves: { readonly stills: Engine; readonly films: Engine }): Engine {
  const { stills, films } = halves;
  const halfFor = ({ request }: Order) => (request.type === 'video' ? films : stills);
  const { probe, models, readCallback, callsBack } = films;
  return {
    name: films.name,
    concurrency: stills.concurrency + films.concurrency,
    callTimeoutMs: Math.max(callTimeoutOf(stills), callTimeoutOf(films)),
    needsParameters: true,
    start: (order, context) => halfFor(order).start(order, context),
    check: (operation, order, context) => halfFor(order).check(operation, order, context),
    jobOf: (operation, order) => halfFor(order).jobOf?.(operation, order) ?? null,
    // Only videos have operations.
    ...(readCallback === undefined ? {} : { readCallback }),
    ...(callsBack === undefined ? {} : { callsBack }),
    ...(probe === undefined ? {} : { probe }),
    ...(models === undefined ? {} : { models }),
  };
}
