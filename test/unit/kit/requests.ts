let count = 0;

/** How many requests were sent and are not answered yet. */
export const requestsUnderWay = () => count;

/** @returns what to call when it has ended; further calls do nothing */
export function requestBegan(): () => void {
	let isOver = false;
	count++;
	return () => {
		if (!isOver) count--;
		isOver = true;
	};
}

interface Asking {
	getCredentials(type: string): Promise<unknown>;
	helpers: object;
}

type Ask = (...parameters: unknown[]) => Promise<unknown>;

function watched(ask: Ask): Ask {
	return async function (this: unknown, ...parameters) {
		const requestEnded = requestBegan();
		try {
			return await ask.apply(this, parameters);
		} finally {
			requestEnded();
		}
	};
}

/** Counts a context's requests from when they are asked for: n8n takes a moment before it sends them. */
export function watchRequests<Context extends Asking>(context: Context): Context {
	const helpers = context.helpers as Record<string, Ask>;
	for (const name of ['httpRequest', 'httpRequestWithAuthentication']) {
		helpers[name] = watched(helpers[name]);
	}
	const getCredentials = context.getCredentials.bind(context) as Ask;
	return Object.assign(context, { getCredentials: watched(getCredentials) });
}
