import type { DataOf } from '../../api/operations.ts';

export type KeyRow = DataOf<'GET /admin/v1/keys'>['items'][number];

/** Default settings of a new key. */
export const NEW_KEY = {
  mode: 'test',
  account_id: 'default',
  timezone: 'UTC',
  rpm: 0,
  read_rpm: 3_000,
  concurrency: 0,
  queue: 10_000,
};

/** Grace periods of a rotation, in seconds, during which the old secret still works. */
export const GRACES = [
  { value: '0', label: 'No time: stop it now' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
];
export const A_DAY = '86400';
