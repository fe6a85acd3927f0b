import type { Addition } from '@darkroom-service/darkroom/kernel';
import { addAccountsCommand } from './accounts.ts';
import { addAuditCommand } from './audit.ts';
import { addCostsCommand } from './costs.ts';
import { addKeysCommand } from './keys.ts';
import { addProcessesCommand } from './processes.ts';
import { addSecretsCommand } from './secrets.ts';

/** The commands of operators: keys, secrets, accounts, costs, changes and processes, on the database directly. */
export const OPERATOR_COMMANDS: Addition = {
  name: 'operator-commands',
  commands(program) {
    addKeysCommand(program);
    addSecretsCommand(program);
    addAccountsCommand(program);
    addCostsCommand(program);
    addAuditCommand(program);
    addProcessesCommand(program);
  },
};
