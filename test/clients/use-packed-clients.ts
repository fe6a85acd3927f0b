import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPackedClients } from './packed-clients.ts';

/**
 * `node --import ./test/clients/use-packed-clients.ts`: the program, and the tests that it starts, import the packed
 * clients in place of their sources.
 */
const parentURL = pathToFileURL(join(openPackedClients(), 'program.js')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier.startsWith('@darkroom/') ? { ...context, parentURL } : context),
});
