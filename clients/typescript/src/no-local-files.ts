/** Stands for `local-files.ts` in bundles for browsers. The signatures are its own. */
const REASON =
  'A browser has no files with paths. Save with `blob()`, `bytes()` or `stream()`, and pass a Blob in place of a path.';

export async function saveChunks(_target: string, _chunks: AsyncIterable<Uint8Array>): Promise<void> {
  throw new Error(REASON);
}

export async function readFileAsBlob(_path: string | URL): Promise<Blob> {
  throw new Error(REASON);
}
