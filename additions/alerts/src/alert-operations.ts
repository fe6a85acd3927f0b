import type { Operation } from '@darkroom-service/darkroom/kernel-http';

export const ALERT_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /admin/v1/alerts': {
    roles: 'observe',
    id: 'adminListAlerts',
    summary: 'List alerts',
    description:
      'Open ones and those that ended within the last 30 days, newest first: what was observed, when it began and ended, and the last message by each channel.',
  },
  'POST /admin/v1/alerts/{alert_id}/acknowledge': {
    roles: 'run',
    id: 'adminAcknowledgeAlert',
    summary: 'Acknowledge an alert',
    description: 'Notes who has taken an open alert on. It is not repeated; its end is told.',
    errors: ['not_found'],
  },
  'POST /admin/v1/alerts/{alert_id}/silence': {
    roles: 'run',
    id: 'adminSilenceAlert',
    summary: 'Silence an alert',
    description: 'Sends no message about the condition for a time, also if it ends and begins again.',
    errors: ['not_found'],
  },
};
