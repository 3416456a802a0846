import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Api } from '../transport/types';

/** The JSON of the output items for one input item. */
type Results = IDataObject[];

/** One operation of a resource: how people find it, its fields in the editor and what it does for one input item. */
export interface Operation {
	displayName: string;
	/** What it is called in n8n's list of all actions. */
	action: string;
	description: string;
	fields: INodeProperties[];
	/** @returns results, or what gives them once all input items have been worked on and the run goes on */
	execute(
		context: IExecuteFunctions,
		api: Api,
		itemIndex: number,
	): Promise<Results | (() => Promise<Results>)>;
}

export interface Resource {
	displayName: string;
	/** By the names that saved workflows hold, in the order in which the editor lists them. */
	operations: Record<string, Operation>;
	defaultOperation: string;
	/** An API key has the scope `responses:read` only (playground/service/openapi.json). */
	needsOAuth2: boolean;
}
