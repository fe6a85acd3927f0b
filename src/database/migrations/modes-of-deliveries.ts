import type { Migration } from '@darkroom-service/store';

/** Stores the mode of each delivery, so that an index finds those of a mode or of a key that failed, or none. */
export const modesOfDeliveries: Migration = {
  version: 85,
  name: 'modes-of-deliveries',
  statements: () => [
    "alter table webhook_deliveries add column mode text not null default 'live'",
    "update webhook_deliveries set mode = 'test' where api_key_id in (select id from api_keys where mode = 'test')",
    ...['by_account', 'failed', 'failed_of'].map((index) => `drop index if exists webhook_deliveries_${index}`),
    'create index webhook_deliveries_by_account on webhook_deliveries (account_id, mode, id)',
    'create index webhook_deliveries_by_mode on webhook_deliveries (mode, id)',
    ...[
      ['failed', 'mode, id'],
      ['failed_of', 'account_id, mode, id'],
      ['failed_by_key', 'api_key_id, id'],
    ].map(
      ([name, columns]) =>
        `create index webhook_deliveries_${name} on webhook_deliveries (status, ${columns}) where status = 'failed'`,
    ),
  ],
};
