import { adminSchema, success } from '@darkroom-service/contract/schemas';
import { type App, actOf, type HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import type { Static } from 'typebox';
import { findChoice, setChoice } from './account-provenance.ts';
import type { ProvenanceConfig } from './provenance-settings.ts';
import { AccountProvenance, type AccountProvenanceView, NewAccountProvenance } from './provenance-wire.ts';

type OneAccount = { Params: { account_id: string } };

/** Serves the setting that says how the outputs of each account are marked. */
export function provenanceRoutes(provenance: ProvenanceConfig) {
  return (admin: App, options: HttpOptions): void => {
    const { database } = options.services;
    const path = '/admin/v1/accounts/:account_id/provenance';
    const schema = adminSchema(AccountProvenance);
    const view = (choice: AccountProvenanceView) => success({ ...choice, can_sign: provenance.certificate !== null });
    admin.get<OneAccount>(path, { schema }, async (request) =>
      view(await findChoice(database.read, request.params.account_id)),
    );
    admin.put<OneAccount & { Body: Static<typeof NewAccountProvenance> }>(
      path,
      { schema: { ...schema, body: NewAccountProvenance } },
      async (request) => {
        const { setting, prompt: writesPrompt } = request.body;
        const choice = { setting, writesPrompt };
        const { account_id: accountId } = request.params;
        return view(await setChoice({ database, provenance }, actOf(request, options), accountId, choice));
      },
    );
  };
}
