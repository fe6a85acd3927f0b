import type { Addition } from '@darkroom-service/darkroom/kernel';
import { TOOL_ENTRIES, TOOLS_ENGINE, WITHOUT_NETWORK } from './tool-entries.ts';

/** Tools that work on finished images and films on this machine, without an account anywhere. */
export const TOOLS: Addition = {
  name: 'tools',
  async models(config) {
    const { findNetwork } = await import('./network/network-folder.ts');
    const isOn = config.engines?.includes(TOOLS_ENGINE) !== false;
    const network = findNetwork();
    const entries = network === null ? WITHOUT_NETWORK : TOOL_ENTRIES;
    return {
      engine: TOOLS_ENGINE,
      readEntries: async () => (isOn ? entries : { ...entries, models: [] }),
      async openEngines({ pictures, temporaryDirectory }) {
        if (!isOn) return [];
        const { createToolsEngine } = await import('./tools-engine.ts');
        return [createToolsEngine({ network, pictures, temporaryDirectory })];
      },
    };
  },
};
