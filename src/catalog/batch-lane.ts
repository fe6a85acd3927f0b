import type { Fault } from '@darkroom-service/contract';
import type { Entry, Model, Pricing } from '@darkroom-service/contract/catalog';
import { formatProduct, parseDecimal } from './pricing/decimal.ts';

/** The field with which an order chooses the batch lane. */
export const SPEED = 'speed';
const BATCH = 'batch';
const AMOUNT = /^\d+(?:\.\d{1,9})?$/;

const PARAMETER = {
  type: 'string',
  enum: ['standard', BATCH],
  default: 'standard',
  description: 'batch: cheaper, made within 24 hours. standard: at once.',
} as const;

type Component = Pricing['components'][number];
type Lanes = Pick<Model, 'parameters' | 'pricing' | 'routes'>;

/**
 * Completes an entry with routes of the batch lane: orders get the field `speed`, each price has a component for each
 * speed, and such a route takes only orders with `speed: "batch"`. Other entries stay as they are.
 */
export function withLanes({ parameters, pricing: { batch_share: share, ...pricing }, routes }: Entry): Lanes {
  if (share === undefined && routes.every(({ lane }) => lane === undefined)) return { parameters, pricing, routes };
  return {
    parameters: { [SPEED]: PARAMETER, ...parameters },
    pricing: share === undefined ? pricing : withBatchPrices(pricing, share),
    routes: routes.map((route) =>
      route.lane === undefined ? route : { ...route, when: { ...route.when, [SPEED]: BATCH } },
    ),
  };
}

/** Returns the faults of an entry's lanes, as sentences. */
export function faultsOfLanes({ parameters, pricing, routes }: Model): string[] {
  const hasLane = hasBatchLane({ routes });
  const isPriced = pricing.components.some(({ when }) => when?.[SPEED] === BATCH);
  if (!hasLane && (!isPriced || parameters[SPEED] !== PARAMETER)) return [];
  const faults: string[] = [];
  if (hasLane !== isPriced) faults.push('a route with lane and pricing.batch_share need each other');
  if (parameters[SPEED] !== PARAMETER) faults.push(`parameters.${SPEED} is added for routes with lane; omit it`);
  if (pricing.minimum !== undefined) faults.push('pricing.minimum cannot be combined with routes with lane');
  for (const { amount } of pricing.components) {
    if (!AMOUNT.test(amount))
      faults.push(`pricing.batch_share makes the amount ${amount}; amounts have at most nine decimals`);
  }
  return faults;
}

/** Tells whether orders of a model can choose the batch lane. */
export function hasBatchLane({ routes }: Pick<Model, 'routes'>): boolean {
  return routes.some(({ lane }) => lane !== undefined);
}

/** Returns the price list for orders of one speed, as if there were no other. */
export function pricesAt(pricing: Pricing, isBatch: boolean): Pricing {
  const components = pricing.components.flatMap(({ when = {}, ...component }): Component[] => {
    const { [SPEED]: speed, ...others } = when;
    if (speed !== undefined && (speed === BATCH) !== isBatch) return [];
    return [Object.keys(others).length === 0 ? component : { ...component, when: others }];
  });
  return { ...pricing, components };
}

/** Returns the prices of orders at standard speed, in the order of the entry. */
export function standardPrices({ pricing }: Pick<Model, 'pricing'>): readonly Component[] {
  return pricing.components.filter(({ when }) => when?.[SPEED] !== BATCH);
}

function withBatchPrices({ components, ...others }: Pricing, share: string): Pricing {
  const at = (component: Component, speed: NonNullable<Component['when']>[string]): Component => ({
    ...component,
    when: { ...component.when, [SPEED]: speed },
  });
  const factor = parseDecimal(share);
  return {
    ...others,
    components: components.flatMap((component) => [
      // An action has no `speed`.
      at(component, { not: [BATCH] }),
      at({ ...component, amount: formatProduct(parseDecimal(component.amount) * factor, 0) }, BATCH),
    ]),
  };
}

/** Adds to the refusal of a speed the models that have it. */
export function adviseOnSpeed(faults: readonly Fault[], model: Model, models: readonly Model[]): readonly Fault[] {
  if (hasBatchLane(model) || !faults.some(isOfSpeed)) return faults;
  const others = models.filter((one) => one.status === 'active' && hasBatchLane(one)).map(({ model_id }) => model_id);
  const advice = others.length === 0 ? 'No model has it.' : `Models with it: ${others.join(', ')}.`;
  const message = `${model.model_id} has no batch speed. ${advice}`;
  return faults.map((fault) => (isOfSpeed(fault) ? { param: fault.param, code: fault.code, message } : fault));
}

function isOfSpeed({ param, code }: Fault): boolean {
  return param === SPEED && code === 'unsupported_field';
}
