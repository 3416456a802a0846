import { describe, test, type TestContext } from 'node:test';
import { setImmediate as othersHaveBegun } from 'node:timers/promises';
import type { Rig } from './real-n8n.mts';

/** Ends n8n, when what is to happen just before is done, and starts it again; gives what was done while it was down. */
type Restart = <Result = void>(
	whileDown?: () => Promise<Result>,
	justBefore?: () => Promise<void>,
) => Promise<Result>;

type Scenario = (restart: Restart, context: TestContext) => Promise<void>;

interface Waiting {
	justBefore: () => Promise<void>;
	whileDown: () => Promise<void>;
	goOn: () => void;
	fail: (error: unknown) => void;
}

interface Options {
	crash: boolean;
	/** The environment of n8n after each restart, where it changes. */
	envs?: Array<Record<string, string>>;
}

type It = (name: string, run: Scenario) => void;

function sharedRestarts(rig: Rig, { crash, envs = [] }: Options): It {
	const environments = envs.values();
	let unfinished = 0;
	let waiting: Waiting[] = [];

	async function restartOnceAllWait() {
		if (waiting.length === 0 || waiting.length < unfinished) return;
		const scenarios = waiting;
		waiting = [];
		const whileDown = async () =>
			void (await Promise.all(scenarios.map(async (scenario) => await scenario.whileDown())));
		try {
			await Promise.all(scenarios.map(async (scenario) => await scenario.justBefore()));
			await rig.restart({ crash, env: environments.next().value, whileDown });
			for (const { goOn } of scenarios) goOn();
		} catch (error) {
			for (const { fail } of scenarios) fail(error);
		}
	}

	const restart: Restart = async <Result,>(
		whileDown = async () => undefined as Result,
		justBefore = async () => {},
	) => {
		await othersHaveBegun();
		const { promise, resolve, reject } = Promise.withResolvers<Result>();
		let result: Result;
		waiting.push({
			justBefore,
			whileDown: async () => void (result = await whileDown()),
			goOn: () => resolve(result),
			fail: reject,
		});
		void restartOnceAllWait();
		return await promise;
	};

	return (name, run) => {
		test(name, async (context) => {
			unfinished += 1;
			try {
				await run(restart, context);
			} finally {
				unfinished -= 1;
				void restartOnceAllWait();
			}
		});
	};
}

/**
 * Scenarios side by side in one n8n, each told as if n8n were its own: n8n is restarted when all
 * that have not ended have come to a restart.
 */
export function describeRestarts(
	name: string,
	rig: Rig,
	options: Options,
	scenarios: (it: It) => void,
) {
	describe(name, { concurrency: true }, () => scenarios(sharedRestarts(rig, options)));
}
