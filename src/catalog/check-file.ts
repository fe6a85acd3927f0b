import { type CatalogFile, CatalogFileSchema } from '@darkroom-service/contract/catalog';
import { loadPart } from '@darkroom-service/media/process';
import type { ValidateFunction } from 'ajv';
import { Compile, type Validator } from 'typebox/compile';
import type { CatalogEntryFault } from './check-entry.ts';

let accepts: Validator | undefined;
let explains: ValidateFunction | undefined;

/** Tells whether the content has the shape of a catalog file. */
export function isCatalogFile(content: unknown): content is CatalogFile {
  accepts ??= Compile(CatalogFileSchema);
  return accepts.Check(content);
}

/** Lists the faults in the shape of a catalog file, in Ajv's words. Ajv takes ten times longer to load and compile. */
export async function listShapeFaults(file: string, content: unknown): Promise<CatalogEntryFault[]> {
  const { Ajv } = await loadPart(() => import('ajv'));
  explains ??= new Ajv({ allErrors: true, strict: false }).compile(CatalogFileSchema);
  // A union reports one fault per branch. Faults of the same path and text count once.
  const faults = new Map<string, CatalogEntryFault>();
  explains(content);
  for (const error of explains.errors ?? []) {
    const index = /^\/models\/(\d+)/.exec(error.instancePath)?.[1];
    const models = (content as { models?: { model_id?: unknown }[] } | null)?.models;
    const entry = index === undefined ? null : String(models?.[Number(index)]?.model_id ?? `models[${index}]`);
    const path = error.instancePath.replace(/^\/models\/\d+/, '') || '/';
    const extra = error.params.additionalProperty ?? (error.params.allowedValues as unknown[] | undefined)?.join(', ');
    const message = `${path} ${error.message}${extra === undefined ? '' : ` (${extra})`}`;
    faults.set(`${entry} ${message}`, { file, entry, message });
  }
  // Never silent: if either of the two checks refuses the content, it is not a catalog file.
  if (faults.size === 0) return [{ file, entry: null, message: 'does not have the shape of a catalog file' }];
  return [...faults.values()];
}
