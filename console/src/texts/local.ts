/** Texts of the models of this machine. */
export const localTexts = {
  network: {
    closed: (by: string) =>
      `The model servers on this machine cannot reach any other machine: ${by} closes their network.`,
    open: (why: string) => `Servers can reach other machines: ${why}.`,
    unavailable: (why: string) =>
      `No server is started: DARKROOM_LOCAL_NETWORK demands a closed network, and it cannot be closed: ${why}.`,
  },
  state: { not_pulled: 'Not pulled', pulling: 'Pulling', pulled: 'Pulled' },
  facts: {
    unknown: 'not known',
  },
  pullOf: (title: string) => `Pull ${title}`,
  cancelOf: (title: string) => `Stop pulling ${title}`,
  refused: 'The request failed',
  progress: {
    work: { planning: 'Asking the hub', downloading: 'Downloading', copying: 'Copying', checking: 'Checking' },
  },
  servers: {
    network: { closed: 'network closed', open: 'network open' },
    states: {
      stopped: 'Not running',
      starting: 'Loading',
      ready: 'Ready',
      busy: 'Working',
      stopping: 'Ending',
      waiting: 'Waiting for memory',
      unavailable: 'Cannot be used',
    },
  },
} as const;
