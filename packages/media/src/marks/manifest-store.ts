import { createHash } from 'node:crypto';
import { MediaFault } from '../media-fault.ts';
import { MOST_STORE_BYTES } from './manifest-place.ts';

/** A manifest as stored. */
export interface StoredManifest {
  readonly label: string;
  readonly bytes: Buffer;
}

const HEAD_BYTES = 8;
/** Offset of a description's label, behind its head, an identifier and a byte of flags. */
const LABEL_AT = HEAD_BYTES + 17;

/** Returns the manifests of a store; the last one is that of the file itself. @throws MediaFault */
export function manifestsOf(store: Buffer): StoredManifest[] {
  const [description, ...manifests] = boxesIn(store.subarray(HEAD_BYTES));
  if (description === undefined) throw damaged();
  return manifests.map((bytes) => {
    const [own] = boxesIn(bytes.subarray(HEAD_BYTES));
    const end = own?.indexOf(0, LABEL_AT) ?? -1;
    if (own === undefined || end === -1) throw damaged();
    return { label: own.toString('utf8', LABEL_AT, end), bytes };
  });
}

/** Puts manifests before those of a store. @throws MediaFault if the store becomes too long */
export function storeWith(manifests: readonly StoredManifest[], store: Buffer): Buffer {
  const [description, ...own] = boxesIn(store.subarray(HEAD_BYTES));
  const all = Buffer.concat([
    store.subarray(0, HEAD_BYTES),
    description ?? Buffer.alloc(0),
    ...manifests.map(({ bytes }) => bytes),
    ...own,
  ]);
  if (all.length > MOST_STORE_BYTES)
    throw new MediaFault('too_costly', `the manifests of what the file was made from exceed ${MOST_STORE_BYTES} bytes`);
  all.writeUInt32BE(all.length);
  return all;
}

/** Returns the digest by which another manifest refers to this one. */
export function digestOf({ bytes }: StoredManifest): Buffer {
  return createHash('sha256').update(bytes.subarray(HEAD_BYTES)).digest();
}

function boxesIn(bytes: Buffer): Buffer[] {
  const boxes: Buffer[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length < HEAD_BYTES || at + length > bytes.length) throw damaged();
    boxes.push(bytes.subarray(at, at + length));
    at += length;
  }
  return boxes;
}

function damaged(): MediaFault {
  return new MediaFault('corrupt', 'the C2PA manifest is damaged');
}
