import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFiles } from './digest-of-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/clients');
const NAMES = {
  'darkroom-client': '@darkroom/client',
  'darkroom-ai-sdk-provider': '@darkroom/ai-sdk-provider',
  'n8n-nodes-darkroom': 'n8n-nodes-darkroom',
};

/**
 * Packs the TypeScript client, the provider of the AI SDK and the node for n8n as for the registry, and unpacks them,
 * or finds the result of an earlier run with the same sources.
 * @returns a folder in which programs import the packed clients
 */
export function openPackedClients(): string {
  const sources = ['clients/{typescript,ai-sdk,n8n}/{src/**/*.ts,*.json}', 'packaging/pack-clients.ts'];
  const folder = join(CACHE, digestOfFiles(ROOT, globSync(sources, { cwd: ROOT })));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  try {
    execFileSync(process.execPath, [join(ROOT, 'packaging/pack-clients.ts'), draft], { stdio: 'ignore' });
    for (const [file, name] of Object.entries(NAMES)) {
      const [packed] = globSync(`${file}-*.tgz`, { cwd: draft });
      if (packed === undefined) throw new Error(`packaging/pack-clients.ts made no ${file}-*.tgz`);
      const target = join(draft, 'node_modules', name);
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['-xzf', join(draft, packed), '--strip-components=1', '-C', target]);
    }
    renameSync(draft, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
