import type { Addition } from '@darkroom-service/darkroom/kernel';
import { TOOL_ENTRIES, TOOLS_ENGINE } from './tool-entries.ts';

/** Tools that work on finished pictures on this machine, without an account anywhere. */
export const TOOLS: Addition = {
  name: 'tools',
  async models(config) {
    const { findNetwork } = await import('./network/network-folder.ts');
    const network = config.engines?.includes(TOOLS_ENGINE) === false ? null : findNetwork();
    return {
      engine: TOOLS_ENGINE,
      readEntries: async () => (network === null ? { ...TOOL_ENTRIES, models: [] } : TOOL_ENTRIES),
      async openEngines({ temporaryDirectory }) {
        if (network === null) return [];
        const { createEnlargerEngine } = await import('./enlarger-engine.ts');
        return [createEnlargerEngine({ network, temporaryDirectory })];
      },
    };
  },
};
