import { cutText, isoTime, ServiceError } from '@darkroom-service/contract';
import {
  type Act,
  actorOf,
  type Kernel,
  type Session,
  type Transaction,
  type Vault,
} from '@darkroom-service/darkroom/kernel';
import type { Selectable } from 'kysely';
import type { DestinationsTable } from './destination-tables.ts';
import type { DestinationView } from './destination-wire.ts';
import { storedFor, targetOf } from './stored-delivery.ts';

export type DestinationRow = Selectable<DestinationsTable>;
type Owner = Pick<DestinationRow, 'account_id' | 'name'>;
type Settings = Pick<DestinationRow, 'bucket' | 'endpoint' | 'region' | 'path'>;

const MOST_DESTINATIONS = 20;

/** Returns the subject for which an access key is sealed: it opens for no other account or destination. */
export function subjectOf({ account_id, name }: Owner): string {
  return JSON.stringify(['destination', account_id, name]);
}

/** Sets a destination, and whether it is the default. @throws ServiceError `invalid_request` */
export async function setDestination(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  owner: Owner,
  wanted: {
    readonly settings: Settings;
    readonly access: readonly [id: string, secret: string];
    readonly isDefault: boolean;
  },
  vault: Vault,
): Promise<void> {
  const { settings, access, isDefault } = wanted;
  const values = {
    ...settings,
    sealed: vault.seal(JSON.stringify(access), subjectOf(owner)),
    last_four: access[0].slice(-4),
    set_by: actorOf(by).id,
    set_at: by.now,
  };
  await store.write('set_destination', async (trx) => {
    await trx.lock(`destinations:${owner.account_id}`);
    const others = (await listRows(trx, owner.account_id)).filter(({ name }) => name !== owner.name);
    if (others.length >= MOST_DESTINATIONS)
      throw new ServiceError(
        'invalid_request',
        `The account has ${others.length} destinations, the most there may be. Remove one first.`,
        { param: 'name' },
      );
    await trx.run(
      trx.builder
        .insertInto('destinations')
        .values({ ...owner, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet(values)),
    );
    await setDefault(trx, owner, isDefault ? storedFor({ destination: owner.name, path: settings.path }) : null);
    const { bucket } = settings;
    await accounts.record(trx, by, {
      act: 'destination.set',
      target: owner.account_id,
      detail: { name: owner.name, bucket, last_four: values.last_four, default: isDefault },
    });
  });
}

/** Removes a destination. @throws ServiceError `not_found` */
export async function removeDestination(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  owner: Owner,
): Promise<void> {
  await store.write('remove_destination', async (trx) => {
    await trx.lock(`destinations:${owner.account_id}`);
    const removed = await trx.run(
      trx.builder.deleteFrom('destinations').where('account_id', '=', owner.account_id).where('name', '=', owner.name),
    );
    if (removed === 0) throw unknownDestination(owner.name);
    await setDefault(trx, owner, null);
    const { account_id: target, name } = owner;
    await accounts.record(trx, by, { act: 'destination.remove', target, detail: { name } });
  });
}

/** @param stored null = it is not the default; another one may be */
async function setDefault(trx: Transaction, { account_id, name }: Owner, stored: string | null): Promise<void> {
  if (stored === null && (await defaultOf(trx, account_id)) !== name) return;
  await trx.run(trx.builder.updateTable('accounts').set({ deliver_json: stored }).where('id', '=', account_id));
}

/** Returns the name of the account's default destination. */
async function defaultOf(session: Session | Transaction, accountId: string): Promise<string | null> {
  const account = await session.first(
    session.builder.selectFrom('accounts').select('deliver_json').where('id', '=', accountId),
  );
  const target = targetOf(account?.deliver_json ?? null);
  return target !== null && 'destination' in target ? target.destination : null;
}

async function listRows(session: Session | Transaction, accountId: string): Promise<DestinationRow[]> {
  return await session.all(
    session.builder.selectFrom('destinations').selectAll().where('account_id', '=', accountId).orderBy('name'),
  );
}

export async function listDestinations(session: Session, accountId: string): Promise<DestinationView[]> {
  const byDefault = await defaultOf(session, accountId);
  return (await listRows(session, accountId)).map(({ name, bucket, endpoint, region, path, ...row }) => ({
    name,
    bucket,
    endpoint,
    region,
    path,
    last_four: row.last_four,
    default: name === byDefault,
    set_by: row.set_by,
    set_at: isoTime(row.set_at),
  }));
}

/** Reads a destination. @throws ServiceError `not_found` */
export async function viewDestination(session: Session, { account_id, name }: Owner): Promise<DestinationView> {
  const found = (await listDestinations(session, account_id)).find((destination) => destination.name === name);
  if (found === undefined) throw unknownDestination(name);
  return found;
}

export async function findDestination(session: Session, { account_id, name }: Owner): Promise<DestinationRow | null> {
  const query = session.builder.selectFrom('destinations').selectAll().where('account_id', '=', account_id);
  return (await session.first(query.where('name', '=', name))) ?? null;
}

function unknownDestination(name: string): ServiceError {
  return new ServiceError('not_found', `The account has no destination '${cutText(name, 40)}'.`, { param: 'name' });
}
