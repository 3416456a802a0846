import { after, before } from 'node:test';

/** Opened before the tests of a suite and closed after them; empty until then. */
export function sharedBySuite<Opened extends { close(): Promise<unknown> }>(
	open: (shared: object) => Promise<Opened>,
): Opened {
	const shared = {} as Partial<Opened>;
	before(async () => void Object.assign(shared, await open(shared)));
	after(async () => await shared.close?.());
	return shared as Opened;
}
