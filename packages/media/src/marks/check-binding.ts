import { createReadStream } from 'node:fs';
import { type Assertion, BMFFHashAssertion, DataHashAssertion } from '@trustnxt/c2pa-ts/manifest';
import { FileWindow } from '../decoding/file-window.ts';
import { type HashStop, hashWithout } from './hash-file.ts';
import type { ManifestPlace } from './manifest-place.ts';

type Boxes = NonNullable<ManifestPlace['boxes']>;
type Exclusion = BMFFHashAssertion['exclusions'][number];

const NODE_NAMES: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };
/** Maximum exclusions; an ordinary manifest has three. */
const MOST_EXCLUSIONS = 1_000;

/**
 * Tells whether a manifest was made for the bytes of a file. Null for a kind of binding that is not checked: by named
 * boxes, by parts of a film, or by parts of boxes.
 */
export async function checkBinding(
  path: string,
  boxes: Boxes | null,
  binding: Assertion,
): Promise<'match' | 'mismatch' | null> {
  if (!(binding instanceof DataHashAssertion || binding instanceof BMFFHashAssertion)) return null;
  const algorithm = NODE_NAMES[binding.algorithm ?? ''];
  if (algorithm === undefined || binding.hash === undefined || binding.exclusions.length > MOST_EXCLUSIONS) return null;
  const stops =
    binding instanceof DataHashAssertion
      ? binding.exclusions.map(({ start, length }) => ({ at: start, skip: length }))
      : stopsOf(path, boxes, binding);
  if (stops === null) return null;
  const digest = await hashWithout(createReadStream(path), stops, algorithm);
  return digest.equals(binding.hash) ? 'match' : 'mismatch';
}

/** Returns the stops of a hash over boxes: each box's offset is hashed before it, unless the whole box is excluded. */
function stopsOf(path: string, boxes: Boxes | null, { exclusions, merkle }: BMFFHashAssertion): HashStop[] | null {
  if (boxes === null || (merkle?.length ?? 0) > 0) return null;
  const types = new Set(boxes.map(({ type }) => type));
  const named = new Map<string, Exclusion[]>();
  for (const exclusion of exclusions) {
    const [, type = '', below] = /^\/(.{4})(?:\[\d+\])?(\/.*)?$/.exec(exclusion.xpath) ?? [];
    if (!types.has(type)) continue;
    const { subset, version, flags } = exclusion;
    if (below !== undefined || subset !== undefined || version !== undefined || flags !== undefined) return null;
    named.set(type, [...(named.get(type) ?? []), exclusion]);
  }
  using file = new FileWindow(path);
  return boxes.map(({ type, start, end }) => {
    const isLeftOut = named
      .get(type)
      ?.some(
        ({ length, data }) =>
          (length === undefined || length === null || length === end - start) &&
          (data ?? []).every(({ offset, value }) => file.read(start + offset, value.length).equals(value)),
      );
    return { at: start, skip: isLeftOut === true ? end - start : 0 };
  });
}
