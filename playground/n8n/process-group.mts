/** Signals a process that leads a group, and all in it; does nothing where they have ended meanwhile. */
export function signalGroup(leader: number, signal: NodeJS.Signals) {
	try {
		process.kill(-leader, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
