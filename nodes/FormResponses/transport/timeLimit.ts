const [CANCELED, TIMED_OUT] = ['ERR_CANCELED', 'ETIMEDOUT'];

/** With the codes of axios for a canceled request, and of Node for a connection that gets no answer. */
const endOf = (isCanceled: boolean) =>
	Object.assign(new Error(isCanceled ? 'the run was canceled' : 'n8n did not answer in time'), {
		code: isCanceled ? CANCELED : TIMED_OUT,
	});

export const isTimeout = (error: Error & { code?: string }): boolean => error.code === TIMED_OUT;

/**
 * Waits for work no longer than a time, also where n8n itself waits longer: it allows 300 seconds for a token (n8n,
 * client-oauth2), and a socket's time limit starts again with each byte.
 *
 * @param work gets a signal that ends what it has begun
 * @throws an error with the code ETIMEDOUT, or ERR_CANCELED if canceled first
 */
export async function endWithin<Value>(
	ms: number,
	canceled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
	const error = () => endOf(canceled?.aborted === true);
	if (canceled?.aborted || ms <= 0) throw error();
	const ending = new AbortController();
	const signals = [AbortSignal.timeout(Math.ceil(ms)), ...(canceled ? [canceled] : [])];
	return await new Promise<Value>((resolve, reject) => {
		const end = () => {
			ending.abort();
			reject(error());
		};
		for (const signal of signals) signal.addEventListener('abort', end);
		const leave = () => signals.forEach((signal) => signal.removeEventListener('abort', end));
		work(ending.signal).then(resolve, reject).finally(leave);
	});
}
