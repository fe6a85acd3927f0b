import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText } from '@darkroom-service/contract';
import { closedObject } from '@darkroom-service/contract/parts';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const FILE = 'data-treatment.json';
const Address = Type.String({ pattern: '^https://' });

const Facts = {
  provider: Type.String({ minLength: 1 }),
  /** Whether this service itself makes the orders. */
  in_service: Type.Optional(Type.Boolean()),
  /** ISO 3166-1 codes of all countries where data is processed; null = unknown, as everywhere below. */
  country: Type.Union([Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { minItems: 1 }), Type.Null()]),
  retention_days: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  training: Type.Union([Type.Boolean(), Type.Null()]),
  /** Whether it may pass orders on to the makers of models. */
  passes_on: Type.Optional(Type.Boolean()),
  terms: Type.Optional(Address),
  source: Type.Optional(Address),
  as_of: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  note: Type.Optional(Type.String()),
};
const ProvidersFile = closedObject({
  providers: Type.Array(closedObject({ engines: Type.Array(Type.String(), { minItems: 1 }), ...Facts })),
});
const FactsObject = closedObject(Facts);

/** Known facts about an upstream's treatment of data. */
export type ProviderFacts = Static<typeof FactsObject>;

/**
 * Reads the facts about upstreams in `data-treatment.json` of these directories, by the name of the engine. A later
 * directory replaces what an earlier one says of an engine.
 * @throws Error if a file is wrong
 */
export async function readProviders(directories: readonly string[]): Promise<ReadonlyMap<string, ProviderFacts>> {
  const facts = new Map<string, ProviderFacts>();
  for (const directory of directories) {
    const file = join(directory, FILE);
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (bytes === null) continue;
    for (const { engines, ...provider } of parse(file, decodeText(bytes, file)))
      for (const engine of engines) facts.set(engine, provider);
  }
  return facts;
}

function parse(file: string, text: string): Static<typeof ProvidersFile>['providers'] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  if (Value.Check(ProvidersFile, content)) return content.providers;
  const [first] = Value.Errors(ProvidersFile, content);
  throw new Error(`${file}: ${first?.instancePath ?? ''} ${first?.message ?? 'has an invalid format'}`);
}
