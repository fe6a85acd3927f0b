import type { MediaReference } from '@darkroom-service/contract/catalog/model';
import { judgeUrl } from '@darkroom-service/media/net/address-rules';
import type { Owner } from '../accounts/client-scope.ts';
import { isDataUri, openDataUri } from '../base/data-uri.ts';
import type { Waits } from '../tasks/earlier-orders.ts';
import type { FoundMedium } from '../tasks/judge.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { storeNewFile } from '../tasks/uploads/new-file.ts';
import { resolveOwnFile } from '../tasks/uploads/own-files.ts';

/** Finds a medium that a caller refers to, by its scheme and literal address, data URI or own file. */
export async function findMedium(
  services: Pick<TaskServices, 'createId' | 'database' | 'references' | 'settings'>,
  owner: Owner,
  { field, index, kind, source }: MediaReference,
  waits: Waits,
): Promise<FoundMedium> {
  const { maxDataUriBytes, publicUrl, allowedAddresses } = services.settings;
  if (isDataUri(source)) {
    const opened = openDataUri(source, { maxBytes: maxDataUriBytes });
    if (!opened.ok) return opened;
    const stored = await storeNewFile(services, owner, opened.pieces, kind);
    if (!stored.ok) return stored;
    return { ok: true, medium: { field, index, kind, url: null, stored: stored.file.media }, newFile: stored.file };
  }
  const own = await resolveOwnFile(services.database.read, owner, source, publicUrl, waits);
  if (own === null) {
    const verdict = judgeUrl(source, allowedAddresses);
    return verdict.ok ? { ok: true, medium: { field, index, kind, url: source, stored: null } } : verdict;
  }
  if (own.found === false) return { ...own, ok: false };
  if (own.found === 'later') {
    const { awaited } = own;
    if (own.kind === kind) return { ok: true, medium: { field, index, kind, url: null, stored: null, awaited } };
    const message = `expected ${NOUN[kind]}, but the task ${awaited.taskId} makes ${NOUN[own.kind]}`;
    return { ok: false, message };
  }
  if (own.media.kind !== kind) return { ok: false, message: `expected ${NOUN[kind]}, found ${own.media.contentType}` };
  const medium = { field, index, kind, url: null, stored: own.media };
  return { ok: true, medium, ...(own.taskId === undefined ? {} : { usesTask: own.taskId }) };
}

const NOUN = { image: 'an image', video: 'a video', audio: 'an audio file' } as const;
