import { MachineFault, machineFaultOf } from './machine-fault.ts';

/**
 * Loads a part of the program that is not loaded at the start. If its files are missing or do not fit together, such as
 * while another version replaces them, that is a fault of this machine, whatever the error says.
 * @throws MachineFault
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new MachineFault(machineFaultOf(error) ?? 'ERR_PROGRAM', 'a part of the program cannot be loaded', error);
  }
}
