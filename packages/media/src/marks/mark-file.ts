import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { MediaFault } from '../media-fault.ts';
import { checkManifest, isProved } from './check-manifest.ts';
import { type HashStop, hashWithout } from './hash-file.ts';
import { findManifestPlace, type ManifestPlace } from './manifest-place.ts';
import type { Mark } from './mark.ts';
import { MarkFault } from './mark-fault.ts';
import { type Binding, draftManifest, type Ingredient } from './sign-manifest.ts';
import type { Signing } from './signing.ts';
import { type Change, MOST_REPLACED_BYTES, type Splice, Splicer } from './splicer.ts';

export interface SignOptions {
  readonly contentType: string;
  readonly mark: Mark;
  readonly signing: Signing;
  /** Source files of the output, in the order of the request. */
  readonly ingredients: readonly (Omit<Ingredient, 'manifests'> & { readonly path: string })[];
}

const ROUNDS = 8;
const UNKNOWN = Buffer.alloc(32);

export type SignOutcome =
  | {
      readonly state: 'signed';
      readonly splices: readonly Splice[];
      /** Titles of the ingredients whose manifests are not included, with the reason. */
      readonly leftOut: readonly string[];
    }
  /** The file was not copied: its manifest is too long to be replaced. */
  | { readonly state: 'kept' };

/**
 * Copies a file and adds a signed C2PA manifest, which is read back from the copy. An existing manifest of the file
 * stays included, as that of its parent, with the result of checking it. No pixel and no sample changes. Null for a
 * format that cannot hold one: WebM, Matroska and sound.
 * @throws MediaFault for a damaged structure, or if the copy cannot be read; the file system's errors
 */
export async function signFile(path: string, to: string, options: SignOptions): Promise<SignOutcome | null> {
  const { contentType, mark, signing } = options;
  const place = findManifestPlace(path, contentType);
  if (place === null) return null;
  const replaced = place.embed(Buffer.alloc(0)).changes.reduce((sum, { removed }) => sum + removed, 0);
  if (replaced > MOST_REPLACED_BYTES) return { state: 'kept' };
  const leftOut: string[] = [];
  const read = async (from: string, at: ManifestPlace | null, title: string): Promise<Ingredient['manifests']> => {
    if (at === null || at.store === null) return null;
    const check = await checkManifest(from, at);
    if (check !== null) return { store: at.store, check };
    leftOut.push(`${title} (it cannot be read)`);
    return null;
  };
  const given: Ingredient[] = [];
  for (const { path: from, ...one } of options.ingredients)
    given.push({ ...one, manifests: await read(from, findManifestPlace(from, one.contentType), one.title) });
  const title = `${mark.model} output`;
  const manifests = await read(path, place, title);
  const own: Ingredient = { title, contentType, relationship: 'parentOf', manifests };
  // A file has one parent.
  const others = given.map((one) => ({ ...one, relationship: 'inputTo' as const }));
  const draft = draftManifest(mark, signing, contentType, place.store === null ? given : [own, ...others]);
  let length = 0;
  for (let round = 0; ; round++) {
    const measured = draft.measure({ digest: UNKNOWN, container: containerIn(place, length) });
    if (measured === length) break;
    if (round === ROUNDS) throw new Error('the length of the manifest does not settle');
    length = measured;
  }
  const digest = await digestOf(path, place, length);
  const store = await draft.sign({ digest, container: containerIn(place, length) });
  if (store.length !== length) throw new Error(`the manifest became ${store.length} bytes long instead of ${length}`);
  const splicer = splicerOf(place.embed(store).changes);
  await writeFile(to, edited(path, splicer), { mode: 0o600 });
  await readBack(to, contentType, store);
  return { state: 'signed', splices: splicer.splices, leftOut: [...leftOut, ...draft.leftOut] };
}

/** Reads a signed file back. @throws MediaFault unless it contains this store, and its checks succeed */
async function readBack(path: string, contentType: string, store: Buffer): Promise<void> {
  const place = findManifestPlace(path, contentType);
  const check = place?.store?.equals(store) === true ? await checkManifest(path, place) : null;
  const [failure] = check?.failure ?? [];
  if (check !== null && isProved(check)) return;
  const found = failure === undefined ? 'it is not found' : failure.code;
  throw new MediaFault('unsupported', `the manifest that was written into the file cannot be read back: ${found}`);
}

/** Returns the range of a store's container in the signed file, by the store's length; null if boxes are hashed. */
function containerIn(place: ManifestPlace, length: number): Binding['container'] {
  return place.boxes === null ? containerOf(place.embed(Buffer.alloc(length))) : null;
}

function containerOf({ changes, container }: ReturnType<ManifestPlace['embed']>): { start: number; length: number } {
  const before = changes.slice(0, changes.indexOf(container));
  const moved = before.reduce((sum, { removed, bytes }) => sum + bytes.length - removed, 0);
  return { start: container.at + moved, length: container.bytes.length };
}

/** Hashes the file with an empty store of this length, without its container. */
async function digestOf(path: string, place: ManifestPlace, length: number): Promise<Buffer> {
  const embedded = place.embed(Buffer.alloc(length));
  const container = containerOf(embedded);
  const stops: HashStop[] = [{ at: container.start, skip: container.length }];
  for (const { type, start, end } of place.boxes ?? []) {
    const at = start < container.start ? start : start + container.length;
    stops.push({ at, skip: type === 'ftyp' || type === 'mfra' ? end - start : 0 });
  }
  return await hashWithout(edited(path, splicerOf(embedded.changes)), stops, 'sha256');
}

/** Creates the splicer of changes. @throws MediaFault if there are too many */
function splicerOf(changes: readonly Change[]): Splicer {
  const splicer = new Splicer();
  splicer.heldFrom = Infinity;
  try {
    for (const { at, removed, bytes } of changes) splicer.change(at, removed, bytes);
  } catch (error) {
    if (error instanceof MarkFault) throw new MediaFault('too_costly', error.message, error);
    throw error;
  }
  return splicer;
}

/** Yields the bytes of the changed file. @throws MediaFault if the file ends before a change */
async function* edited(path: string, splicer: Splicer): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of createReadStream(path)) {
      splicer.add(piece);
      yield* splicer.flush();
    }
    yield* splicer.finish();
  } catch (error) {
    if (error instanceof MarkFault) throw new MediaFault('corrupt', error.message, error);
    throw error;
  }
}
