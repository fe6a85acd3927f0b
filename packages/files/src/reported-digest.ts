import { cutText } from '@darkroom-service/contract';

type DigestAlgorithm = 'sha256' | 'crc32c' | 'md5';

/** Headers of an answer by their names in lower case. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A digest that a server returns for the bytes that it has. */
interface ToldDigest<Algorithm> {
  readonly algorithm: Algorithm;
  /** The digest in base64. */
  readonly digest: string;
  /** The digest as the server wrote it, with the name of the header's value. */
  readonly words: string;
}

/**
 * Finds the first digest of the given algorithms in a bucket's answer. Only an ETag of 32 hexadecimal digits can be an
 * MD5; that of a file encrypted with a customer's key is not.
 */
export function findReportedDigest<Algorithm extends DigestAlgorithm>(
  headers: AnswerHeaders,
  algorithms: readonly Algorithm[],
): ToldDigest<Algorithm> | null {
  for (const algorithm of algorithms) {
    const found = toldBy(headers, algorithm);
    if (found !== null) return { algorithm, digest: found.digest, words: `${found.name} ${cutText(found.told, 80)}` };
  }
  return null;
}

function toldBy(
  headers: AnswerHeaders,
  algorithm: DigestAlgorithm,
): { readonly digest: string; readonly name: string; readonly told: string } | null {
  const header = headers[`x-amz-checksum-${algorithm}`];
  const [, hash] = new RegExp(`${algorithm}=([^,\\s]+)`).exec(String(headers['x-goog-hash'] ?? '')) ?? [];
  const told = header === undefined ? hash : String(header);
  const name = { sha256: 'SHA-256', crc32c: 'CRC32C', md5: 'MD5' }[algorithm];
  if (told !== undefined) return { digest: told, name, told };
  const etag = String(headers.etag ?? '');
  const [, hex] = /^"?([\da-f]{32})"?$/i.exec(etag) ?? [];
  const isDigest =
    algorithm === 'md5' &&
    hex !== undefined &&
    !String(headers['x-amz-server-side-encryption'] ?? '').startsWith('aws:kms') &&
    headers['x-amz-server-side-encryption-customer-algorithm'] === undefined;
  return isDigest ? { digest: Buffer.from(hex, 'hex').toString('base64'), name: 'ETag', told: etag } : null;
}
