import { type ApiClient, dataOf } from '@darkroom-service/addition-common/commands/api-client';
import type { TaskView } from '@darkroom-service/contract';
import { idempotencyHeaders, withIdempotencyKey, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';
import { type FollowOptions, followTask } from '../follow-task.ts';
import { saveResponse } from '../save-output.ts';
import { checkTarget } from '../save-target.ts';
import type { Input, Operation } from './operations.ts';
import { requestOf, type Sent } from './request-of.ts';
import { showAnswer } from './show-answer.ts';

interface CallOptions extends FollowOptions {
  readonly idempotencyKey?: string;
  readonly body?: string;
  readonly file?: string;
  readonly wait?: boolean;
}

/** The most choices that help shows in place of a value. */
const MOST_CHOICES = 6;

/**
 * Adds the command of an operation: what its path names are arguments, what query and body take are options, with the
 * interface's own names and descriptions.
 */
export function addOperation(program: Command, client: ApiClient, operation: Operation): void {
  const command = program
    .command(operation.name)
    .summary(operation.summary)
    .description([`${operation.summary}.`, operation.description].join(' ').trimEnd())
    .helpGroup(`${operation.group}:`);
  const named = operation.inputs.filter(({ place }) => place === 'path');
  const optional = operation.inputs
    .filter(({ place }) => place !== 'path')
    .map((input) => [input, optionOf(input)] as const);
  for (const { name, description } of named) command.argument(`<${name}>`, description);
  for (const [, option] of optional) command.addOption(option);
  addOwnOptions(command, operation);
  withNotes(command, [`It is ${operation.method} ${operation.path}.`]);
  command.action(async () => {
    const options = command.opts<CallOptions>();
    if (operation.answersFile) await checkTarget(options);
    const values: Sent[] = [
      ...named.map((input, at) => [input, command.args[at]] as const),
      ...optional.map(([input, option]) => [input, command.getOptionValue(option.attributeName())] as const),
    ];
    const { body, file } = options;
    const { path, init } = await requestOf(operation, { values, body, file, headers: idempotencyHeaders(options) });
    const response = await client.send(operation.method, path, init);
    if (operation.answersFile) return await saveResponse(response, options);
    const answer = response.status === 204 ? null : await dataOf(response);
    if (options.wait === true) await followTask(client, answer as TaskView, options);
    else showAnswer(options, answer);
  });
}

/** Adds what an operation has beside the interface's fields. */
function addOwnOptions(command: Command, { body, isRepeatable, answersFile, answersTask, method }: Operation): void {
  if (body?.isFile === true) command.requiredOption('--file <path>', 'what is sent; - reads standard input');
  else if (body !== null) command.option('--body <json>', 'the body as JSON, @file or -; options count before it');
  if (answersFile) {
    command.requiredOption('-o, --output <file>', 'save the answer in this file; - writes it to standard output');
    command.option('--force', 'replace the file if it exists');
  } else withOutput(command, 'its id, or one in each line');
  if (answersTask && method === 'POST') command.option('--wait', 'wait until the task has ended');
  if (isRepeatable) withIdempotencyKey(command);
}

/** Makes the option of an input. A list is given by repeating it; a boolean without a value is true. */
function optionOf({ name, types, choices, description, required }: Input): Option {
  const flag = `--${name.replaceAll('_', '-')}`;
  const isList = types.includes('array');
  const kind = types.includes('object')
    ? 'json'
    : isList
      ? 'value'
      : (types.find((type) => type !== 'null') ?? 'value');
  const values = choices.length > 0 && choices.length <= MOST_CHOICES ? choices.join('|') : kind;
  const remarks = [isList ? '(repeat it for more)' : '', required ? '(required)' : ''];
  const text = [description, ...remarks].filter((part) => part !== '').join(' ');
  if (types.includes('boolean')) return new Option(`${flag} [true|false]`, text);
  const option = new Option(`${flag} <${values}>`, text);
  return isList ? option.argParser((value: string, before: readonly string[] = []) => [...before, value]) : option;
}
