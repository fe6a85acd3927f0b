import type { Random } from '../chaos/random.ts';
import type { TestService } from '../helpers/service.ts';

/** One API key and all that was made with it. */
export interface Holder {
  readonly name: string;
  readonly mode: 'live' | 'test' | 'admin';
  readonly secret: string;
  /** Stands in everything that it sends; nobody else may ever be answered it. */
  readonly mark: string;
  readonly tasks: { readonly id: string; readonly type: 'image' | 'video' }[];
  readonly files: string[];
  /** Creates that may be repeated: the same must be answered with the same task. */
  readonly repeatable: {
    readonly path: string;
    readonly body: string;
    readonly key: string;
    readonly taskId: string;
  }[];
}

const REMEMBERED = 200;

/** Keys of two accounts, two of one account among them, and the operator's. */
export async function openHolders(service: TestService): Promise<readonly Holder[]> {
  const [one, other] = [await service.createAccount(1_000_000_000), await service.createAccount(2_000_000)];
  const holder = async (name: string, mode: Holder['mode'], accountId?: string): Promise<Holder> => {
    const unlimited = { readsPerMinute: 0, createsPerMinute: 0 };
    const { key } = await service.issueKey({ mode, ...unlimited, ...(accountId === undefined ? {} : { accountId }) });
    return { name, mode, secret: key, mark: `mark-of:${name}:`, tasks: [], files: [], repeatable: [] };
  };
  return [
    await holder('one-live', 'live', one),
    await holder('one-live-again', 'live', one),
    await holder('one-test', 'test', one),
    await holder('other-live', 'live', other),
    await holder('other-test', 'test', other),
    await holder('operator', 'admin'),
  ];
}

/** An id of the holder's own; now and then somebody else's, or none at all. */
export function anyTask(holder: Holder, holders: readonly Holder[], random: Random): string {
  const owner = random.chance(0.85) ? holder : random.pick(holders);
  return owner.tasks.length === 0 || random.chance(0.05)
    ? 'img_00000000000000000000000000'
    : random.pick(owner.tasks).id;
}

export function anyFile(holder: Holder, holders: readonly Holder[], random: Random): string {
  const owner = random.chance(0.85) ? holder : random.pick(holders);
  return owner.files.length === 0 ? 'file_00000000000000000000000000' : random.pick(owner.files);
}

/** Keeps a list of ids short, the newest in it. */
export function remember<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > REMEMBERED) list.shift();
}
