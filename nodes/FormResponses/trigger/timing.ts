const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** All times of the trigger, in milliseconds. */
export const timing = {
	/** n8n's engines call `trigger` and `create` in different orders, so the first look waits for both. */
	firstLookMs: 3 * SECOND,
	/** n8n gives up on `create` after 84 seconds. */
	subscribingMs: 90 * SECOND,
	/** Limit of a hook method when n8n starts, or ends a subscription: the older engine starts one after another. */
	startMs: 5 * SECOND,
	/** Limit of any other attempt to subscribe: n8n makes five, with 15 seconds between, in 84 seconds. */
	attemptMs: 10 * SECOND,

	/** Interval between looks. */
	shortestPaceMs: MINUTE,
	longestPaceMs: 15 * MINUTE,
	/** A delivery has begun to run sooner than this after a look has seen its response; later for each of many. */
	overdueMs: 15 * SECOND,
	overdueEachMs: SECOND / 2,
	/** Wait after a failed look or renewal, doubled each time. */
	firstRetryMs: 5 * SECOND,
	longestRetryMs: 5 * MINUTE,
	/** The same of a run that n8n refuses or that fails before it begins, as each tells of its failure. */
	longestRunAgainMs: 60 * MINUTE,
	/** n8n gets a failed execution after this long without a successful look. */
	silenceMs: 15 * MINUTE,
	/** After this long without news of a run, its response is asked about. */
	emissionMs: 5 * MINUTE,
	/** After this long without an answer, responses run unasked: a question holds nothing if n8n is killed. */
	questionMs: 10 * SECOND,
	/** After this long, a response that another run had begun is emitted or asked about again. */
	unfinishedMs: 30 * SECOND,

	/** Across a start of n8n, a subscription continues if it stopped no longer ago. */
	downtimeMs: 24 * 60 * MINUTE,
	/** Within this time, publishing again continues the subscription. */
	rePublishMs: 5 * MINUTE,
	/** How long after a stop a publication may call the removal of the hook off. */
	callOffMs: 10 * SECOND,
	/** How long to retry the removal of a hook. */
	removalMs: 60 * MINUTE,
	/** A hook is in doubt if for so long only looks brought anything; a younger one beside it needs as long. */
	doubtMs: 15 * MINUTE,
	/** After a spare that brought nothing, until the next one; doubled each time. */
	firstSpareMs: 60 * MINUTE,
	longestSpareMs: 24 * 60 * MINUTE,

	/** Within this time, a delivery that the service is asked about is answered. */
	answerMs: 10 * SECOND,
	/** What waited longer for its turn, the service is not asked about: ten questions may be ahead of it at a slow pace. */
	turnMs: 5 * SECOND,
	/** What was completed within this time, the service may not show yet. */
	recentMs: MINUTE,
	/** Two hooks may deliver the same at the same instant, so that a question waits. */
	besideMs: 5 * SECOND,
	/** Within this time, only so many questions may be asked in vain. */
	vainMs: MINUTE,
	/** How long to go on asking with the credential as it was read. */
	clientMs: MINUTE,
	/** A response that was delivered again within this time starts no run. */
	takenMs: MINUTE,
	/** Services have given up deliveries by then. */
	heldMs: 4 * 24 * 60 * MINUTE,
	/** The answer to a creation was lost, if another hook was made within this time. */
	twinMs: 2 * MINUTE,

	/** A run that begins later than this after its emission, or its wait for the live hook, asks the store a moment later. */
	queuedMs: 5 * SECOND,
	momentMs: 2 * SECOND,
	/** A run that lasted longer counts as ended, even if n8n was killed in it. */
	shortRunMs: 10 * SECOND,
	/** Under load, merges the end of one run with the start of another. */
	patienceMs: 50,
	/** Waits between repeated writes of marks, which restore those that another process erased. */
	marksAgainMs: [SECOND / 2, 3 * SECOND, 12 * SECOND, 25 * SECOND],
	marksKeptMs: MINUTE,
};

/** Milliseconds until the next try after so many failures in a row. */
export const retryMs = (failures: number, longestMs = timing.longestRetryMs): number =>
	Math.min(longestMs, timing.firstRetryMs * 2 ** (failures - 1));
