import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Api } from '../transport/types';

/** The JSON of the output items for one input item. */
export type Results = IDataObject[];

/** One operation of a resource: its fields in the editor and what it does for one input item. */
export interface Operation {
	description: INodeProperties[];
	/** @returns results, or what gives them once all input items have been worked on and the run goes on */
	execute(
		context: IExecuteFunctions,
		api: Api,
		itemIndex: number,
	): Promise<Results | (() => Promise<Results>)>;
}

/** Shows fields for one operation of a resource only. */
export function showFor(
	resource: string,
	operations: string[],
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: operations },
		},
	}));
}
