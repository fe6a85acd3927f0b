/*
 * What commands of additions use of the core. It loads only what is loaded anyway when a command starts.
 */

/** Settings of the service and of its clients, an operator's files with lists, and the data of the service here. */
export { loadClientSettings, type ClientSettings } from './service/config/client-settings.ts';
export { type Environment, readEnvironment } from './service/config/environment.ts';
export { type Entry, entriesOf, isEntry, shown, withVariables } from './service/config/operator-file.ts';
export { readOwnConfig } from './cli/own-config.ts';
export { DEFAULT_ACCOUNT } from './accounts/accounts.ts';
export { type LocalData, withLocalData } from './cli/local-database.ts';
export { listProcesses } from './service/operations/processes.ts';

/** Programs that are loaded when they run, their options, and writes that happen once however often they run. */
export { whenRun } from './cli/when-run.ts';
export { idempotencyHeaders, type RepeatableOptions, withIdempotencyKey } from './cli/repeatable-command.ts';
export { writeOnce } from './cli/write-once.ts';
export { watchInterruption } from './cli/interruption.ts';

/** Output, values in it and in options, and what is read from standard input. */
export { inform, type OutputOptions, show, table, withNotes, withOutput } from './cli/output.ts';
export { print, printJson, printJsonLines } from './cli/print.ts';
export { createProgressBar } from './cli/progress-bar.ts';
export { formatBytes, parseDuration, shellWord } from './cli/values.ts';
export { ask, requireYes, readPrompt, readStandardInput, STANDARD } from './cli/standard-input.ts';

/** Formats of keys, and the enabled additions. */
export { parseKey } from './accounts/key-secret.ts';
export { enabledAdditions } from './service/enabled-additions.ts';

/**
 * Faults that end a command, the words of refusals, and the form in which a person types a command of this
 * installation.
 */
export { CommandFault, usageFault } from './cli/command-fault.ts';
export { explainAsCommand } from './cli/refusal-words.ts';
export { OWN_COMMAND, START_COMMAND } from './base/own-command.ts';
