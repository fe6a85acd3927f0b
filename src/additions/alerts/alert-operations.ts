import { type Operation, WITH_KEY } from '../../http/docs/operation.ts';

export const ALERT_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /admin/v1/alerts': {
    id: 'adminListAlerts',
    summary: 'List alerts',
    description:
      'Open ones and those that ended within the last 30 days, newest first: what was observed, when it began and ended, and the last message by each channel.',
    errors: WITH_KEY,
  },
};
