import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Entry {
  readonly routes?: readonly { readonly engine: string; readonly model?: string }[];
}

const CATALOG = new URL('../../../catalog/', import.meta.url);

/** The models of the shipped routes to an engine: what a vendor whose models all exist would list. */
export function listedModels(engine: string): string[] {
  // Whoever uses the fakes without Darkroom has no catalog.
  const files = existsSync(CATALOG) ? readdirSync(CATALOG).filter((name) => name.endsWith('.json')) : [];
  // The decisions about other price lists have no models.
  const entries = files.flatMap(
    (name) => (JSON.parse(readFileSync(new URL(name, CATALOG), 'utf8')) as { models?: Entry[] }).models ?? [],
  );
  const routes = entries.flatMap(({ routes = [] }) => routes);
  return [...new Set(routes.flatMap((route) => (route.engine === engine ? (route.model ?? []) : [])))];
}
