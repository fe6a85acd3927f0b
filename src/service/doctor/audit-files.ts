import type { Storage } from '@darkroom-service/media';
import type { Session } from '../../database/database.ts';
import type { AuditReport } from '../check.ts';

const SLICE = 200;
const AT_ONCE = 8;
const STORED = /"(tasks\/[^"]+)"/g;

/**
 * Checks whether the files of finished tasks are in storage, newest tasks first. Counts files.
 * @param most maximum number of tasks of each type to check
 */
export async function auditFiles(session: Session, storage: Storage, most: number): Promise<AuditReport> {
  const faults: string[] = [];
  let looked = 0;
  for (const prefix of ['img', 'vid']) {
    for (let before = `${prefix}_~`, seen = 0; seen < most; ) {
      const limit = Math.min(SLICE, most - seen);
      const tasks = await session.all(
        session.builder
          .selectFrom('tasks')
          .select(['id', 'outputs_json'])
          .where('id', '<', before)
          .where('id', '>', `${prefix}_`)
          .where('status', '=', 'succeeded')
          .where('erased_at', 'is', null)
          .orderBy('id', 'desc')
          .limit(limit),
      );
      const named = tasks.flatMap(({ id, outputs_json: outputs }) =>
        [...outputs.matchAll(STORED)].map(([, key = '']) => ({ id, key })),
      );
      for (let at = 0; at < named.length; at += AT_ONCE) {
        const found = await Promise.all(named.slice(at, at + AT_ONCE).map((file) => missing(session, storage, file)));
        faults.push(...found.filter((fault) => fault !== null));
      }
      looked += named.length;
      seen += tasks.length;
      if (tasks.length < limit) break;
      before = tasks.at(-1)?.id ?? before;
    }
  }
  return { looked, faults };
}

async function missing(
  session: Session,
  storage: Storage,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<string | null> {
  if ((await storage.stat(key)) !== null) return null;
  // It may have been erased in the meantime.
  const task = await session.first(session.builder.selectFrom('tasks').select('erased_at').where('id', '=', id));
  return task === undefined || task.erased_at !== null ? null : `task ${id}: its file ${key} is not in storage`;
}
