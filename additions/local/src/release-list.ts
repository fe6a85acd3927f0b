import { world } from '@darkroom-service/contract';
import { AnswerFault, answerFault, MAX_PAUSE_MS, pauseOf } from './answer-fault.ts';
import { assetPattern, isPattern } from './asset-pattern.ts';
import type { Hubs } from './hub.ts';
import { readList } from './list-answer.ts';
import { LocalFault } from './local-fault.ts';
import type { Answer } from './transport.ts';
import type { ReleaseSource } from './wanted-file.ts';

/** A file of a release, as the release's own list describes it. */
export interface ListedAsset {
  readonly name: string;
  readonly bytes: number;
  /** The digest; null if the file was uploaded before the host computed digests. */
  readonly sha256: string | null;
}

/**
 * Finds the only file of a release that has the name, or fits the pattern.
 *
 * `GET /repos/{owner}/{repo}/releases/tags/{tag}` has `assets[]` with `name`, `size` and `digest`:
 * https://docs.github.com/en/rest/releases/releases#get-a-release-by-tag-name.
 * `digest` is `sha256:…` for files uploaded since June 2025:
 * https://github.blog/changelog/2025-06-03-releases-now-expose-digests-for-release-assets/.
 * Its `browser_download_url` is not used, so that a list cannot lead to another host.
 * @returns null if the name is known and the host keeps no list, as a mirror of the files may.
 * @throws LocalFault, AnswerFault, or the connection's error.
 */
export async function findAsset(
  { repository, tag, asset }: ReleaseSource,
  { releases, releasesApi }: Hubs,
  signal: AbortSignal,
): Promise<ListedAsset | null> {
  const url = new URL(`${releasesApi}/repos/${repository}/releases/tags/${tag}`);
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const answer = await releases.get(url, headers, signal);
  if (answer.status !== 200) {
    answer.body.destroy();
    if (answer.status === 404 && !isPattern(asset)) return null;
    throw limitFault(answer) ?? answerFault(answer, false);
  }
  const list = `The list of release ${tag} of ${repository}`;
  const assets = parseAssets(await readList(answer, list), list);
  const pattern = assetPattern(asset);
  const [first, second] = assets.filter(({ name }) => pattern.test(name));
  if (first !== undefined && second === undefined) return first;
  const names = assets.map(({ name }) => `\n  ${name}`).join('');
  throw new LocalFault(
    `Expected one file ${asset} in release ${tag} of ${repository}, found ${first === undefined ? 'none' : 'several'}. Nothing was downloaded. Select another --build, or name the file in a manifest of your own. The release has:${names || ' no files'}`,
  );
}

/**
 * Returns the fault of a reached rate limit. Without an account the host answers 60 requests an hour. It refuses
 * further ones with 403 or 429, and says when it answers again:
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api.
 * @returns null if the answer is no such refusal.
 */
function limitFault({ status, headers, url }: Answer): Error | null {
  if (status !== 403 && status !== 429) return null;
  const after = pauseOf(headers['retry-after']);
  const found = `${url.host} answered ${status}: too many requests`;
  if (after !== null) return new AnswerFault('retry', found, after);
  const at = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  if (headers['x-ratelimit-remaining'] !== '0' || !(Math.abs(at) <= 8.64e15)) return null;
  const wait = Math.max(0, at - world.now());
  if (wait <= MAX_PAUSE_MS) return new AnswerFault('retry', found, wait);
  return new LocalFault(`${found}. It answers again at ${new Date(at).toISOString()}; run the command again then.`);
}

function parseAssets(content: unknown, list: string): ListedAsset[] {
  const { assets } = (content ?? {}) as { readonly assets?: unknown };
  if (!Array.isArray(assets)) throw new LocalFault(`${list} has no "assets".`);
  return assets.flatMap((entry: { name?: unknown; size?: unknown; digest?: unknown } | null) => {
    const [name, bytes, digest] = [entry?.name, entry?.size, entry?.digest];
    if (typeof name !== 'string' || typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 1) return [];
    const [, sha256 = null] = /^sha256:([0-9a-f]{64})$/.exec(String(digest)) ?? [];
    return [{ name, bytes, sha256 }];
  });
}
