import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText } from '@darkroom-service/contract';
import { closedObject } from '@darkroom-service/contract/parts';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { LocalFault } from './local-fault.ts';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,63}$' });
const Repository = Type.String({ pattern: '^[\\w.-]+/[\\w.-]+$' });
const Bytes = Type.Integer({ minimum: 1, maximum: 1e13 });
const Licence = closedObject({
  id: Type.String({ minLength: 1 }),
  /** Whether a person must accept the licence before the first download. */
  acceptance: Type.Boolean(),
});
/** A digest: complete, or only its first eight and last four digits: `d069ef2b…0359`. */
const Digest = Type.String({ pattern: '^([0-9a-f]{64}|[0-9a-f]{8}…[0-9a-f]{4})$' });

const HubFile = closedObject({
  role: Name,
  repository: Repository,
  revision: Nullable(Type.String({ pattern: '^[0-9a-f]{40}$' })),
  /** Path in the repository; null: the file is found by its digest. */
  path: Nullable(Type.String({ pattern: '^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*$' })),
  bytes: Nullable(Bytes),
  about_bytes: Nullable(Bytes),
  sha256: Nullable(Digest),
});

/**
 * Name of an asset. Each `*` replaces a part of the name that is not known; `pull` then finds the name in the release's
 * own list.
 */
const Asset = Type.String({ pattern: '^[\\w-][\\w.*-]*$' });

const Build = closedObject({
  /** Platform, `process.platform` and `process.arch`: `linux-x64`. */
  platform: Name,
  variant: Name,
  repository: Repository,
  tag: Name,
  asset: Asset,
  bytes: Nullable(Bytes),
  sha256: Nullable(Digest),
  /** Further archives of the release that the program needs beside it. */
  with: Type.Optional(
    Type.Array(closedObject({ asset: Asset, bytes: Nullable(Bytes), sha256: Nullable(Digest) }), { maxItems: 4 }),
  ),
});

/** Time that one picture of the model's own size takes. */
const Speed = closedObject({
  /** The computation of one picture, in 10^12 floating-point operations; null = not known. */
  work_tflop: Nullable(Type.Number({ exclusiveMinimum: 0 })),
  measured: Type.Array(
    closedObject({
      variant: Name,
      hardware: Type.String({ minLength: 1 }),
      seconds: Type.Tuple([Type.Number(), Type.Number()]),
      source: Type.String({ minLength: 1 }),
    }),
  ),
});

const ModelManifestSchema = closedObject({
  kind: Type.Literal('model'),
  /** Name of the model. The model_ids are `local-<name>` and `local-<name>-grid`, of at most 64 characters. */
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,52}$' }),
  title: Type.String({ minLength: 1 }),
  type: Type.Union([Type.Literal('image'), Type.Literal('video')]),
  engine: Name,
  licence: Licence,
  /** Main memory that the model needs; null = not known. */
  memory_bytes: Nullable(Bytes),
  parameters: Type.Record(Type.String(), Type.Number()),
  /** Options of the server, such as `--diffusion-fa`. */
  arguments: Type.Optional(Type.Array(Type.String({ pattern: '^[\\w.,:=+-]+$' }), { maxItems: 32 })),
  /** Whether it can start from a picture, and so make follow-ups. Default: no. */
  edits: Type.Optional(Type.Boolean()),
  speed: Type.Optional(Speed),
  files: Type.Array(HubFile, { minItems: 1, maxItems: 32 }),
});

const EngineManifestSchema = closedObject({
  kind: Type.Literal('engine'),
  name: Name,
  licence: Licence,
  builds: Type.Array(Build),
});

const ManifestSchema = Type.Union([ModelManifestSchema, EngineManifestSchema]);

export type HubFile = Static<typeof HubFile>;
export type EngineBuild = Static<typeof Build>;
export type ModelManifest = Static<typeof ModelManifestSchema>;
type EngineManifest = Static<typeof EngineManifestSchema>;

/** Models that can be pulled, by name. */
export interface Manifests {
  readonly models: ReadonlyMap<string, ModelManifest>;
  readonly engines: ReadonlyMap<string, EngineManifest>;
}

/**
 * Reads every `*.json` of the directories that exist. A later directory replaces manifests of the same name.
 * @throws LocalFault naming the first file that is not a manifest.
 */
export async function loadManifests(directories: readonly string[]): Promise<Manifests> {
  const models = new Map<string, ModelManifest>();
  const engines = new Map<string, EngineManifest>();
  for (const directory of directories) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
      const manifest = readManifest(join(directory, name), await readFile(join(directory, name)));
      if (manifest.kind === 'model') models.set(manifest.name, manifest);
      else engines.set(manifest.name, manifest);
    }
  }
  return { models, engines };
}

/**
 * Adds up the known sizes of a model's files.
 * @returns whether the sum is exact, and the bytes; null if a size is missing
 */
export function sizeOf({ files }: ModelManifest): { readonly bytes: number; readonly isExact: boolean } | null {
  let [sum, isExact] = [0, true];
  for (const { bytes, about_bytes } of files) {
    if (bytes === null && about_bytes === null) return null;
    isExact &&= bytes !== null;
    sum += bytes ?? about_bytes ?? 0;
  }
  return { bytes: sum, isExact };
}

function readManifest(file: string, bytes: Uint8Array): ModelManifest | EngineManifest {
  let content: unknown;
  try {
    content = JSON.parse(decodeText(bytes, 'the file'));
  } catch (error) {
    throw new LocalFault(`${file}: expected JSON: ${(error as Error).message}`);
  }
  if (!Value.Check(ManifestSchema, content)) {
    const isEngine = (content as { kind?: unknown } | null)?.kind === 'engine';
    const [first] = Value.Errors(isEngine ? EngineManifestSchema : ModelManifestSchema, content);
    throw new LocalFault(`${file}: not a manifest: ${first?.instancePath || '/'} ${first?.message ?? ''}`);
  }
  if (content.kind === 'model') checkFiles(file, content.files);
  return content;
}

function checkFiles(file: string, files: readonly HubFile[]): void {
  const lost = files.find(({ path, sha256 }) => path === null && sha256 === null);
  if (lost !== undefined) throw new LocalFault(`${file}: ${lost.role}: expected a path or a digest, found neither`);
  if (new Set(files.map(({ role }) => role)).size < files.length)
    throw new LocalFault(`${file}: expected each role once in "files"`);
}
