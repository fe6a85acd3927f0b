import { adminSchema, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { Static } from 'typebox';
import { findChoice, setChoice } from './account-provenance.ts';
import { MARK_SETTINGS } from './provenance-settings.ts';
import { AccountProvenance, type AccountProvenanceView, NewAccountProvenance } from './provenance-wire.ts';

type OneAccount = { Params: { account_id: string } };

/** Serves the setting that says how the outputs of each account are marked. */
export function provenanceRoutes(admin: App, { http, settings, store }: ServingKernel): void {
  const provenance = settings.of(MARK_SETTINGS);
  const path = '/admin/v1/accounts/:account_id/provenance';
  const schema = adminSchema(AccountProvenance);
  const view = (choice: AccountProvenanceView) => success({ ...choice, can_sign: provenance.certificate !== null });
  admin.get<OneAccount>(path, { schema }, async (request) =>
    view(await findChoice(store.read, request.params.account_id)),
  );
  admin.put<OneAccount & { Body: Static<typeof NewAccountProvenance> }>(
    path,
    { schema: { ...schema, body: NewAccountProvenance } },
    async (request) => {
      const { setting, prompt: writesPrompt } = request.body;
      const choice = { setting, writesPrompt };
      const { account_id: accountId } = request.params;
      return view(await setChoice({ store, provenance }, http.by(request), accountId, choice));
    },
  );
}
