import type { OutputDeliveryView } from '@darkroom-service/contract';
import { SealFault, type Session, type Vault } from '@darkroom-service/darkroom/kernel';
import { type SignedUpload, signUpload } from '@darkroom-service/files';
import { findDestination, subjectOf } from './destinations.ts';
import { DeliveryFault } from './put-file.ts';
import { parseSealedTarget, subjectOfUrls } from './read-target.ts';
import type { Target } from './stored-delivery.ts';

/** An address to which a file can be put until a time. */
interface OpenedTarget extends SignedUpload {
  readonly until: number;
}

/** Opens the address for a delivery's next attempt. @throws DeliveryFault */
export async function openTarget(
  { read, vault }: { readonly read: Session; readonly vault: Vault | null },
  accountId: string,
  to: Target,
  { delivery, sha256 }: { readonly delivery: OutputDeliveryView; readonly sha256: string },
): Promise<OpenedTarget> {
  if ('urls' in to) {
    const { urls, headers } = parseSealedTarget(open(vault, to.sealed, subjectOfUrls(accountId)));
    const url = urls[delivery.output - 1] ?? '';
    return { url, headers: { ...vendorHeaders(url), ...headers }, until: endOf(url) };
  }
  const found = await findDestination(read, { account_id: accountId, name: to.destination });
  if (found === null) throw new DeliveryFault(`The account has no destination '${to.destination}'.`);
  const [accessKeyId = '', secretAccessKey = ''] = JSON.parse(open(vault, found.sealed, subjectOf(found))) as string[];
  const { endpoint, region, bucket } = found;
  const credentials = { accessKeyId, secretAccessKey };
  const signed = await signUpload({ bucket, endpoint, region, credentials, key: delivery.key ?? '', sha256 });
  return { ...signed, until: Number.POSITIVE_INFINITY };
}

function open(vault: Vault | null, sealed: string, subject: string): string {
  try {
    if (vault !== null) return vault.open(sealed, subject);
  } catch (error) {
    if (!(error instanceof SealFault)) throw error;
  }
  throw new DeliveryFault("The service cannot open the credentials: the operator's key has changed. Send them again.");
}

/** Returns the headers that every upload to the vendor of a presigned URL needs. */
function vendorHeaders(url: string): Record<string, string> {
  return isAzure(new URL(url).searchParams) ? { 'x-ms-blob-type': 'BlockBlob' } : {};
}

/** Tells whether a URL has a shared access signature of Azure. */
function isAzure(query: URLSearchParams): boolean {
  return query.has('sv') && query.has('sig');
}

/**
 * Returns the end of a presigned URL of Amazon, Azure, Google or a compatible server; infinite if the URL names none.
 */
function endOf(url: string): number {
  const { searchParams } = new URL(url);
  const query = new Map([...searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const endOfAzure = isAzure(searchParams) ? Date.parse(query.get('se') ?? '') : Number.NaN;
  if (!Number.isNaN(endOfAzure)) return endOfAzure;
  const vendor = query.has('x-goog-expires') ? 'x-goog' : 'x-amz';
  const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(query.get(`${vendor}-date`) ?? '') ?? [];
  const from = Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
  const end = Number.isNaN(from)
    ? Number(query.get('expires') ?? Number.NaN) * 1000
    : from + Number(query.get(`${vendor}-expires`)) * 1000;
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
}
