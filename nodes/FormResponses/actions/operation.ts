import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Api } from '../transport/types';

/** The JSON of the output items for one input item. */
type Results = IDataObject[];

export interface Operation {
	displayName: string;
	/** The label in n8n's list of actions. */
	action: string;
	description: string;
	fields: INodeProperties[];
	/** @returns the results, or a function that returns them after all input items have been processed */
	execute(
		context: IExecuteFunctions,
		api: Api,
		itemIndex: number,
	): Promise<Results | (() => Promise<Results>)>;
}

export interface Resource {
	displayName: string;
	/** The keys are saved in workflows; their order is the order in the editor. */
	operations: Record<string, Operation>;
	defaultOperation: string;
	/** An API key has only the scope `responses:read` (playground/service/openapi.yaml). */
	needsOAuth2?: true;
}
