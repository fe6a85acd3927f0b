import { closedObject, listOf } from '@darkroom-service/contract/parts';
import {
  AdminFailure,
  adminSchema,
  FailureCause,
  FailureWindow,
  Limit,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { Type } from 'typebox';
import { ModeQuery } from './mode-query.ts';
import { reportFailureCauses } from './reports/failure-causes.ts';
import { reportFailures } from './reports/failure-report.ts';

const Search = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'a part of the name of account or key, of the model or of the failure; an id; a price',
  }),
);
/** Serves recent failures of the orders of all accounts. */
export function adminTroubleRoutes(admin: App, { clock, store }: Pick<ServingKernel, 'clock' | 'store'>): void {
  admin.get(
    '/admin/v1/failures',
    {
      schema: {
        ...adminSchema(listOf(AdminFailure, FailureWindow)),
        querystring: closedObject({ mode: ModeQuery, search: Search, limit: Limit }),
      },
    },
    async (request) => {
      const { mode = 'live', search = null, limit = 20 } = request.query;
      const query = { now: clock.now(), limit, mode, search };
      return success({ ...(await reportFailures(store.read, query)) });
    },
  );

  admin.get(
    '/admin/v1/failures/causes',
    {
      schema: {
        ...adminSchema(listOf(FailureCause, FailureWindow)),
        querystring: closedObject({ mode: ModeQuery }),
      },
    },
    async (request) => {
      const { mode = 'live' } = request.query;
      return success({ ...(await reportFailureCauses(store.replica.reports, { now: clock.now(), mode })) });
    },
  );
}
