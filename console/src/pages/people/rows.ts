import type { DataOf } from '../../api/operations.ts';

export type AccountRow = DataOf<'GET /admin/v1/accounts'>['items'][number];

export type KeyRow = DataOf<'GET /admin/v1/keys'>['items'][number];
