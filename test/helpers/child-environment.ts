import { compileCacheVariable } from '@darkroom-service/media/process';

/**
 * The variables of a process that starts with none of ours: where its programs are, and how this run of the tests loads
 * modules.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_OPTIONS } = process.env;
  return { PATH, ...compileCacheVariable(), ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }) };
}
