import type { TaskView } from '@darkroom-service/contract';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { isOwn } from '../../accounts/scope.ts';
import type { StoredOutput } from '../../record/task.ts';
import type { ViewRow } from '../../record/task-columns.ts';
import { engineOf, outputsOf } from '../../record/task-json.ts';
import { type OfferingTask, offerTerms } from '../../views/action-offers.ts';
import { type FindServices, findRevision } from '../../views/find-tasks.ts';
import { type FinalAnswer, finalAnswer } from './answer-task.ts';

/** Answers with final tasks, kept as text while the tasks and all else in the answers stay the same. */
export interface FinalAnswers {
  /** Returns the answer that shows a task; null if none is kept, or the kept one is out of date. */
  find(services: FindServices, key: OrderingKey, type: ViewRow['type'], taskId: string): Promise<FinalAnswer | null>;
  /** Makes the answer that shows a final task, and keeps it if there is room. */
  keep(services: FindServices, key: OrderingKey, row: ViewRow, task: TaskView): FinalAnswer;
}

/** Parts of an answer that do not come from the row of its task. */
interface Shown {
  readonly publicUrl: string;
  readonly events: string | null;
  /** The signed address of the first output. */
  readonly url: string | null;
  readonly offers: string | null;
}

interface Kept extends Pick<ViewRow, 'type' | 'scope' | 'revision'> {
  readonly keyId: string;
  readonly outputKey: string | null;
  readonly offering: OfferingTask | null;
  readonly shown: Shown;
  readonly answer: FinalAnswer;
  readonly bytes: number;
}

const KEPT_BYTES = 4_194_304;
/** Maximum length of a kept answer: a longer one would take the place of many. */
const LONGEST_BYTES = KEPT_BYTES / 256;
/** Size of an entry without its text. */
const ENTRY_BYTES = 1_024;

/** Creates the memory of one process. @param mostBytes maximum size of all its entries */
export function createFinalAnswers(mostBytes = KEPT_BYTES): FinalAnswers {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function forget(taskId: string, { bytes: freed }: Kept): void {
    kept.delete(taskId);
    bytes -= freed;
  }

  return {
    async find(services, key, type, taskId) {
      const known = kept.get(taskId);
      if (known === undefined || known.type !== type || known.keyId !== key.id || !isOwn(key, known)) return null;
      if ((await findRevision(services.database.read, key, taskId)) !== known.revision) {
        if (kept.get(taskId) === known) forget(taskId, known);
        return null;
      }
      return isSame(known.shown, shownNow(services, key, taskId, known)) ? known.answer : null;
    },
    keep(services, key, row, task) {
      const answer = finalAnswer(task);
      const before = kept.get(row.id);
      if (before !== undefined) forget(row.id, before);
      const size = ENTRY_BYTES + 2 * answer.around.head.length;
      // Groups and awaited orders are in other tables, and the content of erased tasks may be cleaned later.
      const isElsewhere = row.line === 1 || row.gates !== 0;
      if (isElsewhere || row.erased_at !== null || row.deleted_at !== null || size > LONGEST_BYTES) return answer;
      const [output] = outputsOf(row);
      const { type, scope, revision } = row;
      const offering = offeringOf(row, output);
      const shown = {
        publicUrl: services.settings.publicUrl,
        events: task.urls.events ?? null,
        url: task.outputs[0]?.url ?? null,
        offers: offering === null ? null : offerTerms(services, key, offering),
      };
      const outputKey = output?.key ?? null;
      kept.set(row.id, { type, scope, revision, keyId: key.id, outputKey, offering, shown, answer, bytes: size });
      bytes += size;
      for (const [oldest, entry] of kept) {
        if (bytes <= mostBytes) break;
        forget(oldest, entry);
      }
      return answer;
    },
  };
}

function offeringOf(row: ViewRow, output: StoredOutput | undefined): OfferingTask | null {
  if (row.status !== 'succeeded' || output === undefined) return null;
  const { type, model_id } = row;
  return { type, model_id, engine: engineOf(row), output: output.isKept === undefined ? {} : { isKept: true } };
}

function shownNow(
  services: FindServices,
  key: OrderingKey,
  taskId: string,
  { type, outputKey, offering }: Pick<Kept, 'type' | 'outputKey' | 'offering'>,
): Shown {
  const { settings, signer } = services;
  return {
    publicUrl: settings.publicUrl,
    events: settings.showsEvents ? signer.signEvents(type, taskId) : null,
    url: outputKey === null ? null : signer.sign(outputKey).url,
    offers: offering === null ? null : offerTerms(services, key, offering),
  };
}

function isSame(one: Shown, other: Shown): boolean {
  return (
    one.publicUrl === other.publicUrl &&
    one.events === other.events &&
    one.url === other.url &&
    one.offers === other.offers
  );
}
