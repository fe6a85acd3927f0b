import type { Addition } from '@darkroom-service/darkroom/kernel';
import type { Command } from 'commander';
import { FLEET_SETTINGS } from './fleet-settings.ts';

/** Connects many databases and processes: cells share upstream accounts, NATS carries notices, costs are summed. */
export const FLEET: Addition = {
  name: 'fleet',
  settings: FLEET_SETTINGS,
  commands: addCellsOption,
  openNoticeTransport(config) {
    const { noticesUrl } = config.of(FLEET_SETTINGS);
    if (noticesUrl === null) return null;
    return async (events, read) =>
      (await import('./notices/nats-notices.ts')).openNatsNotices({ url: noticesUrl, read }, events);
  },
  async shareLimits(limits, sharing, closers) {
    const { partsUrl } = sharing.config.of(FLEET_SETTINGS);
    if (partsUrl === null) return limits;
    const { openSharedLimits } = await import('./accounts/shared-limits.ts');
    return await openSharedLimits(limits, { ...sharing, partsUrl }, closers);
  },
  checks: [
    {
      name: 'notices',
      async run({ config }) {
        const { noticesUrl } = config.of(FLEET_SETTINGS);
        if (noticesUrl === null) return [];
        return [await (await import('./notices/diagnose-notices.ts')).diagnoseNotices(noticesUrl)];
      },
    },
    {
      name: 'shared upstream accounts',
      async run({ config }) {
        const { partsUrl } = config.of(FLEET_SETTINGS);
        if (partsUrl === null) return [];
        return [await (await import('./accounts/diagnose-parts.ts')).diagnoseParts(partsUrl)];
      },
    },
  ],
};

/** Adds `--cells` to `darkroom costs`. */
function addCellsOption(program: Command): void {
  program.commands
    .find((command) => command.name() === 'costs')
    ?.option('--cells <file>', 'sums over running cells: a file with an admin key of each, one a line')
    .action(async (options) => (await import('./costs/show-costs-of-cells.ts')).showCostsOfCells(options));
}
