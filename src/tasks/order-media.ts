import type { Fault } from '../base/errors.ts';
import { measureRequest } from '../catalog/measure-request.ts';
import { replaceMediaSources } from '../catalog/media-fields.ts';
import type { MediaMeasurement, MediaReference, Model, ResolvedRequest } from '../catalog/model.ts';
import { isDataUri, parseDataUri } from '../media/data-uri.ts';
import { judgeUrl } from '../net/address-rules.ts';
import type { Desk } from './desk.ts';
import { discardFiles, type NewFile, storeNewFile } from './new-file.ts';
import { resolveOwnFile } from './own-files.ts';
import type { TaskMedia } from './task.ts';

export interface JudgedMedia {
  /** The request with every data URI replaced by the file it became. */
  readonly request: ResolvedRequest;
  readonly media: readonly TaskMedia[];
  /** Files that data URIs became: stored already, entered with the order. */
  readonly newFiles: readonly NewFile[];
  readonly faults: readonly Fault[];
}

/**
 * Judges every medium of a request as far as that goes without the network: scheme, literal address, data URI, own file.
 * @param options.keep whether data URIs become files; a quote only judges them.
 */
export async function judgeMedia(
  desk: Desk,
  keyId: string,
  model: Model,
  request: ResolvedRequest,
  options: { readonly keep: boolean },
): Promise<JudgedMedia> {
  const faults: Fault[] = [];
  const media: TaskMedia[] = [];
  const newFiles: NewFile[] = [];
  const sources = new Map<MediaReference, string>();
  for (const reference of request.media) {
    // A quote prices a medium that is still missing as if it were there; of that one there is nothing to judge.
    if ((request.values[reference.field] ?? null) === null) continue;
    const judged = await judgeOne(desk, keyId, reference);
    if (!judged.ok) {
      faults.push(faultOf(model, reference, judged.message));
      continue;
    }
    media.push(judged.medium);
    if (judged.newFile === null) continue;
    newFiles.push(judged.newFile);
    sources.set(reference, `upload:${judged.newFile.id}`);
  }
  const known = measurementsOf(media);
  if (faults.length === 0 && known.length > 0) faults.push(...measureRequest(model, request, known).faults);
  if (faults.length > 0 || !options.keep) {
    await discardFiles(
      desk,
      newFiles.map((file) => file.media.key),
      null,
    );
    return { request, media, newFiles: [], faults };
  }
  return {
    request: replaceMediaSources(model, request, (reference) => sources.get(reference) ?? reference.source),
    media,
    newFiles,
    faults,
  };
}

/** What is wrong with the media of an order that is refused anyway, so that all its faults are told at once. Nothing is kept. */
export async function faultsOfMedia(
  desk: Desk,
  keyId: string,
  model: Model,
  media: readonly MediaReference[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const reference of media) {
    const judged = await judgeOne(desk, keyId, reference);
    if (!judged.ok) faults.push(faultOf(model, reference, judged.message));
    else if (judged.newFile !== null) await discardFiles(desk, [judged.newFile.media.key], null);
  }
  return faults;
}

/** What is known of the media that lie in our storage. */
export function measurementsOf(media: readonly TaskMedia[]): MediaMeasurement[] {
  return media.flatMap(({ field, index, stored }) =>
    stored === null
      ? []
      : [{ field, index, width: stored.width, height: stored.height, durationSeconds: stored.durationSeconds }],
  );
}

type JudgedOne =
  | { readonly ok: true; readonly medium: TaskMedia; readonly newFile: NewFile | null }
  | { readonly ok: false; readonly message: string };

async function judgeOne(desk: Desk, keyId: string, reference: MediaReference): Promise<JudgedOne> {
  const { field, index, kind, source } = reference;
  if (isDataUri(source)) {
    const parsed = parseDataUri(source, { maxBytes: desk.settings.maxDataUriBytes });
    if (!parsed.ok) return parsed;
    const stored = await storeNewFile(desk, parsed.data, kind);
    if (!stored.ok) return stored;
    return { ok: true, medium: { field, index, kind, url: null, stored: stored.file.media }, newFile: stored.file };
  }
  const own = await resolveOwnFile(desk.database.read, keyId, source, desk.settings.publicUrl);
  if (own === null) {
    const verdict = judgeUrl(source, desk.settings.allowedAddresses);
    return verdict.ok
      ? { ok: true, medium: { field, index, kind, url: source, stored: null }, newFile: null }
      : verdict;
  }
  if (!own.found) return { ok: false, message: own.message };
  if (own.media.kind !== kind) return { ok: false, message: `expected ${NOUN[kind]}, found ${own.media.contentType}` };
  return { ok: true, medium: { field, index, kind, url: null, stored: own.media }, newFile: null };
}

function faultOf(model: Model, reference: MediaReference, message: string): Fault {
  const param = paramOf(model, reference);
  return { param, code: 'invalid_reference', message: `${param}: ${message}.` };
}

const NOUN = { image: 'a picture', video: 'a film', audio: 'a sound' } as const;

function paramOf(model: Model, reference: MediaReference): string {
  return model.parameters[reference.field]?.type === 'array'
    ? `${reference.field}[${reference.index}]`
    : reference.field;
}
