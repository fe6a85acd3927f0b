import type { DataOf } from '../../api/operations.ts';

export type Engine = DataOf<'GET /admin/v1/engines'>['items'][number];
