import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { isJsonObject, type JsonObject } from '@darkroom-service/contract';
import { print, printJson } from '@darkroom-service/darkroom/kernel-cli';
import { Command } from 'commander';
import { addOperation } from './operation-command.ts';
import { type Operation, readOperations } from './operations.ts';

/**
 * Runs a command of `darkroom call`: the words after it name an operation, its arguments and options. Without words all
 * operations are listed; so they are with `--json` or `--plain` alone.
 * @param call the command as parsed, whose settings of help and faults its operations have
 * @throws CommanderError if there is no such operation, or an argument or option is wrong
 */
export async function runCall(call: Command, client: ApiClient): Promise<void> {
  const operations = readOperations(await readDocument(client));
  const [first = '--help', ...rest] = call.args;
  if (rest.length === 0 && first === '--plain') return print(operations.map(({ name }) => name).join('\n'));
  if (rest.length === 0 && first === '--json') return printJson({ items: operations.map(describeOperation) });
  const program = new Command('darkroom call')
    .copyInheritedSettings(call.parent ?? call)
    .description('Calls an operation of the service. Each has its own --help.')
    .usage('<operation> [arguments] [options]')
    .helpCommand(false);
  for (const operation of operations) addOperation(program, client, operation);
  await program.parseAsync([first, ...rest], { from: 'user' });
}

async function readDocument(client: ApiClient): Promise<JsonObject> {
  const response = await client.send('GET', '/openapi.json');
  const document: unknown = await response.json();
  return isJsonObject(document) ? document : {};
}

function describeOperation({ name, group, method, path, summary }: Operation): object {
  return { command: name, group, method, path, summary };
}
