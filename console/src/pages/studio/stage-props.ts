import type { CatalogModel } from '../../api/model.ts';
import type { Task } from '../../api/types.ts';
import type { Ordering } from './use-ordering.ts';

export interface StageProps {
  readonly task: Task;
  readonly models: readonly CatalogModel[];
  readonly ordering: Ordering;
}
