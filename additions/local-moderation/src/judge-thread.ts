import { parentPort, workerData } from 'node:worker_threads';
import { readNetwork } from './network.ts';

/** The program of a thread that judges the frames it is started with. */
const { network, frames } = workerData as { readonly network: string; readonly frames: readonly Uint8Array[] };
parentPort?.postMessage(frames.map(readNetwork(network)));
