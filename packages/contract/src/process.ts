import { Type } from 'typebox';
import { Text, Time, type Wire } from './parts.ts';
import { PROCESS_STATES } from './words.ts';

export const ServiceProcess = Type.Object(
  {
    process_id: Text,
    role: Text,
    host: Text,
    pid: Type.Integer(),
    version: Text,
    state: Type.Enum(PROCESS_STATES, {
      description:
        'silent: without a heartbeat for a minute. ended: others have taken its tasks over. One that stops in order is not listed.',
    }),
    started_at: Time,
    heard_at: Time,
    missing: Type.Boolean({
      description: 'It is silent or ended, and no process of its role that was started later has replaced it.',
    }),
    tasks: Type.Integer({ description: 'How many tasks it holds.' }),
    faults: Type.Array(Text, {
      description: 'What its own keys or network keep it from, while others go on: one sentence each, with what to do.',
    }),
    differences: Type.Array(Text, {
      description: 'Which keys, addresses and storage settings it has that most others do not have.',
    }),
  },
  { $id: 'Process', description: 'A process of the service, as its heartbeats show it.' },
);
export type ProcessView = Wire<typeof ServiceProcess>;
