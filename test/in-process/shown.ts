import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** The parameters that the editor shows for these values, defaults filled in, by name. */
export function shownParameters(
	{ description }: INodeType,
	values: INodeParameters,
): Map<string, INodeProperties> {
	const node = { typeVersion: 1 };
	const filled = NodeHelpers.getNodeParameters(
		description.properties,
		values,
		true,
		false,
		node,
		description,
	)!;
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(filled, property, node, description),
	);
	return new Map(shown.map((property) => [property.name, property]));
}

/** The credential that the editor asks for with these values. */
export function shownCredentials({ description }: INodeType, values: INodeParameters): string[] {
	return description
		.credentials!.filter((credential) =>
			NodeHelpers.displayParameter(values, credential, { typeVersion: 1 }, description),
		)
		.map(({ name }) => name);
}

/** The options of a choice or a collection, with their values or names. */
export function optionsOf(property: INodeProperties | undefined): unknown[] {
	return (property?.options ?? []).map((option) =>
		'value' in option ? option.value : option.name,
	);
}

/** The parameters inside a collection, by name. */
export function inside(property: INodeProperties | undefined): Map<string, INodeProperties> {
	const options = (property?.options ?? []) as INodeProperties[];
	return new Map(options.map((option) => [option.name, option]));
}
