import { Stack } from '@mantine/core';
import { Panel } from '../../../components/panel.tsx';
import { Named } from '../../../components/two-lines.tsx';
import { localTexts } from '../../../texts/local.ts';
import { ServerState } from './server-state.tsx';
import type { LocalMachine } from './use-local-models.ts';

const texts = localTexts.servers;

/** The servers of the operator's file. */
export function OwnServers({ servers }: { readonly servers: LocalMachine['own_servers'] }) {
  return (
    <Panel title={texts.title} hint={texts.hint}>
      <Stack>
        {servers.map(({ name, api, model_ids: ids, server }) => (
          <div key={name}>
            <Named name={name} more={[api, ...ids, ...(server === null ? [texts.idle] : [])].join(' · ')} />
            {server !== null && <ServerState name={name} server={server} />}
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
