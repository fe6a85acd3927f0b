import type { Owner } from '../accounts/client-scope.ts';
import { errorFromFaults, type Fault } from '../base/errors.ts';
import { compileModel } from '../catalog/compiled-model.ts';
import { measureRequest } from '../catalog/measure-request.ts';
import { paramOf, replaceMediaSources } from '../catalog/media-fields.ts';
import type { MediaMeasurement, MediaReference, Model, ResolvedRequest } from '../catalog/model.ts';
import { isDataUri, openDataUri } from '../media/data-uri.ts';
import { judgeUrl } from '../net/address-rules.ts';
import { orderNameIn, type Waits } from '../tasks/earlier-orders.ts';
import { measurementsOf, type TaskMedia } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { discardFiles, type NewFile, storeNewFile } from '../uploads/new-file.ts';
import { resolveOwnFile } from '../uploads/own-files.ts';

export interface JudgedMedia {
  /** The request with every data URI replaced by the file it became, and the name of an order by its task. */
  readonly request: ResolvedRequest;
  readonly media: readonly TaskMedia[];
  /** Files that data URIs became: stored already, entered with the order. */
  readonly newFiles: readonly NewFile[];
  /** The finished tasks whose outputs it uses. */
  readonly usedTasks: readonly string[];
  /** The facts that the price is computed from. */
  readonly known: KnownMedia;
}

/** The known facts about an order's media when it is quoted or placed. */
interface KnownMedia {
  /** The request completed by the measurements. */
  readonly request: ResolvedRequest;
  /** Of the media that are in our storage; those that must be fetched have none yet. */
  readonly measurements: readonly MediaMeasurement[];
}

/**
 * Checks every medium of a request as far as that goes without the network: scheme, literal address, data URI, own
 * file.
 * @param options.keep whether data URIs become files; a quote only judges them.
 * @throws ServiceError with every fault
 */
export async function acceptMedia(
  services: TaskServices,
  owner: Owner,
  model: Model,
  request: ResolvedRequest,
  options: Waits & { readonly keep: boolean },
): Promise<JudgedMedia> {
  const faults = faultsOfVendorAddresses(model, request.values, services.settings.allowedAddresses);
  const media: TaskMedia[] = [];
  const newFiles: NewFile[] = [];
  const usedTasks: string[] = [];
  const sources = new Map<MediaReference, string>();
  for (const reference of request.media) {
    // A quote prices a medium that is still missing as if it were there; of that one there is nothing to judge.
    if ((request.values[reference.field] ?? null) === null) continue;
    const judged = await judgeOne(services, owner, reference, options);
    if (!judged.ok) {
      faults.push(faultOf(model, reference, judged));
      continue;
    }
    media.push(judged.medium);
    if (judged.usesTask !== undefined) usedTasks.push(judged.usesTask);
    const { awaited } = judged.medium;
    if (awaited !== undefined && orderNameIn(reference.source) !== null)
      sources.set(reference, `task:${awaited.taskId}${awaited.number === null ? '' : `#${awaited.number}`}`);
    if (judged.newFile === null) continue;
    newFiles.push(judged.newFile);
    sources.set(reference, `upload:${judged.newFile.id}`);
  }
  const measurements = measurementsOf(media);
  const measured = measureRequest(model, request, measurements);
  if (faults.length === 0 && measurements.length > 0) faults.push(...measured.faults);
  const known: KnownMedia = { request: measured.request, measurements };
  if (faults.length > 0 || !options.keep) {
    await discardFiles(
      services,
      newFiles.map((file) => file.media.key),
      null,
    );
    if (faults.length > 0) throw errorFromFaults(faults);
    return { request, media, newFiles: [], usedTasks, known };
  }
  return {
    request: replaceMediaSources(model, request, (reference) => sources.get(reference) ?? reference.source),
    media,
    newFiles,
    usedTasks,
    known,
  };
}

/**
 * Returns the media faults of an order that is refused anyway, so that all faults are reported together. Stores
 * nothing.
 */
export async function faultsOfMedia(
  services: TaskServices,
  owner: Owner,
  model: Model,
  media: readonly MediaReference[],
  options: Waits,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const reference of media) {
    const judged = await judgeOne(services, owner, reference, options);
    if (!judged.ok) faults.push(faultOf(model, reference, judged));
    else if (judged.newFile !== null) await discardFiles(services, [judged.newFile.media.key], null);
  }
  return faults;
}

type JudgedOne =
  | { readonly ok: true; readonly medium: TaskMedia; readonly newFile: NewFile | null; readonly usesTask?: string }
  | Unusable;

interface Unusable {
  readonly ok: false;
  readonly message: string;
  readonly isUnfinished?: true;
}

async function judgeOne(
  services: TaskServices,
  owner: Owner,
  reference: MediaReference,
  options: Waits,
): Promise<JudgedOne> {
  const { field, index, kind, source } = reference;
  if (isDataUri(source)) {
    const opened = openDataUri(source, { maxBytes: services.settings.maxDataUriBytes });
    if (!opened.ok) return opened;
    const stored = await storeNewFile(services, owner, opened.pieces, kind);
    if (!stored.ok) return stored;
    return { ok: true, medium: { field, index, kind, url: null, stored: stored.file.media }, newFile: stored.file };
  }
  const own = await resolveOwnFile(services.database.read, owner, source, services.settings.publicUrl, options);
  if (own === null) {
    const verdict = judgeUrl(source, services.settings.allowedAddresses);
    return verdict.ok
      ? { ok: true, medium: { field, index, kind, url: source, stored: null }, newFile: null }
      : verdict;
  }
  if (own.found === false) return { ...own, ok: false };
  if (own.found === 'later') {
    if (own.kind !== kind)
      return {
        ok: false,
        message: `expected ${NOUN[kind]}, but the task ${own.awaited.taskId} makes ${NOUN[own.kind]}`,
      };
    return { ok: true, medium: { field, index, kind, url: null, stored: null, awaited: own.awaited }, newFile: null };
  }
  if (own.media.kind !== kind) return { ok: false, message: `expected ${NOUN[kind]}, found ${own.media.contentType}` };
  const medium = { field, index, kind, url: null, stored: own.media };
  return { ok: true, medium, newFile: null, ...(own.taskId === undefined ? {} : { usesTask: own.taskId }) };
}

function faultOf(model: Model, reference: MediaReference, { message, isUnfinished }: Unusable): Fault {
  const param = paramOf(model, reference);
  return { param, code: isUnfinished ? 'parent_not_ready' : 'invalid_reference', message: `${param}: ${message}.` };
}

const NOUN = { image: 'an image', video: 'a video', audio: 'an audio file' } as const;

/**
 * Checks the addresses that a request hands on for the vendor to read, such as the page a film is made from. They obey
 * the same rules as the media that this service fetches: what is private here may be private at the vendor too.
 */
function faultsOfVendorAddresses(
  model: Model,
  values: ResolvedRequest['values'],
  allowedAddresses: readonly string[],
): Fault[] {
  return compileModel(model).vendorAddresses.flatMap((param) => {
    const value = values[param];
    if (typeof value !== 'string') return [];
    const verdict = judgeUrl(value, allowedAddresses);
    if (verdict.ok) return [];
    return [{ param, code: 'invalid_reference' as const, message: `${param}: ${verdict.message}.` }];
  });
}
