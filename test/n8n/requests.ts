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
