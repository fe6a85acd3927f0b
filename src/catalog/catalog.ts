import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText, systemClock } from '@darkroom-service/contract';
import type { CatalogFile, CompiledModel, Entry, Model } from '@darkroom-service/contract/catalog';
import { fingerprint } from '../base/canonical-json.ts';
import { deepFreeze } from '../base/deep-freeze.ts';
import { withLanes } from './batch-lane.ts';
import { type CatalogEntryFault, checkEntries, type LocatedModel } from './check-entry.ts';
import { isCatalogFile, listShapeFaults } from './check-file.ts';
import { checkedFiles } from './checked-files.ts';
import { compileModel } from './compiled-model.ts';
import { NOTICE_MS, statusAt } from './ends.ts';

/** The models that the service knows, checked and compiled. */
export interface Catalog {
  /** The models in the order of the files; those of a later directory come last. */
  readonly models: readonly Model[];
  /** Models that are offered as follow-up actions of every finished image or video. */
  readonly tools: readonly Model[];
  find(idOrAlias: string): Model | null;
  /** SHA-256 of the content, for ETags. */
  readonly version: string;
}

/** All faults in the files of a catalog. */
export class CatalogFault extends Error {
  readonly faults: readonly CatalogEntryFault[];

  constructor(faults: readonly CatalogEntryFault[]) {
    const lines = faults.map(
      ({ file, entry, message }) => `  ${file}${entry === null ? '' : `, ${entry}`}: ${message}`,
    );
    super(`The catalog has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${lines.join('\n')}`);
    this.name = 'CatalogFault';
    this.faults = faults;
  }
}

interface CatalogSources {
  readonly directories: readonly string[];
  /** Entries that are not in a file: they come after the first directory, so that later ones can override them. */
  readonly added?: readonly CatalogFile[];
}

/**
 * Reads every `*.json` of the directories except `*.schema.json` and `watch-decisions.json`, the shipped directory
 * first. A later directory adds models and replaces whole entries by `model_id`.
 * @throws CatalogFault if anything is wrong.
 */
export async function loadCatalog({ directories, added = [] }: CatalogSources): Promise<Catalog> {
  const faults: CatalogEntryFault[] = [];
  const located = new Map<string, LocatedModel>();
  const [shipped = [], ...others] = await Promise.all(directories.map((directory) => readDirectory(directory, faults)));
  const further = await Promise.all(added.map((file) => checkAdded(file, faults)));
  for (const models of [shipped, ...further, ...others]) {
    const own = new Map<string, LocatedModel>();
    for (const model of models) {
      const id = model.model.model_id;
      const rival = own.get(id);
      if (rival !== undefined)
        faults.push({ file: model.file, entry: id, message: `${rival.file} has an entry of this model_id already` });
      own.set(id, model);
    }
    for (const [id, model] of own) located.set(id, model);
  }
  faults.push(...checkEntries([...located.values()]));
  if (faults.length > 0) throw new CatalogFault(faults);
  return createCatalog([...located.values()].map(({ model }) => model));
}

function createCatalog(models: readonly Model[]): Catalog {
  const byName = new Map<string, Model>();
  for (const model of models) for (const name of [model.model_id, ...model.aliases]) byName.set(name, model);
  let version: string | undefined;
  return {
    models: Object.freeze([...models]),
    tools: models.filter((model) => model.as_action !== undefined && model.status !== 'retired'),
    find: (name) => byName.get(name) ?? null,
    // Computed on demand: hashing all content would slow down the start.
    get version() {
      version ??= fingerprint(models);
      return version;
    },
  };
}

async function readDirectory(directory: string, faults: CatalogEntryFault[]): Promise<LocatedModel[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    faults.push({
      file: directory,
      entry: null,
      message: `expected a directory of catalog files, found none (${error.code})`,
    });
    return [];
  });
  const checked = await checkedFiles();
  const models: LocatedModel[] = [];
  for (const name of names.sort()) {
    if (!name.endsWith('.json') || WITHOUT_MODELS.test(name)) continue;
    models.push(...(await readCatalogFile(join(directory, name), checked, faults)));
  }
  return models;
}

/** Schemas, and the differences from other price lists that were accepted. */
const WITHOUT_MODELS = /\.schema\.json$|^watch-decisions\.json$/;
/** Files that were read before, by path, so that a reload parses only changed files. */
const known = new Map<string, { readonly digest: string; readonly models: readonly LocatedModel[] }>();

async function readCatalogFile(
  file: string,
  checked: ReadonlySet<string>,
  faults: CatalogEntryFault[],
): Promise<readonly LocatedModel[]> {
  const read = await readText(file, faults);
  if (read === null) return [];
  const { text, digest } = read;
  const before = known.get(file);
  if (before?.digest === digest) return before.models;
  const content = parse(file, text, faults);
  if (content === undefined) return [];
  const isChecked = checked.has(digest);
  if (!isChecked && !isCatalogFile(content)) {
    faults.push(...(await listShapeFaults(file, content)));
    return [];
  }
  const { models: entries, ...source } = content as CatalogFile;
  // A package lists the files that were checked when it was made.
  const models = entries.map((entry) => ({ file, model: toModel(source, entry), isFaultless: isChecked }));
  known.set(file, { digest, models });
  return models;
}

/** Identifies the text of a catalog file. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}

async function checkAdded(content: CatalogFile, faults: CatalogEntryFault[]): Promise<LocatedModel[]> {
  const file = content.vendor;
  // Without models, skips the check of shapes, which takes long to prepare.
  if (content.models.length === 0) return [];
  if (isCatalogFile(content)) {
    // The caller's object must not be frozen.
    return structuredClone(content.models).map((entry) => ({
      file,
      model: toModel(content, entry),
      isFaultless: false,
    }));
  }
  faults.push(...(await listShapeFaults(file, content)));
  return [];
}

async function readText(file: string, faults: CatalogEntryFault[]) {
  try {
    const text = decodeText(await readFile(file), 'the file');
    return { text, digest: digestOf(text) };
  } catch (error) {
    faults.push(notJson(file, error));
    return null;
  }
}

function parse(file: string, text: string, faults: CatalogEntryFault[]): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    faults.push(notJson(file, error));
    return undefined;
  }
}

function notJson(file: string, error: unknown): CatalogEntryFault {
  const message = `expected JSON: ${error instanceof Error ? error.message : String(error)}`;
  return { file, entry: null, message };
}

const NUM_IMAGES = {
  type: 'integer',
  minimum: 1,
  maximum: 1,
  default: 1,
  description: 'How many pictures or films: always one per order.',
} as const;

/**
 * Converts an entry to a model with the entry's defaults. The entry becomes part of the model, deeply frozen. Its
 * fields are compiled at the first request, since compiling the whole catalog would slow every start.
 */
export function toModel(source: Pick<CatalogFile, 'vendor' | 'prices_as_of'>, entry: Entry): Model {
  const lanes = withLanes(entry);
  const { prompt, ...others } = lanes.parameters;
  const parameters = {
    ...(prompt === undefined ? {} : { prompt }),
    ...(others.num_images === undefined ? { num_images: NUM_IMAGES } : {}),
    ...others,
  };
  let compiled: CompiledModel | undefined;
  const stated = {
    status: entry.status ?? ('active' as const),
    deprecated_at: entry.deprecated_at ?? beforeSunset(entry.sunset_at),
    sunset_at: entry.sunset_at ?? null,
  };
  const model = {
    ...entry,
    ...lanes,
    vendor: source.vendor,
    prices_as_of: source.prices_as_of ?? null,
    aliases: entry.aliases ?? [],
    ...stated,
    get status() {
      return statusAt(stated, systemClock.now());
    },
    replaced_by: entry.replaced_by ?? null,
    parameters,
    constraints: entry.constraints ?? [],
    actions: entry.actions ?? [],
    limits: entry.limits ?? {},
    notes: entry.notes ?? [],
  };
  Object.defineProperty(model, 'compiled', {
    get: () => (compiled ??= compileModel(model)),
  });
  return deepFreeze(model as typeof model & Pick<Model, 'compiled'>);
}

/** Returns the time at which a model becomes deprecated: 30 days before its sunset. */
function beforeSunset(sunsetAt: string | undefined): string | null {
  const time = Date.parse(sunsetAt ?? '');
  return Number.isNaN(time) ? null : new Date(time - NOTICE_MS).toISOString();
}
