import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { namedOffer, type Offer } from './offer.ts';

/** A line of a file listing: the vendor and the model of one schema. */
const SCHEMA_PATH = /^(?:.*\/)?router-schemas\/([^/]+\/[^/]+)\.json$/;

/**
 * Reads a list of models from a file: OpenRouter's `{ "data": [{ "id" }] }`, or a text with one model, or one path of a
 * Comfy Router schema, a line.
 * @throws Error if a JSON file has another shape.
 */
export async function readGivenList(file: string): Promise<readonly Offer[]> {
  const text = await readFile(file, 'utf8');
  const names = text.trimStart().startsWith('{') ? idsOf(file, JSON.parse(text)) : linesOf(text);
  return [...new Set(names)].map((name) => namedOffer(basename(file), name));
}

function idsOf(file: string, answer: unknown): readonly string[] {
  const { data } = answer as { data?: unknown };
  if (!Array.isArray(data))
    throw new Error(`${file}: expected { "data": [{ "id": "vendor/model" }] }, found no "data"`);
  return data.map(({ id }: { id?: unknown }) => {
    if (typeof id !== 'string') throw new Error(`${file}: expected an "id" in each entry of "data", found one without`);
    return id;
  });
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => SCHEMA_PATH.exec(line)?.[1] ?? line);
}
