import { TriggerContext } from 'n8n-core';
import type {
	CronExpression,
	IDataObject,
	IRun,
	SchedulingFunctions,
	ITriggerFunctions,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { UnexpectedError } from 'n8n-workflow';
import { install, type Stored } from './workflow';

/** A run that the trigger asked n8n for. */
interface Emitted {
	items: IDataObject[];
	/** Whether the trigger waits for its end. */
	isAwaited: boolean;
}

/** What comes of a run; n8n gives none where it did not run it. */
export type OnEmit = (emitted: Emitted) => Promise<IRun | undefined> | IRun | undefined;

export interface StartedTrigger {
	context: ITriggerFunctions;
	emitted: Emitted[];
	/** The items of each run that the trigger started, but for questions. */
	runs: IDataObject[][];
	/** What the trigger noted as failed executions of the workflow. */
	failures: Error[];
	/** When the trigger asked n8n to be called. */
	crons: CronExpression[];
	/** n8n's call of the trigger has ended: from then on it evaluates no expression. */
	endCall(): void;
	/** Lets n8n's clock reach the next of these times. */
	tick(): void;
	close(): Promise<void>;
}

export interface TriggerOptions {
	mode?: WorkflowExecuteMode;
	/** A run that puts its response out, or answers that no other has those it is asked about, unless told otherwise. */
	onEmit?: OnEmit;
	/** Before 2.33 n8n does not note failures. */
	isOldN8n?: boolean;
}

/** A run that ended, as n8n tells it, with a letter for the verdict on each of its responses. */
export function aRun(letters: string, run: Partial<IRun> = {}): IRun {
	const metadata = { responseVerdicts: letters };
	const data = { resultData: { runData: {}, metadata } };
	return { status: 'success', data, ...run } as IRun;
}

/** A run that n8n lost: the trigger never hears of it. */
export const lostRun: OnEmit = async () => await new Promise<undefined>(() => {});

/** What a question asks about; undefined for a run that would put its response out. */
export const askedIn = ({ items: [item] }: Emitted) => item.asked as IDataObject[] | undefined;

const runOf: OnEmit = (emitted) => aRun('f'.repeat(askedIn(emitted)?.length ?? 0) || 'p');

const emitTo =
	(emitted: Emitted[], onEmit: OnEmit): ITriggerFunctions['emit'] =>
	([items], _, done) => {
		const isAwaited = done !== undefined;
		const one = { items: items.map(({ json }) => json), isAwaited };
		emitted.push(one);
		(async () => await onEmit(one))().then(
			(run) => done?.resolve(run as IRun),
			(error: Error) => done?.reject(error),
		);
	};

/** A context of the trigger, and what it told n8n. */
export function aTriggerContext(
	stored: Stored,
	{ mode = 'trigger', onEmit = runOf, isOldN8n }: TriggerOptions = {},
): StartedTrigger {
	const { workflow, node, additionalData } = install(stored);
	const emitted: Emitted[] = [];
	const failures: Error[] = [];
	const crons: CronExpression[] = [];
	const onTicks: Array<(at: Date) => void> = [];
	const emit = emitTo(emitted, onEmit);
	const fail = (error: Error) => failures.push(error);
	const registerCron: SchedulingFunctions['registerCron'] = ({ expression }, onTick) => {
		crons.push(expression);
		onTicks.push(onTick);
	};
	const context = new TriggerContext(
		workflow,
		node,
		additionalData,
		mode,
		'activate',
		emit,
		undefined,
		fail,
		{ registerCron },
	);
	if (isOldN8n) Object.assign(context, { saveFailedExecution: undefined });
	return {
		context,
		emitted,
		get runs() {
			return emitted.filter((one) => !askedIn(one)).map(({ items }) => items);
		},
		failures,
		crons,
		endCall() {
			workflow.expression.getParameterValue = (value) => {
				if (!JSON.stringify(value).includes('"=')) return value as never;
				throw new UnexpectedError('No bridge acquired for this context. Call acquire() first.');
			};
		},
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
	started.endCall();
	started.close = async () => await response?.closeFunction?.();
	return started;
}
