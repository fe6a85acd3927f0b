import type { Addition } from '@darkroom-service/darkroom/kernel';
import { addBatchCommand } from './batch/batch.ts';
import { addCallCommand, addCompletionCommand } from './call/call.ts';
import { addListenCommand } from './listen.ts';
import { addModelsCommand } from './models.ts';
import { addActionCommand, addGenerateCommands, addPriceCommand } from './order-commands.ts';
import { addTasksCommand } from './tasks.ts';
import { addTriggerCommand } from './trigger.ts';

/** The commands of customers, which call a running service. */
export const CLIENT_COMMANDS: Addition = {
  name: 'client-commands',
  commands(program) {
    addModelsCommand(program);
    addPriceCommand(program);
    addGenerateCommands(program);
    addActionCommand(program);
    addBatchCommand(program);
    addTasksCommand(program);
    addListenCommand(program);
    addTriggerCommand(program);
    addCallCommand(program);
    addCompletionCommand(program);
  },
};
