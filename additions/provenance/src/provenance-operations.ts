import type { Operation } from '@darkroom-service/darkroom/kernel-http';

export const PROVENANCE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /admin/v1/accounts/{account_id}/provenance': {
    roles: 'observe',
    id: 'adminGetAccountProvenance',
    summary: "Get how an account's outputs are marked",
    description: 'Whether the files of its outputs say that a machine made them.',
    errors: ['not_found'],
  },
  'PUT /admin/v1/accounts/{account_id}/provenance': {
    roles: 'manage_accounts',
    id: 'adminSetAccountProvenance',
    summary: "Set how an account's outputs are marked",
    description: 'It applies within a few seconds, to outputs that are stored from then on.',
    errors: ['not_found'],
    examples: {
      metadata: { summary: 'Metadata with the prompt', value: { setting: 'metadata', prompt: true } },
      default: { summary: "The service's own setting", value: { setting: null, prompt: false } },
    },
  },
};
