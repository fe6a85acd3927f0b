import { answerFault } from './answer-fault.ts';
import { readList } from './list-answer.ts';
import { LocalFault } from './local-fault.ts';
import type { Transport } from './transport.ts';
import { fitsDigest, type WantedFile } from './wanted-file.ts';

/** The transports to a model hub and to release files. */
export interface Hubs {
  readonly hub: Transport;
  readonly releases: Transport;
  /** The API that lists releases, without a trailing slash. */
  readonly releasesApi: string;
}

/** Branch that is requested if no commit is known. */
const DEFAULT_BRANCH = 'main';

export function transportOf({ source }: WantedFile, hubs: Hubs): Transport {
  return source.kind === 'hub' ? hubs.hub : hubs.releases;
}

/**
 * Returns the address of a file at its hub.
 * @param path the path in the repository; for releases the name if the source has a pattern, and else null.
 */
export function addressOf({ source, revision }: WantedFile, path: string | null, hubs: Hubs): URL {
  if (source.kind === 'release') {
    const { repository, tag, asset } = source;
    return new URL(`${hubs.releases.base}/${repository}/releases/download/${tag}/${path ?? asset}`);
  }
  return new URL(`${hubs.hub.base}/${source.repository}/resolve/${revision ?? DEFAULT_BRANCH}/${path}`);
}

/** Finds the only file of a repository that has the digest, or the known ends of it. @throws LocalFault, AnswerFault */
export async function findByDigest(file: WantedFile, hubs: Hubs, signal: AbortSignal): Promise<string> {
  const { repository } = file.source;
  const url = new URL(
    `${hubs.hub.base}/api/models/${repository}/tree/${file.revision ?? DEFAULT_BRANCH}?recursive=true`,
  );
  const answer = await hubs.hub.get(url, { accept: 'application/json' }, signal);
  if (answer.status !== 200) {
    answer.body.destroy();
    throw answerFault(answer, false);
  }
  const list = parseList(await readList(answer, `The list of ${repository}`));
  const found = list.filter(
    ({ size, sha256 }) => fitsDigest(sha256, file.sha256) && (file.bytes === null || size === file.bytes),
  );
  const [first, second] = found;
  if (first === undefined || second !== undefined)
    throw new LocalFault(
      `Expected one file with the digest ${file.sha256} in ${repository}, found ${found.length}. The repository has changed; pull a newer manifest, or import the files with --from.`,
    );
  return first.path;
}

function parseList(content: unknown): { path: string; size: number; sha256: string }[] {
  if (!Array.isArray(content)) throw new LocalFault('Expected the list of a repository, found something else.');
  return content.flatMap((entry: { path?: unknown; size?: unknown; lfs?: { oid?: unknown } } | null) => {
    const [path, size, sha256] = [entry?.path, entry?.size, entry?.lfs?.oid];
    return typeof path === 'string' && typeof size === 'number' && typeof sha256 === 'string'
      ? [{ path: path.split('/').map(encodeURIComponent).join('/'), size, sha256 }]
      : [];
  });
}
