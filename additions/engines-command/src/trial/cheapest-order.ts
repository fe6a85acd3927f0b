import type { JsonObject, JsonValue, Micros } from '@darkroom-service/contract';
import type { CatalogRoute, Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { orderAt } from '@darkroom-service/darkroom/kernel-views';

/** The cheapest order that a route makes, at the catalog's price. */
export interface CheapestOrder {
  readonly request: ResolvedRequest;
  readonly price: Micros;
}

type Body = Readonly<Record<string, JsonValue>>;
type Schema = Readonly<Record<string, JsonValue>>;

const PROMPT = 'A red fox in the snow, photographed from the side';
/** Placeholder for a medium, which the trial replaces before the engine sees it. */
const MEDIUM = 'https://example.com/medium';
/** Maximum number of a setting's values that are tried; others keep their default. */
const MAX_CHOICES = 12;

/** Returns the cheapest order that the model accepts and the route can express; null if none was found. */
export function cheapestOrder(model: Model, route: CatalogRoute): CheapestOrder | null {
  const known = (body: Body) => orderAt(model, route, body as JsonObject);
  let best: { readonly body: Body; readonly order: CheapestOrder } | null = null;
  for (const body of startingPoints(model, route)) {
    const order = known(body);
    if (order !== null && (best === null || order.price < best.order.price)) best = { body, order };
  }
  if (best === null) return null;
  // Settings depend on each other, so a second round can find what the first one made possible.
  for (let round = 0; round < 2; round++)
    for (const [name, schema] of Object.entries(model.parameters as Readonly<Record<string, Schema>>))
      for (const value of choicesOf(schema)) {
        const body: Body = { ...best.body, [name]: value };
        const order = known(body);
        if (order !== null && order.price < best.order.price) best = { body, order };
      }
  return best.order;
}

/** Returns bodies without media, with each medium and with each two, beside the settings that the route is for. */
function startingPoints(model: Model, route: CatalogRoute): Body[] {
  const media = Object.entries(model.parameters as Readonly<Record<string, Schema>>)
    .filter(([, schema]) => isMedium(schema))
    .map(([name, schema]): Body => ({ [name]: mediumOf(schema) }));
  const pairs = media.flatMap((one, at) => media.slice(at + 1).map((other): Body => ({ ...one, ...other })));
  const own = plainValues(model, route.when ?? {});
  const settings = [own, ...model.constraints.map(({ then }) => ({ ...own, ...plainValues(model, then) }))];
  return settings.flatMap((setting) =>
    [{}, ...media, ...pairs].flatMap((sent): Body[] => [
      { ...setting, ...sent, prompt: PROMPT },
      { ...setting, ...sent },
    ]),
  );
}

function plainValues(model: Model, conditions: Readonly<Record<string, unknown>>): Body {
  return Object.fromEntries(
    Object.entries(conditions).flatMap(([name, condition]) => {
      const [value] = [condition].flat();
      return name in model.parameters && typeof value !== 'object' ? [[name, value as JsonValue]] : [];
    }),
  );
}

function isMedium(schema: Schema): boolean {
  return JSON.stringify(schema).includes('"x-media"');
}

function mediumOf(schema: Schema): JsonValue {
  if (schema.type !== 'array') return MEDIUM;
  const count = typeof schema.minItems === 'number' ? schema.minItems : 1;
  return Array.from({ length: count }, (_, at) => `${MEDIUM}-${at}`);
}

function choicesOf(schema: Schema): JsonValue[] {
  if (Array.isArray(schema.enum)) return (schema.enum as JsonValue[]).slice(0, MAX_CHOICES);
  if (schema.type === 'boolean') return [false, true];
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return isNumber && typeof schema.minimum === 'number' ? [schema.minimum] : [];
}
