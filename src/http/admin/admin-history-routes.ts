import { Type } from 'typebox';
import { reportHistory } from '../../operations/history/history-report.ts';
import { EngineHistories } from '../../wire/history.ts';
import { HISTORY_SPANS } from '../../wire/words.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { adminSchema } from './admin-schema.ts';

const HistoryQuery = Type.Object(
  {
    span: Type.Optional(
      Type.Enum(HISTORY_SPANS, {
        default: 'day',
        description: 'an hour in steps of 5 minutes, a day in hours, or 30 days in UTC days',
      }),
    ),
  },
  { additionalProperties: false },
);

/** What engines did over time. */
export function adminHistoryRoutes(admin: App, { services }: HttpOptions): void {
  admin.get(
    '/admin/v1/engines/history',
    { schema: { ...adminSchema(EngineHistories), querystring: HistoryQuery } },
    async (request) => {
      const { span = 'day' } = request.query;
      return success(await reportHistory(services.database.replica.reports, span, services.clock.now()));
    },
  );
}
