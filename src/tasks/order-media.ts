import type { Fault } from '../base/errors.ts';
import { measureRequest } from '../catalog/measure-request.ts';
import { replaceMediaSources } from '../catalog/media-fields.ts';
import type { MediaMeasurement, MediaReference, Model, ResolvedRequest } from '../catalog/model.ts';
import { parseDataUri } from '../media/data-uri.ts';
import { judgeUrl } from '../net/address-rules.ts';
import type { Desk } from './desk.ts';
import { type NewFile, storeNewFile } from './new-file.ts';
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
    const refuse = (message: string) =>
      faults.push({
        param: paramOf(model, reference),
        code: 'invalid_reference',
        message: `${paramOf(model, reference)}: ${message}.`,
      });
    const { field, index, kind, source } = reference;
    // A quote prices a medium that is still missing as if it were there; of that one there is nothing to judge.
    if ((request.values[field] ?? null) === null) continue;
    if (source.startsWith('data:')) {
      const parsed = parseDataUri(source, { maxBytes: desk.settings.maxDataUriBytes });
      if (!parsed.ok) {
        refuse(parsed.message);
        continue;
      }
      const stored = await storeNewFile(desk, parsed.data, kind);
      if (!stored.ok) {
        refuse(stored.message);
        continue;
      }
      newFiles.push(stored.file);
      media.push({ field, index, kind, url: null, stored: stored.file.media });
      sources.set(reference, `upload:${stored.file.id}`);
      continue;
    }
    const own = await resolveOwnFile(desk.database.read, keyId, source, desk.settings.publicUrl);
    if (own === null) {
      const verdict = judgeUrl(source, desk.settings.allowedAddresses);
      if (!verdict.ok) refuse(verdict.message);
      media.push({ field, index, kind, url: source, stored: null });
    } else if (!own.found) refuse(own.message);
    else if (own.media.kind !== kind) refuse(`expected ${NOUN[kind]}, found ${own.media.contentType}`);
    else media.push({ field, index, kind, url: null, stored: own.media });
  }
  const known = measurementsOf(media);
  if (faults.length === 0 && known.length > 0) faults.push(...measureRequest(model, request, known).faults);
  if (faults.length > 0 || !options.keep) {
    await Promise.all(newFiles.map((file) => desk.storage.remove(file.media.key)));
    return { request, media, newFiles: [], faults };
  }
  return {
    request: replaceMediaSources(model, request, (reference) => sources.get(reference) ?? reference.source),
    media,
    newFiles,
    faults,
  };
}

/** What is known of the media that lie in our storage. */
export function measurementsOf(media: readonly TaskMedia[]): MediaMeasurement[] {
  return media.flatMap(({ field, index, stored }) =>
    stored === null
      ? []
      : [{ field, index, width: stored.width, height: stored.height, durationSeconds: stored.durationSeconds }],
  );
}

const NOUN = { image: 'a picture', video: 'a film', audio: 'a sound' } as const;

function paramOf(model: Model, reference: MediaReference): string {
  return model.parameters[reference.field]?.type === 'array'
    ? `${reference.field}[${reference.index}]`
    : reference.field;
}
