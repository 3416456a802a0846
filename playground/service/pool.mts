/** Runs jobs in the order they came, at most `size()` of them at once. */
export function createPool(size: () => number) {
	const waiting: Array<() => void> = [];
	const running = new Set<Promise<unknown>>();

	function startNext(): void {
		while (running.size < size() && waiting.length > 0) waiting.shift()?.();
	}

	return {
		run<Result>(job: () => Promise<Result>): Promise<Result> {
			const { promise, resolve, reject } = Promise.withResolvers<Result>();
			waiting.push(() => {
				const done = job()
					.then(resolve, reject)
					.finally(() => {
						running.delete(done);
						startNext();
					});
				running.add(done);
			});
			startNext();
			return promise;
		},
		async settled(): Promise<void> {
			while (running.size > 0 || waiting.length > 0) await Promise.all(running);
		},
	};
}
