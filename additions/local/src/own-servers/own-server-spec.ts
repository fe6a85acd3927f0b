import { access } from 'node:fs/promises';
import { LocalFault } from '../local-fault.ts';
import type { ServerSpec } from '../servers/server-spec.ts';
import { listedName, type OwnServer, PORT_WORD } from './own-server.ts';

/** Returns the start of an own server. @param environment the variables that every server gets */
export function ownServerSpec(server: OwnServer, environment: Readonly<Record<string, string>>): ServerSpec {
  const { port, readyPath, memoryBytes, needsNetwork, directory } = server;
  return {
    name: listedName(server),
    port,
    readyPath,
    memoryBytes,
    needsNetwork,
    async command(used) {
      // The system's own error would report the program as missing.
      if (directory !== null && !(await exists(directory)))
        throw new LocalFault(`expected a directory at ${directory}, found none`);
      const withPort = (text: string) => text.replaceAll(PORT_WORD, String(used));
      const own = Object.entries(server.environment).map(([name, value]) => [name, withPort(value)]);
      const [program, ...args] = server.command;
      return {
        command: program,
        args: args.map(withPort),
        directory,
        environment: { ...environment, ...Object.fromEntries(own) },
      };
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
