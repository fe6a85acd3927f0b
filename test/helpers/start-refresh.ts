import { Registry } from 'prom-client';
import { createLog } from '../../src/base/log.ts';
import { createStartRefresh } from '../../src/database/refresh.ts';

/** Reads what a test opens as the service does, without metrics and log. */
export const startTestRefresh = createStartRefresh({ log: createLog('silent'), registry: new Registry() });
