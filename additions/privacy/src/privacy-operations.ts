import type { Operation } from '@darkroom-service/darkroom/kernel-http';

const CHANGE = ['not_found', 'idempotency_key_reused'] as const;
const examples = {
  end_user: { summary: 'One end user', value: { account_id: 'acme', end_user: 'ada' } },
  account: { summary: 'A whole account', value: { account_id: 'acme' } },
};

export const PRIVACY_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /admin/v1/exports': {
    roles: 'export_and_erase',
    id: 'adminExportData',
    summary: "Export people's data",
    description:
      'Begins an export of what is stored until now of an account, or of one end user of all its keys. Its archives can be downloaded for 7 days.',
    errors: CHANGE,
    examples,
  },
  'GET /admin/v1/exports/{export_id}/archive': {
    roles: 'export_and_erase',
    id: 'adminDownloadExport',
    summary: 'Download an export',
    description:
      'A ZIP archive with up to 100 orders, their inputs and outputs, and the ledger; the first also has keys, uploads and the request log. The header `darkroom-next` has the `after` of the next archive; without it this is the last. A download that broke off is requested again.',
    errors: ['not_found'],
  },
  'POST /admin/v1/erasures': {
    roles: 'export_and_erase',
    id: 'adminEraseData',
    summary: "Erase people's data",
    description:
      'Erases what is stored until now of one end user of all keys of an account, or of the account, whose keys are then revoked. Open orders are canceled, or erased when they have ended. Ledger, charges and sums stay. It cannot be undone.',
    errors: CHANGE,
    examples,
  },
  'POST /admin/v1/erasures/repeat': {
    roles: 'export_and_erase',
    id: 'adminRepeatErasures',
    summary: 'Repeat an erasure after a restore',
    description:
      'Erases again what an older database has, by a line of the list that `darkroom privacy erasures` printed. An erasure that the database knows is not entered again.',
    errors: ['idempotency_key_reused'],
  },
  'GET /admin/v1/erasures': {
    roles: 'observe',
    id: 'adminListErasures',
    summary: 'List erasures',
    description: 'Newest first. They stay as the list of what to erase again after a restore.',
  },
  'GET /admin/v1/erasures/{erasure_id}': {
    roles: 'observe',
    id: 'adminGetErasure',
    summary: 'Get an erasure',
    description: 'How far it is.',
    errors: ['not_found'],
  },
};
