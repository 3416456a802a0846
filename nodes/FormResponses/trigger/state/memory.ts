import type { ITriggerFunctions } from 'n8n-workflow';
import { randomInt } from 'n8n-workflow';
import type { Api } from '../../transport/types';
import type { LiveHook, Owner, TriggerState } from './triggerState';

/** What all contexts of the trigger node have in common. */
export type NodeContext = Pick<
	ITriggerFunctions,
	'getInstanceId' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** A delivered response that started a run here, or was found to have run. */
export interface Taken {
	/** Milliseconds, monotonic. */
	at: number;
	/** Whether the live key brought it. */
	byLive: boolean;
}

/** A key that has brought a response of the form. */
export interface KnownKey {
	madeAt: number;
	/** Milliseconds, monotonic. */
	since: number;
	/** When deliveries with it were asked about in vain: `othersVain`, unless it was the first to bring one. */
	vain: number[];
}

/** A mark of the store, which a concurrent write of another process may erase. */
export interface KeptMark {
	madeAt: number;
	repeatedAt: number;
}

/** What an unpublication still has to do. */
export interface Removal {
	/** What was stopped; a publication would go on with its hook. */
	hook: TriggerState;
	spare?: LiveHook;
	/** Ends once n8n's database has answered. */
	askN8n: () => Promise<unknown>;
	begin: () => Promise<void>;
}

/**
 * Deliveries about which a service is asked: how many there are, how many are being asked about, and who waits. Shared by all
 * nodes of the process, whose memory they take.
 */
interface Questions {
	all: number;
	asking: number;
	waiting: Array<() => void>;
}

/**
 * All that this process remembers of a node. It may be gone at any moment: n8n restarts, or loads the package again
 * beside running triggers (n8n, community-packages.service.ts).
 */
export interface Memory {
	/** As hook methods left it; what n8n has stored may be older, as it writes late and as a whole. */
	state?: TriggerState;
	/** The node's production URL in this n8n. */
	webhookUrl?: string;
	/** Whether the trigger may look: a publication or start has ended. */
	isSettled: boolean;
	/** Whether the running trigger has yet to subscribe, as its start could not. */
	isDue: boolean;
	/** The hook beside a doubted one. */
	spare?: LiveHook;
	/** Planned for a moment from now, unless a publication follows. */
	removal?: Removal;
	/** When the last key was made here, in n8n's clock. */
	keyMadeAt: number;
	/** Ends with the last call that changes hooks. */
	turn: Promise<unknown>;

	/** The state with the youngest key that n8n had stored here: a run may wipe it. */
	seen?: TriggerState;
	/** Delivered responses, the latest last. */
	taken: Map<string, Taken>;
	/** When a hook last delivered, in milliseconds, monotonic. */
	deliveredAt: number;
	/** The last keys that brought a response of the form, by their text. */
	keys: Map<string, KnownKey>;
	/** When deliveries with any other key were asked about in vain. */
	othersVain: number[];
	questions: Questions;
	/** For these questions: it learns of a limit of the service once. */
	client?: { api: Promise<Api>; until: number };

	/** Responses that are done: run here, or by another process as it told. The latest last. */
	known: Set<string>;
	/** Responses of runs here, from their claim until their end. */
	underWay: Set<string>;
	/** Marks to be made again, and how often the store was asked. */
	marks: { kept: Map<string, KeptMark>; asked: number };
	/** The node's triggers here, the active one last; n8n can close only that. */
	triggers: { all: symbol[]; second: number };
}

const noResponses = () => ({
	taken: new Map<string, Taken>(),
	deliveredAt: -Infinity,
	keys: new Map<string, KnownKey>(),
	othersVain: [],
	known: new Set<string>(),
	underWay: new Set<string>(),
	marks: { kept: new Map<string, KeptMark>(), asked: 0 },
});

export const emptyMemory = (questions: Questions = { all: 0, asking: 0, waiting: [] }): Memory => ({
	...noResponses(),
	isSettled: false,
	isDue: false,
	keyMadeAt: 0,
	turn: Promise.resolve(),
	questions,
	triggers: { all: [], second: randomInt(60) },
});

/** Forgets all responses: nothing of the node is left to do. */
export const forget = (memory: Memory): Memory => Object.assign(memory, noResponses());

export type Memories = Map<string, Memory>;

/** Of this process, by workflow and node: the name of a node may change, its ID does not. */
const memories: Memories = new Map();

export function memoryOf(context: NodeContext, all = memories): Memory {
	const name = `${context.getWorkflow().id}/${context.getNode().id}`;
	const [another] = all.values();
	const memory = all.get(name) ?? emptyMemory(another?.questions);
	all.set(name, memory);
	return memory;
}

export const ownerOf = (context: NodeContext): Owner => ({
	workflowId: context.getWorkflow().id,
	nodeId: context.getNode().id,
	instanceId: context.getInstanceId(),
});

/** Takes its turn after all others that change the node's hooks: each of them ends in time. */
export async function inTurn<Value>(memory: Memory, task: () => Promise<Value>): Promise<Value> {
	const turn = memory.turn.then(task);
	memory.turn = turn.catch(() => {});
	return await turn;
}

/** Drops the oldest of what is too much. */
export function trim(entries: Map<string, unknown> | Set<string>, most: number): void {
	for (const key of entries.keys()) {
		if (entries.size <= most) return;
		entries.delete(key);
	}
}

/** Ten times what the API shows. */
export const RESPONSES = 250;

/** Notes responses that are done. */
export function addKnown({ known }: Memory, keys: string[]): void {
	keys.forEach((key) => known.add(key));
	trim(known, RESPONSES);
}

/** Whether the node's runs share a process with its trigger: then no other process writes to its store. */
export const isTriggerHere = ({ triggers }: Memory): boolean => triggers.all.length > 0;

/** n8n registers no second cron with the same expression for a node, so triggers differ in the second. */
const SECONDS_APART = 7;

/**
 * n8n keeps a trigger running whose `create` failed, and starts another one on the next publication (n8n,
 * workflow-trigger-activator.ts, workflow-active-triggers-state.ts).
 */
export function addTrigger({ triggers }: Memory) {
	const self = Symbol('trigger');
	triggers.all.push(self);
	triggers.second = (triggers.second + SECONDS_APART) % 60;
	return {
		second: triggers.second,
		isActive: () => triggers.all[triggers.all.length - 1] === self,
		remove() {
			triggers.all = triggers.all.filter((one) => one !== self);
		},
	};
}
