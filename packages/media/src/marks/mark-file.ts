import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { MediaFault } from '../media-fault.ts';
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
  /** Files that the output was made from, in the order of the request. */
  readonly ingredients: readonly (Omit<Ingredient, 'store'> & { readonly path: string })[];
}

const ROUNDS = 8;
const UNKNOWN = Buffer.alloc(32);

export type SignOutcome =
  | { readonly state: 'signed'; readonly splices: readonly Splice[] }
  /** It holds a manifest that is too long to be replaced, and no copy was written. */
  | { readonly state: 'kept' };

/**
 * Copies a file and adds a signed C2PA manifest. A manifest of the file itself stays within, as that of its parent. No
 * pixel and no sample changes. Null for a format that cannot hold one: WebM, Matroska and sound.
 * @throws MediaFault for a damaged structure; the file system's errors
 */
export async function signFile(path: string, to: string, options: SignOptions): Promise<SignOutcome | null> {
  const { contentType, mark, signing } = options;
  const place = findManifestPlace(path, contentType);
  if (place === null) return null;
  const replaced = place.embed(Buffer.alloc(0)).changes.reduce((sum, { removed }) => sum + removed, 0);
  if (replaced > MOST_REPLACED_BYTES) return { state: 'kept' };
  const given = options.ingredients.map((one) => ({
    ...one,
    store: findManifestPlace(one.path, one.contentType)?.store ?? null,
  }));
  const own: Ingredient = { title: `${mark.model} output`, contentType, relationship: 'parentOf', store: place.store };
  // A file has one parent.
  const others = given.map((one) => ({ ...one, relationship: 'inputTo' as const }));
  const draft = await draftManifest(mark, signing, contentType, place.store === null ? given : [own, ...others]);
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
  return { state: 'signed', splices: splicer.splices };
}

/** Where the container of a store of this length lies in the signed file; null where boxes are hashed. */
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
  /** Ranges that are left out, and places where the place itself is hashed. */
  const stops: { readonly at: number; readonly skip: number }[] = [{ at: container.start, skip: container.length }];
  for (const { type, start, end } of place.boxes ?? []) {
    const at = start < container.start ? start : start + container.length;
    stops.push({ at, skip: type === 'ftyp' || type === 'mfra' ? end - start : 0 });
  }
  stops.sort((a, b) => a.at - b.at);
  const hash = createHash('sha256');
  let at = 0;
  let skipped = 0;
  for await (const piece of edited(path, splicerOf(embedded.changes))) {
    const end = at + piece.length;
    let from = Math.max(at, skipped);
    for (let stop = stops[0]; stop !== undefined && stop.at < end; stop = stops[0]) {
      stops.shift();
      if (stop.at > from) hash.update(piece.subarray(from - at, stop.at - at));
      if (stop.skip === 0) {
        const offset = Buffer.alloc(8);
        offset.writeBigUInt64BE(BigInt(stop.at));
        hash.update(offset);
      }
      skipped = Math.max(skipped, stop.at + stop.skip);
      from = Math.max(stop.at, skipped);
    }
    if (from < end) hash.update(piece.subarray(from - at));
    at = end;
  }
  return hash.digest();
}

function splicerOf(changes: readonly Change[]): Splicer {
  const splicer = new Splicer();
  splicer.heldFrom = Infinity;
  for (const { at, removed, bytes } of changes) splicer.change(at, removed, bytes);
  return splicer;
}

/** @throws MediaFault if the file ends before a change */
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
