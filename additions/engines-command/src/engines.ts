import type { Addition } from '@darkroom-service/darkroom/kernel';
import { addEnginesCommand } from './engines-command.ts';

/** Lists the configured engines, and tries their routes with the operator's own accounts. */
export const ENGINES: Addition = { name: 'engines-command', commands: addEnginesCommand };
