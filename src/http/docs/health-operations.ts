import { type Operation, WITH_KEY } from './operation.ts';

/** The operations of monitoring, by method and path. */
export const HEALTH_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /healthz': {
    roles: 'read_public',
    id: 'getLiveness',
    summary: 'Check that the process runs',
    description: 'Checks nothing else. Use it as the liveness probe.',
    errors: ['unsupported_field'],
  },
  'GET /readyz': {
    roles: 'observe',
    id: 'getReadiness',
    summary: 'Check that the service can work',
    description:
      'Answers 503 if it cannot, and names the dependency that fails. With an admin key the answer lists every check.',
    errors: WITH_KEY,
  },
  'GET /metrics': {
    roles: 'observe',
    id: 'getMetrics',
    summary: 'Get metrics for Prometheus',
    description: 'Needs an admin key.',
  },
  'GET /admin/v1/health': {
    roles: 'observe',
    id: 'adminGetHealth',
    summary: 'Run every check',
    description: 'Calls the upstreams of the engines too.',
  },
};
