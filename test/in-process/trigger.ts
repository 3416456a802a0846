import { TriggerContext } from 'n8n-core';
import type {
	CronExpression,
	IDataObject,
	INodeExecutionData,
	IRun,
	ITriggerFunctions,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { watchRequests } from './requests';
import type { Stored } from './workflow';
import { install } from './workflow';

/** A run that the trigger asked n8n for. */
interface Emitted {
	items: IDataObject[];
	deduplicationKey?: string;
	/** Whether the trigger waits for its end. */
	isAwaited: boolean;
}

/** What comes of a run; n8n gives none where it refused the deduplication key. */
export type OnEmit = (emitted: Emitted) => Promise<IRun | undefined> | IRun | undefined;

export interface StartedTrigger {
	context: ITriggerFunctions;
	emitted: Emitted[];
	/** The items of each run that the trigger started. */
	runs: IDataObject[][];
	/** What the trigger noted as failed executions of the workflow. */
	failures: Error[];
	/** When the trigger asked n8n to be called. */
	crons: CronExpression[];
	/** Lets n8n's clock reach the next of these times. */
	tick(): void;
	close(): Promise<void>;
}

export interface TriggerOptions {
	mode?: WorkflowExecuteMode;
	/** A run that puts all out, unless told otherwise. */
	onEmit?: OnEmit;
	/** Before 2.33 n8n does not note failures. */
	isOldN8n?: boolean;
}

/** A run that ended, as n8n tells it, in which the trigger put out as many responses. */
export function aRun(count: number, run: Partial<IRun> = {}, undecided?: string): IRun {
	const metadata = {
		recoveredResponses: String(count),
		...(undecided && { undecidedResponses: undecided }),
	};
	return {
		status: 'success',
		data: { resultData: { runData: {}, metadata } },
		...run,
	} as unknown as IRun;
}

function emitTo(emitted: Emitted[], onEmit: OnEmit): ITriggerFunctions['emit'] {
	return (
		data: INodeExecutionData[][],
		_response?: unknown,
		done?: Parameters<ITriggerFunctions['emit']>[2],
		deduplicationKey?: string,
	) => {
		const one: Emitted = {
			items: data[0].map(({ json }) => json),
			deduplicationKey,
			isAwaited: done !== undefined,
		};
		emitted.push(one);
		const end = (async () => await onEmit(one))();
		end.then(
			(run) => done?.resolve(run as IRun),
			(error: Error) => done?.reject(error),
		);
	};
}

/** A context of the trigger, and what it told n8n. */
export function aTriggerContext(
	stored: Stored,
	{
		mode = 'trigger',
		onEmit = ({ items }) => aRun(items.length),
		isOldN8n = false,
	}: TriggerOptions = {},
): StartedTrigger {
	const { workflow, node, additionalData } = install(stored);
	const emitted: Emitted[] = [];
	const failures: Error[] = [];
	const crons: CronExpression[] = [];
	const onTicks: Array<(at: Date) => void> = [];
	const context = new TriggerContext(
		workflow,
		node,
		additionalData,
		mode,
		'activate',
		emitTo(emitted, onEmit),
		undefined,
		(error) => failures.push(error),
		{
			registerCron({ expression }, onTick) {
				crons.push(expression);
				onTicks.push(onTick);
			},
		},
	);
	watchRequests(context);
	if (isOldN8n) Object.assign(context, { saveFailedExecution: undefined });
	return {
		context,
		emitted,
		get runs() {
			return emitted.map(({ items }) => items);
		},
		failures,
		crons,
		tick: () => onTicks.forEach((onTick) => onTick(new Date())),
		close: async () => {},
	};
}

/** Calls `trigger()` as n8n does on activation and at its start. */
export async function startTrigger(
	stored: Stored,
	options: TriggerOptions = {},
): Promise<StartedTrigger> {
	const started = aTriggerContext(stored, options);
	const response = await stored.type.trigger!.call(started.context);
	started.close = async () => await response?.closeFunction?.();
	return started;
}
