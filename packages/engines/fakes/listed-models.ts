import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Entry {
  readonly routes?: readonly { readonly engine: string; readonly model?: string }[];
}

const CATALOG = new URL('../../../catalog/', import.meta.url);

/** Returns the models of the shipped routes to an engine, as a vendor that has all of them would list them. */
export function listedModels(engine: string): string[] {
  // Users of the fakes without Darkroom have no catalog.
  const files = existsSync(CATALOG) ? readdirSync(CATALOG).filter((name) => name.endsWith('.json')) : [];
  // The file about other price lists has no models.
  const entries = files.flatMap(
    (name) => (JSON.parse(readFileSync(new URL(name, CATALOG), 'utf8')) as { models?: Entry[] }).models ?? [],
  );
  const routes = entries.flatMap(({ routes = [] }) => routes);
  return [...new Set(routes.flatMap((route) => (route.engine === engine ? (route.model ?? []) : [])))];
}
