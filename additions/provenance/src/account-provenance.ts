import { ServiceError } from '@darkroom-service/contract';
import { type Act, recordChange, type Session, type Store } from '@darkroom-service/darkroom/kernel';
import type { ProvenanceConfig, ProvenanceSetting } from './provenance-settings.ts';
import type { AccountProvenanceView } from './provenance-wire.ts';

export interface AccountChoice {
  /** Account's own choice; null = the service's setting. */
  readonly setting: ProvenanceSetting | null;
  readonly writesPrompt: boolean;
}

/** Reads the choices of all accounts that made one. */
export async function readChoices(session: Session): Promise<ReadonlyMap<string, AccountChoice>> {
  const rows = await session.all(session.builder.selectFrom('account_provenance').selectAll());
  return new Map(rows.map((row) => [row.account_id, { setting: row.setting, writesPrompt: row.writes_prompt === 1 }]));
}

/** Reads an account's choice of provenance marks. @throws ServiceError `not_found` */
export async function findChoice(session: Session, accountId: string): Promise<AccountProvenanceView> {
  const row = await session.first(
    session.builder
      .selectFrom('accounts')
      .leftJoin('account_provenance', 'account_provenance.account_id', 'accounts.id')
      .select(['accounts.id', 'setting', 'writes_prompt'])
      .where('accounts.id', '=', accountId),
  );
  if (row === undefined)
    throw new ServiceError('not_found', `There is no account '${accountId}'.`, { param: 'account_id' });
  return { account_id: row.id, setting: row.setting, prompt: row.writes_prompt === 1 };
}

/**
 * Sets an account's choice of provenance marks.
 * @throws ServiceError `not_found`, `invalid_request` if nothing can be signed
 */
export async function setChoice(
  { store, provenance }: { readonly store: Pick<Store, 'write'>; readonly provenance: ProvenanceConfig },
  by: Act,
  accountId: string,
  { setting, writesPrompt }: AccountChoice,
): Promise<AccountProvenanceView> {
  if (setting === 'c2pa' && provenance.certificate === null)
    throw new ServiceError(
      'invalid_request',
      "'c2pa' needs DARKROOM_PROVENANCE_CERTIFICATE and DARKROOM_PROVENANCE_KEY, which are not set.",
      { param: 'setting' },
    );
  return await store.write('set_account_provenance', async (trx) => {
    const { account_id, ...before } = await findChoice(trx, accountId);
    const values = { setting, writes_prompt: writesPrompt ? 1 : 0 };
    await trx.run(
      trx.builder
        .insertInto('account_provenance')
        .values({ account_id, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values)),
    );
    const after = { setting, prompt: writesPrompt };
    await recordChange(trx, by, { act: 'account.provenance', target: accountId, before, after });
    return { account_id, ...after };
  });
}
