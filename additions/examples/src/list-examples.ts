import { cutText, formatMicros, isoTime, ServiceError } from '@darkroom-service/contract';
import type { Schema, Session } from '@darkroom-service/darkroom/kernel';
import type { Selectable } from 'kysely';
import type { AdminModelExampleView, ModelExampleView } from './example-wire.ts';

type ExampleRow = Omit<Selectable<Schema['model_examples']>, 'picture'>;

/** Returns the examples of a model, the last marked first. */
export async function listExamples(session: Session, publicUrl: string, modelId: string): Promise<ModelExampleView[]> {
  const rows = await session.all(selectShown(session).where('model_examples.model_id', '=', modelId));
  return rows.map((row) => viewExample(publicUrl, row));
}

/** Returns the last marked example of each requested model. */
export async function lastExamples(
  session: Session,
  publicUrl: string,
  isAsked: (modelId: string) => boolean,
): Promise<ModelExampleView[]> {
  const last = withoutDeleted(session)
    .select(({ fn }) => fn.max('model_examples.id').as('id'))
    .groupBy('model_examples.model_id');
  const rows = await session.all(selectShown(session).where('model_examples.id', 'in', last));
  return rows.filter((row) => isAsked(row.model_id)).map((row) => viewExample(publicUrl, row));
}

/** Returns a page of the examples of all models, the last marked first. */
export async function pageExamples(
  session: Session,
  publicUrl: string,
  query: {
    readonly modelId: string | null;
    readonly taskId: string | null;
    readonly limit: number;
    readonly after: string | null;
  },
): Promise<{ readonly items: AdminModelExampleView[]; readonly hasMore: boolean }> {
  let select = selectShown(session).limit(query.limit + 1);
  if (query.modelId !== null) select = select.where('model_examples.model_id', '=', query.modelId);
  if (query.taskId !== null) select = select.where('task_id', '=', query.taskId);
  if (query.after !== null) select = select.where('model_examples.id', '<', query.after);
  const rows = await session.all(select);
  const items = rows.slice(0, query.limit).map((row) => viewForOperators(publicUrl, row));
  return { items, hasMore: rows.length > query.limit };
}

/** Returns a WebP. @throws ServiceError `not_found` */
export async function readPicture(session: Session, exampleId: string): Promise<Buffer> {
  const row = await session.first(withoutDeleted(session).select('picture').where('model_examples.id', '=', exampleId));
  if (row === undefined)
    throw new ServiceError('not_found', `There is no example '${cutText(exampleId, 64)}'. It may have been removed.`);
  return Buffer.from(row.picture, 'base64');
}

function viewForOperators(publicUrl: string, row: ExampleRow): AdminModelExampleView {
  return { ...viewExample(publicUrl, row), task_id: row.task_id, account_id: row.account_id };
}

function viewExample(publicUrl: string, row: ExampleRow): ModelExampleView {
  const { id, model_id, type, prompt, width, height } = row;
  return {
    example_id: id,
    model_id,
    type,
    prompt,
    amount: formatMicros(row.amount),
    currency: 'USD',
    picture_url: `${publicUrl}/examples/${id}`,
    width,
    height,
    ordered_at: isoTime(row.ordered_at),
  };
}

function selectShown(session: Session) {
  return withoutDeleted(session)
    .select(['model_examples.id', 'model_examples.model_id', 'task_id', 'model_examples.account_id'])
    .select(['model_examples.type', 'prompt', 'amount', 'width', 'height', 'ordered_at'])
    .orderBy('model_examples.id', 'desc');
}

/** Omits orders whose deletion can still be reverted. An order that was removed by age has no row. */
function withoutDeleted({ builder }: Session) {
  return builder
    .selectFrom('model_examples')
    .leftJoin('tasks', 'tasks.id', 'model_examples.task_id')
    .where('tasks.deleted_at', 'is', null);
}
