import { errorFromFaults, type Fault, idPattern, TASK_STATUSES } from '@darkroom-service/contract';
import { closedObject, Instant } from '@darkroom-service/contract/parts';
import { DEFAULT_LIMIT, Limit, readTime, readWordList, wordList } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { TaskListQuery } from '../../views/list-tasks.ts';
import type { FindTasks, TaskListAddition } from '../http-options.ts';

const MAX_OFFSET = 10_000;
const filters = {
  limit: Limit,
  status: Type.Optional(wordList(TASK_STATUSES)),
  model_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  end_user: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  parent_task_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  batch_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'the tasks of this batch' })),
  created_after: Type.Optional(Instant('ISO 8601, such as 2026-11-20T00:00:00Z')),
  created_before: Type.Optional(Instant('ISO 8601, such as 2026-11-21T00:00:00Z')),
};

const afterOf = (prefix: 'img' | 'vid') =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: `^${idPattern(prefix)}$`,
      description: 'a task_id: the tasks that follow it in the list, older ones',
    }),
  );

export const ImageListQuery = closedObject({
  ...filters,
  after: afterOf('img'),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'entries to skip, at most 10000' })),
});
export const VideoListQuery = closedObject({
  ...filters,
  after: afterOf('vid'),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'from 1' })),
});
type Sent = Static<typeof ImageListQuery> & Static<typeof VideoListQuery>;

/** Position of a page, as the answer repeats it: by offset (images), by page (videos), or after a task. */
type PagePosition = { readonly offset: number } | { readonly page: number } | { readonly after: string };

/**
 * Reads the filters of a list of tasks, and the function that finds them; `find` is null if the list itself does.
 * @throws ServiceError with every fault that the schema cannot see
 */
export function readTaskQuery(
  sent: Sent,
  type: 'image' | 'video',
  added: readonly TaskListAddition[],
): {
  readonly query: Omit<TaskListQuery, 'source'>;
  readonly find: FindTasks | null;
  readonly position: PagePosition;
} {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => {
    faults.push({ param, code: 'invalid_request', message });
    return null;
  };
  const limit = sent.limit ?? DEFAULT_LIMIT;
  const offset = type === 'image' ? (sent.offset ?? 0) : ((sent.page ?? 1) - 1) * limit;
  const pager = type === 'image' ? 'offset' : 'page';
  if (offset > MAX_OFFSET) {
    fault(
      pager,
      `'${pager}' reaches at most ${MAX_OFFSET} tasks back. For older tasks, send 'after' with the last task_id of the previous page.`,
    );
  }
  if (sent.after !== undefined && sent[pager] !== undefined) {
    fault(pager, `'${pager}' and 'after' cannot be combined. Send only one of them.`);
  }
  const found = added.map(({ find }) => find?.(sent, pager, fault) ?? null);
  const query = {
    limit,
    offset: sent.after === undefined ? offset : 0,
    after: sent.after ?? null,
    status: readWordList(sent.status),
    modelId: sent.model_id ?? null,
    endUser: sent.end_user ?? null,
    parentTaskId: sent.parent_task_id ?? null,
    batchId: sent.batch_id ?? null,
    createdAfter: readTime(sent.created_after, 'created_after', fault),
    createdBefore: readTime(sent.created_before, 'created_before', fault),
  };
  if (faults.length > 0) throw errorFromFaults(faults);
  const position =
    sent.after !== undefined ? { after: sent.after } : type === 'image' ? { offset } : { page: sent.page ?? 1 };
  return { query, find: found.find((find) => find !== null) ?? null, position };
}
