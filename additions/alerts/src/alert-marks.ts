import type { Session } from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';

/** Reads marks that change whenever an alert begins or ends, or a message about one is delivered. */
export async function readAlertMarks(session: Session): Promise<unknown> {
  return await session.first(
    session.builder.selectNoFrom(({ selectFrom }) => [
      selectFrom('alerts')
        .select(({ fn }) => fn.max('id').as('mark'))
        .as('alerts'),
      selectFrom('alerts')
        .select(({ fn }) => fn.countAll().as('mark'))
        .where('ended_at', 'is', null)
        .as('open'),
      selectFrom('alerts')
        .select(({ fn }) => fn.max('acknowledged_at').as('mark'))
        .where('ended_at', 'is', null)
        .as('acknowledged'),
      selectFrom('alert_messages')
        .select(({ fn }) => fn.countAll().as('mark'))
        .where('status', '=', sql.lit('pending'))
        .as('untold'),
    ]),
  );
}
