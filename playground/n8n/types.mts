export type JsonObject = Record<string, unknown>;

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: JsonObject;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	[other: string]: unknown;
}

/** Keyed by the name of the source node. */
export type Connections = Record<string, JsonObject>;

export interface WorkflowDraft {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Connections;
	settings?: JsonObject;
	[other: string]: unknown;
}

export interface Workflow extends WorkflowDraft {
	id: string;
	versionId: string;
	active: boolean;
	isArchived: boolean;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface ExecutionSummary {
	id: string;
	mode: string;
	status: string;
	createdAt: string;
	startedAt?: string | null;
	stoppedAt?: string | null;
}

export interface Item {
	json: JsonObject;
	pairedItem?: unknown;
}

interface NodeRun {
	executionTime: number;
	error?: JsonObject & { message?: string };
	data?: Record<string, Array<Item[] | null>>;
	hints?: JsonObject[];
}

export interface Execution extends ExecutionSummary {
	data: {
		resultData: {
			runData: Record<string, NodeRun[]>;
			error?: JsonObject & { message?: string };
			lastNodeExecuted?: string;
		};
	};
}
