import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, chooseCoding, codedEtag, setCoding, withoutCoding } from './coding.ts';

const PACKED_CODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Coding[];
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LAST_EMPTY_BLOCK = Buffer.from([0x03]);
const LONGEST_TAIL = 65_535;
const compressDeflate = promisify(deflateRaw);
const compressBrotli = promisify(brotliCompress);

/** Bytes that many callers request. Each compressed form is made at its first use, off the event loop, and kept. */
export interface Packed {
  readonly etag: string;
  readonly codings: readonly Coding[];
  /**
   * Returns the whole in a coding, to be sent without a copy.
   * @param tail follows the bytes uncompressed: the part that differs from answer to answer, such as a time. Equal
   * tails give the same bytes.
   */
  in(coding: Coding, tail?: string): Promise<Buffer>;
}

/** Keeps a text that many callers request, and packs it once for each coding that they accept. */
export function pack(bytes: Buffer): Packed {
  const heads = new Map<Coding, Promise<Buffer>>();
  const wholes = new Map<Coding, { readonly tail: string; readonly bytes: Promise<Buffer> }>();
  const headIn = (coding: Coding) => {
    const head = heads.get(coding) ?? compressHead(bytes, coding);
    heads.set(coding, head);
    return head;
  };
  let checksum: number | null = null;
  const finish = async (coding: Coding, tail: Buffer) => {
    const head = await headIn(coding);
    if (coding === 'identity') return tail.length === 0 ? head : Buffer.concat([head, tail]);
    if (coding === 'br') return Buffer.concat([head, brotliBlock(tail), LAST_EMPTY_BLOCK]);
    checksum ??= crc32(bytes);
    return Buffer.concat([head, gzipEnd(tail, crc32(tail, checksum), bytes.length + tail.length)]);
  };
  return {
    etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    codings: PACKED_CODINGS,
    in(coding, tail = '') {
      const known = wholes.get(coding);
      if (known?.tail === tail) return known.bytes;
      const end = Buffer.from(tail);
      if (end.length > LONGEST_TAIL) throw new RangeError(`a tail of ${end.length} bytes, at most ${LONGEST_TAIL} fit`);
      const whole = finish(coding, end);
      wholes.set(coding, { tail, bytes: whole });
      return whole;
    },
  };
}

/** Compresses the part before the tail: both formats allow uncompressed blocks after a flush. */
async function compressHead(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return bytes;
  if (coding === 'gzip') {
    const deflated = await compressDeflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    return Buffer.concat([GZIP_HEADER, deflated]);
  }
  return await compressBrotli(bytes, {
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Returns a last stored block (RFC 1951), then checksum and length (RFC 1952). */
function gzipEnd(tail: Buffer, checksum: number, length: number): Buffer {
  const end = Buffer.alloc(5 + tail.length + 8);
  end[0] = 1;
  end.writeUInt16LE(tail.length, 1);
  end.writeUInt16LE(tail.length ^ 0xffff, 3);
  tail.copy(end, 5);
  end.writeUInt32LE(checksum >>> 0, 5 + tail.length);
  end.writeUInt32LE(length % 2 ** 32, 9 + tail.length);
  return end;
}

/**
 * Returns an uncompressed meta-block (RFC 7932, section 9.2): not the last, four nibbles of length, `ISUNCOMPRESSED`,
 * padded to whole bytes.
 */
function brotliBlock(tail: Buffer): Buffer {
  if (tail.length === 0) return tail;
  const block = Buffer.alloc(3 + tail.length);
  block.writeUIntLE(((tail.length - 1) << 3) | (1 << 19), 0, 3);
  tail.copy(block, 3);
  return block;
}

/**
 * Sets the `ETag` and tells whether the caller already has this state, in any encoding; the answer is then 304 without
 * a body.
 * @param coding in which the answer would be sent; left out, long JSON is compressed after this
 */
export function isUnchanged(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  etag: string,
  coding?: Coding,
): boolean {
  reply.header('etag', codedEtag(etag, coding ?? 'identity'));
  const named = namedEtag(request.headers['if-none-match'] ?? '', etag);
  if (named === null) return false;
  // The caller knows in which coding it got this state.
  if (coding === undefined && named !== '*') reply.header('etag', named);
  reply.code(304);
  return true;
}

/** Answers with packed bytes in the coding that the caller accepts, or with 304. */
export async function answerPacked(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  packed: Packed,
  tail?: string,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], packed.codings);
  const unchanged = isUnchanged(request, reply, packed.etag, coding);
  setCoding(reply, unchanged ? 'identity' : coding);
  return unchanged ? reply.send() : reply.send(await packed.in(coding, tail));
}

/** Returns which tag of a list such as `"a", W/"b"` or `*` is this one, compared weakly and for any encoding. */
export function namedEtag(list: string, etag: string): string | null {
  if (list.trim() === '*') return '*';
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.find((tag) => withoutCoding(tag) === withoutCoding(etag)) ?? null;
}
