const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Every time that the trigger goes by, in milliseconds. */
export const timing = {
	/** n8n's activation engines call `trigger` and `create` in different orders, so the first look lets both end. */
	firstLookMs: 3 * SECOND,
	/** n8n gives up on `create` after 84 seconds. */
	subscribingMs: 90 * SECOND,
	/** For each request, and for waiting in between, of those that n8n gives 84 seconds together. */
	lifecycleWaitMs: 15 * SECOND,

	/** Between two looks for what was not delivered. */
	shortestPaceMs: MINUTE,
	longestPaceMs: 15 * MINUTE,
	/** A live hook delivers a response sooner than this. */
	overdueMs: 30 * SECOND,
	/** After a look or a renewal that failed, doubled each time. */
	firstRetryMs: 5 * SECOND,
	longestRetryMs: 5 * MINUTE,
	/** After this long without a look that worked, n8n gets a failed execution. */
	silenceMs: 15 * MINUTE,
	/** A run that n8n started may last; afterwards its responses are looked for again. */
	emissionMs: 30 * MINUTE,

	/** Across a start of n8n a subscription goes on that stopped no longer ago. */
	downtimeMs: 24 * 60 * MINUTE,
	/** A workflow that was inactive for longer starts anew; a shorter gap is a re-publish. */
	rePublishMs: 5 * MINUTE,
	/** How long removing a hook is tried again after the workflow was unpublished. */
	removalMs: 60 * MINUTE,
	testHookRemovalMs: 2 * MINUTE,

	/** The service waits for the answer to its delivery meanwhile. */
	lookUpMs: 10 * SECOND,
	lookUpsPerMs: MINUTE,
	clockSkewMs: MINUTE,
	/** A hook delivers what is completed this long after it was made. */
	hookBeginsMs: 5 * SECOND,
	/** A response whose key nobody knows was completed no longer ago than this. */
	freshMs: 10 * MINUTE,
	verificationRetryMs: 2 * SECOND,

	/** A run that n8n did not survive is run again, if it had lasted no longer than this. */
	shortRunMs: 10 * SECOND,
	/** After this long the marks of other processes have arrived in the store. */
	settleMs: 5 * SECOND,
	/** Under load the end of one run is recorded together with the start of another. */
	patienceMs: 50,
	/** n8n's store hashes each mark that it is given, so older ones are given to it no more often than this. */
	keptAgainMs: SECOND,
	/** Another process has nearly always ended by then what it was writing. */
	writeMs: 250,
	/** And by then always: marks that are still there will stay. */
	erasableMs: 10 * SECOND,
	/** Waits, one after another, before marks are recorded again, so that those which another process erased come back. */
	marksAgainMs: [600, 2 * SECOND, 8 * SECOND, 25 * SECOND],
	marksKeptMs: MINUTE,
};
