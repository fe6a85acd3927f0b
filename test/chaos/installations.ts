import { freePort } from '@darkroom-service/engines/fakes/parts';
import { startS3Server } from '@darkroom-service/testing';
import { findHaproxy, openHaproxy } from '../helpers/haproxy.ts';
import { openPremises, type Premises, type PremisesOptions, type Setting, storageUrlOf } from './premises.ts';
import { createRandom } from './random.ts';

/** The installations that customers order from: one, or several cells behind one proxy. */
export interface Installations {
  readonly all: readonly Premises[];
  /** Customers use any of these addresses. */
  readonly urls: readonly string[];
  /** Answers that say that a customer must come again: of the service, or of the proxy while a process is away. */
  readonly passing: readonly number[];
  close(): Promise<void>;
}

export type InstallationsOptions = Omit<PremisesOptions, 'setting' | 'cell'> & {
  readonly setting: Setting | 'cells';
  readonly seed: number;
};

/** Those of `deploy/cells/haproxy.cfg`. */
const CELLS = ['eu1', 'us1'];
const PASSING = [429, 503];
const PASSING_OF_PROXY = [...PASSING, 502];

export async function openInstallations({ setting, seed, ...options }: InstallationsOptions): Promise<Installations> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    if (setting === 'cells') return { ...(await openCells(options, seed, closers)), passing: PASSING_OF_PROXY, close };
    const premises = await openPremises({ ...options, setting });
    closers.push(() => premises.close());
    return { all: [premises], urls: urlsOf(premises), passing: PASSING, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openCells(
  options: Omit<InstallationsOptions, 'setting' | 'seed'>,
  seed: number,
  closers: (() => Promise<unknown>)[],
): Promise<Pick<Installations, 'all' | 'urls'>> {
  const t = { after: (close: () => Promise<unknown>) => void closers.push(close) };
  const haproxy = await findHaproxy(t);
  if (haproxy === null) throw new Error('--cells needs haproxy, which the Debian package of that name contains.');
  const s3 = await startS3Server();
  closers.push(() => s3.close());
  const bucket = await s3.makeBucket();
  const port = await freePort();
  const all: Premises[] = [];
  const withStandby = createRandom(seed, 'standby').pick(CELLS);
  for (const name of CELLS) {
    const cell = {
      name,
      publicUrl: `http://127.0.0.1:${port}`,
      storageUrl: storageUrlOf(s3, bucket, name),
      hasStandby: name === withStandby,
    };
    const premises = await openPremises({ ...options, setting: 'shared', cell });
    closers.push(() => premises.close());
    all.push(premises);
  }
  const [eu1 = [], us1 = []] = all.map((premises) => urlsOf(premises).map((url) => Number(new URL(url).port)));
  const proxy = await openHaproxy(t, haproxy, [eu1, us1], port);
  return { all, urls: [proxy.url] };
}

/** Returns the addresses of the processes that answer requests. */
export function urlsOf({ fleet }: Premises): string[] {
  return fleet.members.flatMap(({ url }) => (url === null ? [] : [url]));
}
