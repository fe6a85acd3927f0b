import type { MediaReference } from '@darkroom-service/contract/catalog';
import { judgeUrl } from '@darkroom-service/media';
import type { Owner } from '../accounts/scope.ts';
import { isDataUri, openDataUri } from '../base/data-uri.ts';
import { storeNewFile } from '../order-files/new-file.ts';
import { resolveOwnFile } from '../order-files/own-files.ts';
import type { WaitPolicy } from '../record/batch-siblings.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { FoundMedium } from './judge.ts';

/**
 * Finds a medium that a caller refers to, by its scheme and literal address, data URI or own file.
 * @param examinedBy as in `MediaCall`
 */
export async function findMedium(
  services: Pick<TaskServices, 'createId' | 'database' | 'parentGate' | 'references' | 'settings'>,
  owner: Owner,
  { field, index, kind, source }: MediaReference,
  waits: WaitPolicy,
  examinedBy: number,
): Promise<FoundMedium> {
  const { maxDataUriBytes, publicUrl, cdn, sources, allowedAddresses } = services.settings;
  const addresses = cdn === null ? [publicUrl] : [publicUrl, cdn.url];
  if (isDataUri(source)) {
    const opened = openDataUri(source, { maxBytes: maxDataUriBytes });
    if (!opened.ok) return opened;
    const stored = await storeNewFile(services, owner, opened.pieces, kind, examinedBy);
    if (!stored.ok) return stored;
    return { ok: true, medium: { field, index, kind, url: null, stored: stored.file.media }, newFile: stored.file };
  }
  const own = await resolveOwnFile(services.database.read, owner, source, addresses, waits);
  if (own === null) {
    const verdict = judgeUrl(source, allowedAddresses);
    if (!verdict.ok) return verdict;
    if (sources.has(verdict.url.protocol))
      return { ok: true, medium: { field, index, kind, url: verdict.text, stored: null } };
    const message = 'expected a data URI or a file of this service, which fetches none from elsewhere';
    return { ok: false, message };
  }
  if (own.found === false) return { ...own, ok: false };
  if (own.found === 'later') {
    const { awaited } = own;
    if (services.parentGate === null)
      return {
        ok: false,
        message: 'expected a whole output, since no order of this service waits for a tile of a grid',
      };
    if (own.kind === kind) return { ok: true, medium: { field, index, kind, url: null, stored: null, awaited } };
    const message = `expected ${NOUN[kind]}, but the task ${awaited.taskId} makes ${NOUN[own.kind]}`;
    return { ok: false, message };
  }
  if (own.media.kind !== kind) return { ok: false, message: `expected ${NOUN[kind]}, found ${own.media.contentType}` };
  const medium = { field, index, kind, url: null, stored: own.media };
  return { ok: true, medium, ...(own.taskId === undefined ? {} : { usesTask: own.taskId }) };
}

const NOUN = { image: 'an image', video: 'a video', audio: 'an audio file' } as const;
