import type { TaskView as Task } from '@darkroom-service/contract/task';
import type { CatalogModel } from '../../api/model.ts';
import type { Ordering } from './order/use-ordering.ts';

export interface StageProps {
  readonly task: Task;
  readonly models: readonly CatalogModel[];
  readonly ordering: Ordering;
}
