import type { Model } from '@darkroom-service/contract/catalog/model';

/** A line of a file listing: the vendor and the model of one schema. */
const SCHEMA_PATH = /^(?:.*\/)?router-schemas\/([^/]+\/[^/]+)\.json$/;
/** Says when a vendor released a model, and names no other model. */
const DATE = /^\d{6,8}$/;

/**
 * Reads the models that a public list offers, as `vendor/model`: OpenRouter's `{ "data": [{ "id" }] }`, or a text with
 * one model or one path of a Comfy Router schema a line.
 * @throws Error if a JSON file has another shape.
 */
export function listOffers(text: string): readonly string[] {
  const offers = text.trimStart().startsWith('{') ? idsOf(JSON.parse(text)) : linesOf(text);
  return [...new Set(offers)].sort();
}

function idsOf(answer: unknown): readonly string[] {
  const { data } = answer as { data?: unknown };
  if (!Array.isArray(data)) throw new Error('expected { "data": [{ "id": "vendor/model" }] }, found no "data"');
  return data.map(({ id }: { id?: unknown }) => {
    if (typeof id !== 'string') throw new Error('expected an "id" in each entry of "data", found one without');
    return id;
  });
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => SCHEMA_PATH.exec(line)?.[1] ?? line);
}

/**
 * Returns the offers that no model of the catalog has: neither a route names the offer, nor is a model, an alias or a
 * route's model called the same. Names are compared without vendor, punctuation and dates of release, so that
 * `openai/gpt-image-2.5` is `gpt-image-2-5`.
 */
export function missingOffers(offers: readonly string[], models: readonly Model[]): readonly string[] {
  const known = new Set(models.flatMap(namesOf).map(plainName));
  return offers.filter((offer) => !known.has(plainName(offer)));
}

function namesOf({ model_id, aliases, routes }: Model): readonly string[] {
  return [model_id, ...aliases, ...routes.flatMap(({ model }) => model ?? [])];
}

function plainName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const words = last.replace(/:.*$/, '').split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '' && !DATE.test(word)).join('-');
}
