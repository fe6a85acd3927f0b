import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { OutputDeliveryView } from '@darkroom-service/contract/delivery';
import { SealFault, type Vault } from '../../base/vault.ts';
import type { Session } from '../../database/database.ts';
import { createS3Client } from '../../storage/s3-client.ts';
import { findDestination, subjectOf } from './destinations.ts';
import { DeliveryFault } from './put-file.ts';
import { subjectOfUrls } from './read-target.ts';
import type { Target } from './stored-delivery.ts';

/** An address that a file can be put to until a time. */
interface OpenedTarget {
  readonly url: string;
  /** That the address was signed with. */
  readonly headers: Readonly<Record<string, string>>;
  readonly until: number;
}

const SIGNED_FOR_SECONDS = 3_600;
const CHECKSUM = 'x-amz-checksum-sha256';

/** Opens the address for a delivery's next attempt. @throws DeliveryFault */
export async function openTarget(
  { read, vault }: { readonly read: Session; readonly vault: Vault | null },
  accountId: string,
  to: Target,
  { delivery, sha256 }: { readonly delivery: OutputDeliveryView; readonly sha256: string },
): Promise<OpenedTarget> {
  if ('urls' in to) {
    const urls = JSON.parse(open(vault, to.sealed, subjectOfUrls(accountId))) as string[];
    const url = urls[delivery.output - 1] ?? '';
    return { url, headers: {}, until: endOf(url) };
  }
  const found = await findDestination(read, { account_id: accountId, name: to.destination });
  if (found === null) throw new DeliveryFault(`The account has no destination '${to.destination}'.`);
  const [accessKeyId = '', secretAccessKey = ''] = JSON.parse(open(vault, found.sealed, subjectOf(found))) as string[];
  const { endpoint, region, bucket } = found;
  const client = createS3Client({ region, pathStyle: endpoint !== null }, endpoint, {
    credentials: { accessKeyId, secretAccessKey },
  });
  // The bucket refuses other bytes, and repeats the digest of those that it has.
  const checksum = Buffer.from(sha256, 'hex').toString('base64');
  const headers = { [CHECKSUM]: checksum };
  const command = new PutObjectCommand({ Bucket: bucket, Key: delivery.key ?? '', ChecksumSHA256: checksum });
  const options = { expiresIn: SIGNED_FOR_SECONDS, unhoistableHeaders: new Set([CHECKSUM]) };
  const url = await getSignedUrl(client, command, options);
  client.destroy();
  return { url, headers, until: Number.POSITIVE_INFINITY };
}

function open(vault: Vault | null, sealed: string, subject: string): string {
  try {
    if (vault !== null) return vault.open(sealed, subject);
  } catch (error) {
    if (!(error instanceof SealFault)) throw error;
  }
  throw new DeliveryFault("The service cannot open the credentials: the operator's key has changed. Send them again.");
}

/** When a presigned URL of Amazon, Google or a compatible server ends; infinite where it does not say so. */
function endOf(url: string): number {
  const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const vendor = query.has('x-goog-expires') ? 'x-goog' : 'x-amz';
  const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(query.get(`${vendor}-date`) ?? '') ?? [];
  const from = Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
  const end = Number.isNaN(from)
    ? Number(query.get('expires') ?? Number.NaN) * 1000
    : from + Number(query.get(`${vendor}-expires`)) * 1000;
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
}
